// What a sandbox is found to keep. Measured from inside, never concluded from how it was made.

export interface SandboxPromises {
  /** Nothing outside of what it may write was written. */
  keepsWriting: boolean;
  /** No secret was read. */
  keepsSecrets: boolean;
  network: "on" | "off";
  /** Guarded places in the project, such as git's hooks, were not to be written; true without any. */
  keepsGuarded: boolean;
  /** Tau is not to be seen, not to be signalled, its memory and environment not to be read. */
  hidesProcesses: boolean;
  keepsSignals: boolean;
  keepsMemory: boolean;
}

/** What is broken of that without which it is no sandbox; undefined if nothing is. */
export function brokenPromise(promises: SandboxPromises, wanted: "on" | "off"): string | undefined {
  if (!promises.keepsWriting) return "files outside the project could be written";
  if (!promises.keepsSecrets) return "a secret could be read";
  if (wanted === "off" && promises.network === "on") return "the network could be reached";
  if (!promises.keepsMemory) return "Tau's own memory could be read";
  return undefined;
}

/** What holds only in part, in words for people. */
export function weakPromises(promises: SandboxPromises): string[] {
  return [
    promises.hidesProcesses ? [] : ["other processes are visible"],
    promises.keepsSignals ? [] : ["other processes can be signalled"],
    promises.keepsGuarded ? [] : ["git hooks and settings of the project can be written"],
  ].flat();
}
