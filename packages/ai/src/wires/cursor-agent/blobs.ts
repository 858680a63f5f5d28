// What a conversation keeps for the service: parts of the prompt that it asks for by name, and what
// it wants kept. A name is the hash of the content.

import { createHash } from "node:crypto";

/** Of what the service wants kept during one run: its own account of a long conversation is less. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export class Blobs {
  readonly #blobs = new Map<string, Uint8Array>();
  #keptBytes = 0;

  /** Ours; gives its name. */
  add(data: Uint8Array): Uint8Array {
    const name = new Uint8Array(createHash("sha256").update(data).digest());
    this.#blobs.set(keyOf(name), data);
    return name;
  }

  get(name: Uint8Array): Uint8Array | undefined {
    return this.#blobs.get(keyOf(name));
  }

  /** The service's own; false if there is no room for it. */
  keep(name: Uint8Array, data: Uint8Array): boolean {
    const before = this.#blobs.get(keyOf(name))?.length ?? 0;
    const kept = this.#keptBytes - before + name.length + data.length;
    if (kept > MAX_KEPT_BYTES) return false;
    this.#keptBytes = kept;
    this.#blobs.set(keyOf(name), data);
    return true;
  }
}

function keyOf(name: Uint8Array): string {
  return Buffer.from(name).toString("base64");
}
