// Whether a project is still as the user allowed it. Trust is looked at when a session starts; the session
// itself may then rewrite a script that a hook runs, and nobody has agreed to the new one.

import type { Environment } from "@tau/ai/environment";
import type { WrittenFiles } from "../../tools/written-files.ts";

export class StillTrusted {
  readonly #place: { cwd: string; env: Environment };
  readonly #written: WrittenFiles;
  #seen: string;
  #answer: Promise<boolean> = Promise.resolve(true);

  /** To be made when the trust has just been looked at. */
  constructor(place: { cwd: string; env: Environment }, written: WrittenFiles) {
    this.#place = place;
    this.#written = written;
    this.#seen = written.stamp();
  }

  async check(): Promise<boolean> {
    const stamp = this.#written.stamp();
    // A no is looked at again each time: the user may have allowed the project meanwhile.
    if (stamp === this.#seen && (await this.#answer)) return true;
    this.#seen = stamp;
    this.#answer = this.#look();
    return this.#answer;
  }

  async #look(): Promise<boolean> {
    const { trustOf } = await import("../../trust/project-standing.ts");
    const { cwd, env } = this.#place;
    return (await trustOf(cwd, env)).state === "trusted";
  }
}
