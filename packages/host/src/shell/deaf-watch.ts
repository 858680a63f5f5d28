// Notices a shell that reads its lines but carries none of them out, so that nobody waits for a
// result which cannot come: after `shopt -s extdebug; trap false DEBUG` bash skips every command,
// also the one that would tell the end. A line that it cannot skip is sent after a while: as long as
// the command runs, the line waits in the pipe like everything else.

import { existsSync } from "node:fs";

/** Most commands have ended by then and are not looked at. */
const FIRST_LOOK_MS = 2000;
const LOOK_EVERY_MS = 300;
/** The end of a command may still be on its way through the pipe. */
const LOOKS = 3;

export interface DeafShell {
  /** Comes to be when the shell has read the line. */
  path: string;
  send: () => void;
  /** Whether somebody holds up the output, and the end of the command with it. */
  isHeld: () => boolean;
  onDeaf: () => void;
}

export class DeafWatch implements Disposable {
  readonly #shell: DeafShell;
  #timer: ReturnType<typeof setTimeout>;
  #seen = 0;

  constructor(shell: DeafShell) {
    this.#shell = shell;
    this.#timer = setTimeout(() => {
      shell.send();
      this.#look();
    }, FIRST_LOOK_MS);
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      const { path, isHeld, onDeaf } = this.#shell;
      this.#seen = existsSync(path) && !isHeld() ? this.#seen + 1 : 0;
      if (this.#seen >= LOOKS) onDeaf();
      else this.#look();
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
