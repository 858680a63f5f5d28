// What can stand on the screen. A component says how it looks at a width, and whether that is its
// last word: rows that will not change any more may go into the terminal's own history, where
// nothing can be changed. Nobody guesses which rows those are; the component knows.

import type { KeyInput } from "./key-input.ts";

/** Where the caret is, in a component's own rows. */
export interface CaretPlace {
  row: number;
  column: number;
}

export interface Rendered {
  /** Each no wider than asked for; escapes for colours and links only. */
  rows: readonly string[];
  /** Leading rows that will not change any more; all of them where it is final. */
  stableRows: number;
  caret?: CaretPlace;
}

export interface Component {
  /** Must give the same rows again where nothing changed; the engine asks often. */
  render(columns: number): Rendered;
  /** `final`: it will never look different again, whatever the width. */
  readonly state: "live" | "final";
}

/** A component that takes keys while it has the focus. */
export interface FocusableComponent extends Component {
  /** False where the key is none of its own: the next one up is asked. */
  handleKey(input: KeyInput): boolean;
}

/** How a component asks for another look at it. */
export type RequestRender = () => void;
