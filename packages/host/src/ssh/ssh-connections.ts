// The connections of one session, by the name of their host, and the private directory that their
// sockets are in.

import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FactsCache } from "./remote-facts.ts";
import { SshConnection } from "./ssh-connection.ts";
import type { SshHost } from "./ssh-host.ts";
import type { SshOptions } from "./ssh-options.ts";

export interface SshConnectionsOptions extends SshOptions {
  /** Where the private directory is made. */
  temporaryDirectory: string;
  cache?: FactsCache;
}

/** A socket's path has 103 bytes on the narrowest system, and `ssh` adds 17 while it makes it. */
const MAX_DIRECTORY_BYTES = 60;
const SHORT_PLACE = "/tmp";
const DIRECTORY_NAME = "tau-ssh-";
const SOCKET_NAME_CHARACTERS = 12;

export class SshConnections implements AsyncDisposable {
  readonly #options: SshConnectionsOptions;
  readonly #open = new Map<string, SshConnection>();
  #directory: string | undefined;

  constructor(options: SshConnectionsOptions) {
    this.#options = options;
  }

  to(host: SshHost): SshConnection {
    const known = this.#open.get(host.name);
    if (known) return known;
    const socket = createHash("sha256").update(host.name).digest("hex");
    const connection = new SshConnection(host, {
      ...this.#options,
      socketPath: join(this.#place(), socket.slice(0, SOCKET_NAME_CHARACTERS)),
    });
    this.#open.set(host.name, connection);
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connections = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(connections.map((connection) => connection[Symbol.asyncDispose]()));
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
    this.#directory = undefined;
  }

  #place(): string {
    if (this.#directory !== undefined) return this.#directory;
    const { temporaryDirectory } = this.#options;
    const isShort = Buffer.byteLength(temporaryDirectory) <= MAX_DIRECTORY_BYTES;
    const parent = isShort ? temporaryDirectory : SHORT_PLACE;
    this.#directory = mkdtempSync(join(parent, DIRECTORY_NAME));
    chmodSync(this.#directory, 0o700);
    return this.#directory;
  }
}
