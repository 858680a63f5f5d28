// Whether the session only looks: whoever starts something in its name starts it without the means to
// change anything. Whoever turns the mode on offers this part.

import { partKey } from "../base/part.ts";

export interface ReadOnlyMode {
  readonly isOn: boolean;
  /** For an agent: that it may change nothing, and why. */
  readonly words: string;
  /** All that an agent may have then. */
  readonly tools: readonly string[];
}

export const READ_ONLY = partKey<ReadOnlyMode>("read-only mode");
