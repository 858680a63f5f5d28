// What every `ssh` that Tau starts is told. It asks nobody anything, trusts a key on first sight
// and never a changed one, and takes over from the user's configuration how to get to the host
// but none of what it would do besides.

import type { SshHost } from "./ssh-host.ts";

/** A host that does not answer is given up; the network below may wait for minutes. */
const CONNECT_TIMEOUT_S = 10;
/** A connection over which nothing comes back any more is noticed after the product of the two. */
const ALIVE_INTERVAL_S = 10;
const ALIVE_MISSES = 3;
/** Unused for so long, the shared connection ends by itself; Tau may have died without a word. */
export const PERSIST_S = 600;

export interface SshOptions {
  /** The program; `ssh` where absent. */
  program?: string;
  /** Instead of the user's and the system's OpenSSH configuration. */
  configFile?: string;
  env: Readonly<Record<string, string | undefined>>;
}

export function fileOptions({ configFile }: SshOptions): string[] {
  return configFile === undefined ? [] : ["-F", configFile];
}

export function targetOptions({ user, port, keyPath }: SshHost): string[] {
  const options: string[] = [];
  if (user !== undefined) options.push("-l", user);
  if (port !== undefined) options.push("-p", String(port));
  // The named key only: servers count every other one as a failed attempt.
  if (keyPath !== undefined) options.push("-i", keyPath, "-o", "IdentitiesOnly=yes");
  return options;
}

/** What the user's configuration says of host keys, where it is stricter than Tau. */
export type HostKeyPolicy = "accept-new" | "yes";

export function connectOptions(policy: HostKeyPolicy): string[] {
  const options: Record<string, string | number> = {
    BatchMode: "yes",
    StrictHostKeyChecking: policy,
    ConnectTimeout: CONNECT_TIMEOUT_S,
    ServerAliveInterval: ALIVE_INTERVAL_S,
    ServerAliveCountMax: ALIVE_MISSES,
    // What is meant for a person's own login: a terminal, a command, tunnels, their agent.
    RequestTTY: "no",
    RemoteCommand: "none",
    PermitLocalCommand: "no",
    ClearAllForwardings: "yes",
    ForwardAgent: "no",
    ForwardX11: "no",
    EscapeChar: "none",
  };
  return Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** Behind the options; nothing in an address is taken for one. */
export function destination({ address }: SshHost): string[] {
  // Brackets are for URLs; a bare one is what `ssh` takes.
  return ["--", address.replace(/^\[(.*)\]$/, "$1")];
}
