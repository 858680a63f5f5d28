// A directory that Tau shares with a shell. What the shell runs may put links and pipes there in place of
// files, or another directory in the place of this one; Tau, which is not confined as it is, must not follow.
// On Linux it holds on to the directory itself, whatever its name leads to by then.

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
const canHold = process.platform === "linux";
const PRIVATE = 0o700;
const PRIVATE_FILE = 0o600;

export class StateDirectory implements Disposable {
  /** For the shell. */
  readonly path: string;
  /** For Tau. */
  readonly #own: string;
  readonly #descriptor: number | undefined;

  /** Makes it; `own` is where Tau finds it, if that is not its name. */
  constructor(path: string, own = path) {
    this.path = path;
    mkdirSync(own, { recursive: true, mode: PRIVATE });
    this.#descriptor = canHold ? openSync(own, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) : undefined;
    this.#own = this.#descriptor === undefined ? own : `/proc/self/fd/${this.#descriptor}`;
  }

  /** A directory in it. */
  sub(name: string): StateDirectory {
    return new StateDirectory(join(this.path, name), join(this.#own, name));
  }

  /** The file's path for the shell; what was there under that name is gone. */
  write(name: string, text: string): string {
    const own = join(this.#own, name);
    rmSync(own, { force: true, recursive: true });
    // Fails where something has been put in its place meanwhile.
    writeFileSync(own, text, { mode: PRIVATE_FILE, flag: "wx" });
    return join(this.path, name);
  }

  /** Undefined if there is no such file, or something else in its place. */
  read(name: string): string | undefined {
    let descriptor: number | undefined;
    try {
      const flags = canHold ? O_RDONLY | O_NOFOLLOW | O_NONBLOCK : O_RDONLY;
      descriptor = openSync(join(this.#own, name), flags);
      return fstatSync(descriptor).isFile() ? readFileSync(descriptor, "utf8") : undefined;
    } catch (error) {
      if (typeof (error as { code?: unknown }).code === "string") return undefined;
      throw error;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  rename(from: string, to: string): void {
    renameSync(join(this.#own, from), join(this.#own, to));
  }

  remove(name: string): void {
    rmSync(join(this.#own, name), { force: true, recursive: true });
  }

  /** With everything in it. */
  [Symbol.dispose](): void {
    for (const name of readdirSync(this.#own)) this.remove(name);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    try {
      rmdirSync(this.path);
    } catch (error) {
      // Something else is in its place, or it is gone already.
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
    }
  }
}
