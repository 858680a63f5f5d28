// How many colours the environment says there are. On which background they stand is
// the terminal's to say (`terminal/appearance.ts`).

import type { ColorDepth } from "./color.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** NO_COLOR wins; then what the terminal claims; doubtful terminals get what they surely have. */
export function detectColorDepth(env: Environment): ColorDepth {
  if ((env.NO_COLOR ?? "") !== "") return "none";
  const term = env.TERM ?? "";
  if (term === "dumb") return "none";
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? "") || env.WT_SESSION !== undefined) {
    return "truecolor";
  }
  if (term === "linux" || term === "") return "256";
  // Both draw 24-bit sequences as other colours or as blinking text.
  if (env.TERM_PROGRAM === "Apple_Terminal" || /^screen(\.|-|$)/.test(term)) return "256";
  if (/^(vt\d+|ansi|cygwin)/.test(term)) return "16";
  return "truecolor";
}
