// A host as Tau knows it: a name that the model may use, and what `ssh` is told for it. What is
// left out is for the user's own OpenSSH configuration to say.

import { stat } from "node:fs/promises";
import { SshError } from "./ssh-error.ts";

export interface SshHost {
  /** What the model calls it. */
  name: string;
  /** An address or an OpenSSH alias. */
  address: string;
  user?: string;
  port?: number;
  /** Absolute. */
  keyPath?: string;
  /** Of a host with Windows: whether commands go to a POSIX shell that was found there. */
  compat?: boolean;
  description?: string;
}

// OpenSSH puts these into command lines of the user's own (`ProxyCommand … %h`), so nothing that
// a shell or an option parser would take for its own may be in them.
const ADDRESS =
  /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9]+)?\]?)$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._@-]*$/;
const MAX_NAME_CHARACTERS = 255;
const MAX_PORT = 65_535;

/** What is wrong with a host's description, as the end of a sentence. */
export function hostProblem({ address, user, port }: SshHost): string | undefined {
  if (address.length > MAX_NAME_CHARACTERS || !ADDRESS.test(address)) {
    return `"${address.slice(0, MAX_NAME_CHARACTERS)}" is not an address`;
  }
  if (user !== undefined && !USER.test(user)) return `"${user}" is not a user name`;
  if (port !== undefined && !(Number.isInteger(port) && port >= 1 && port <= MAX_PORT)) {
    return `${port} is not a port`;
  }
  return undefined;
}

/** Group and others. */
const FOREIGN_ACCESS = 0o077;

/** `ssh` passes over a key that others can read and then says only that it was not let in. */
export async function checkKey({ name, keyPath }: SshHost): Promise<void> {
  if (keyPath === undefined) return;
  const found = await stat(keyPath).catch((error: unknown) => {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  });
  const where = `the key of the SSH host ${name}, ${keyPath},`;
  if (!found) throw new SshError("bad_host", `${where} does not exist; correct its path.`);
  if (!found.isFile()) throw new SshError("bad_host", `${where} is not a file; correct its path.`);
  if (process.platform !== "win32" && (found.mode & FOREIGN_ACCESS) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    const message = `${where} can be read by others (mode ${mode}); run chmod 600 on it.`;
    throw new SshError("bad_host", message);
  }
}
