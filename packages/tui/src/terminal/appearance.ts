// Dark or light: from the background that the terminal reports, else from the environment.

import type { Color } from "../input/probes.ts";
import type { Environment } from "./terminal-kind.ts";

export type Appearance = "dark" | "light";

// Half of what the eye takes for white; backgrounds are hardly ever near it.
const LIGHT_LUMINANCE = 0.5;
// The eight dark colours of the palette come first; 7 is a light grey in spite of that.
const FIRST_BRIGHT_COLOR = 8;

export function appearanceOf(background: Color | undefined, env: Environment): Appearance {
  if (background) {
    const { red, green, blue } = background;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue >= LIGHT_LUMINANCE ? "light" : "dark";
  }
  const code = /;(\d+)$/.exec(env.COLORFGBG ?? "")?.[1];
  if (code === undefined) return "dark";
  return Number(code) >= FIRST_BRIGHT_COLOR || Number(code) === 7 ? "light" : "dark";
}
