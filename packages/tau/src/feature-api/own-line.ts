// A line that a person runs themselves instead of sending it to the model: `!ls`, `$ 1 + 1`. A feature
// brings it, and the mode in which somebody types finds it by how it begins.

import type { ThemeToken } from "@tau/tui/theme/tokens";
import type { Session } from "../session/session.ts";
import type { Feature } from "./feature.ts";

export interface OwnLine {
  /** What it begins with. */
  readonly sign: string;
  /** Beside the prompt while it is typed, in a word. */
  readonly label: string;
  /** Of the prompt's frame meanwhile. */
  readonly border: ThemeToken;
  /** What Esc does while it runs: "stops the command". */
  readonly stops: string;
  /** Whether this line is one; asked at every key press. */
  matches(line: string): boolean;
  /** Resolves when it is done and told. A `UserError` if it cannot be run. */
  run(place: LinePlace, line: string): Promise<void>;
}

export interface LinePlace {
  readonly session: Session;
  /** Aborts when the person stops it. */
  readonly signal: AbortSignal;
}

/** Undefined if it is words to the model, or a command. */
export function ownLineOf(features: readonly Feature[], line: string): OwnLine | undefined {
  return features.flatMap(({ lines = [] }) => lines).find((one) => one.matches(line));
}
