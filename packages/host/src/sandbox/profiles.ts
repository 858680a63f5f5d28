// The kinds of work that run confined, as data: how much of the machine each sees and writes, and whether
// it has the network that the user allows. Whatever is started for the model names one of them.

export interface SandboxProfile {
  /** `system`: everything but secrets. `given`: the system's programs, and what it was given. */
  reads: "system" | "given";
  /** `workspace`: the workspace, the temporary directory, and what it was given. */
  writes: "workspace" | "given";
  network: "as_set" | "off";
}

export const PROFILES = {
  /** Command lines, with jobs and terminals. */
  commands: { reads: "system", writes: "workspace", network: "as_set" },
  /** Code of the model's in a process that goes on between calls; also for servers of a project. */
  kernel: { reads: "system", writes: "workspace", network: "as_set" },
  /** Programs of Tau's own that read what others have made: parsers, converters, searches. */
  reader: { reads: "given", writes: "given", network: "off" },
} as const satisfies Readonly<Record<string, SandboxProfile>>;

export type ProfileName = keyof typeof PROFILES;

/** One process, or a group of them, that is to run confined. */
export interface ConfinedWork {
  profile: ProfileName;
  /** Absolute. Those that are not there are passed over. */
  reads?: readonly string[];
  writes?: readonly string[];
}
