// What flows into a command, if nothing does or nobody knows what.

import type { CommandInput } from "./command-call.ts";

export const NO_INPUT: CommandInput = {
  paths: undefined,
  isDownload: false,
  text: undefined,
  isPresent: false,
};

/** Something flows in, and nobody knows what. */
export const OPEN_INPUT: CommandInput = { ...NO_INPUT, isPresent: true };
