// How a program in a terminal of its own gets to the person who is to use it. Whoever has a screen
// implements this; without one, commands run the normal way.

import type { Pty } from "@tau/host/pty/pty";

export interface ShownTerminal {
  /** The command, for a heading. */
  title: string;
  /**
   * Opens the terminal in the size that there is room for. Called once, with what takes its bytes
   * as they come; they are the callee's for the call only.
   */
  open(size: { columns: number; rows: number }, onOutput: (bytes: Uint8Array) => void): Pty;
  /** The call was stopped: the program is being ended, and nothing is left to show. */
  signal: AbortSignal;
}

/** Resolves when the program has ended and the person has seen it; ends the program if they wish. */
export type ShowTerminal = (terminal: ShownTerminal) => Promise<void>;
