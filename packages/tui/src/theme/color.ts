// A colour, and how a terminal of a given ability is told of it. What a terminal cannot
// show is brought to the nearest it can.

/** What a terminal can show. */
export type ColorDepth = "truecolor" | "256" | "16" | "none";

/** A colour of a theme: RGB, an index of the 256, or the terminal's own default. */
export type Color =
  | { kind: "rgb"; red: number; green: number; blue: number }
  | { kind: "index"; index: number }
  | { kind: "default" };

export type Layer = "foreground" | "background";

type Rgb = readonly [red: number, green: number, blue: number];

const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;
const CUBE_START = 16;
const GREY_START = 232;

// The usual palette of the first sixteen; users change it, so it is only ever a guess.
const BASIC: readonly Rgb[] = [
  [0, 0, 0],
  [170, 0, 0],
  [0, 170, 0],
  [170, 85, 0],
  [0, 0, 170],
  [170, 0, 170],
  [0, 170, 170],
  [170, 170, 170],
  [85, 85, 85],
  [255, 85, 85],
  [85, 255, 85],
  [255, 255, 85],
  [85, 85, 255],
  [255, 85, 255],
  [85, 255, 255],
  [255, 255, 255],
];

export function parseHex(text: string): Color | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!match) return undefined;
  const [red, green, blue] = match.slice(1).map((part) => Number.parseInt(part, 16));
  return { kind: "rgb", red: red!, green: green!, blue: blue! };
}

function distance(a: Rgb, b: Rgb): number {
  // Weighted as the eye sees: green most, blue least.
  return 3 * (a[0] - b[0]) ** 2 + 6 * (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

export function rgbOfIndex(index: number): Rgb {
  if (index < CUBE_START) return BASIC[index]!;
  if (index >= GREY_START) {
    const grey = 8 + 10 * (index - GREY_START);
    return [grey, grey, grey];
  }
  const at = index - CUBE_START;
  const level = (step: number): number => CUBE_LEVELS[Math.floor(at / step) % 6]!;
  return [level(36), level(6), level(1)];
}

function nearest(rgb: Rgb, from: number, to: number): number {
  let best = from;
  for (let index = from; index < to; index++) {
    if (distance(rgb, rgbOfIndex(index)) < distance(rgb, rgbOfIndex(best))) best = index;
  }
  return best;
}

function basicCode(index: number, layer: Layer): string {
  const base = (layer === "foreground" ? 30 : 40) + (index >= 8 ? 60 : 0);
  return String(base + (index % 8));
}

const RESET: Readonly<Record<Layer, string>> = { foreground: "39", background: "49" };

/** The SGR parameters for a colour; undefined where nothing is to be sent. */
export function sgrOf(color: Color, layer: Layer, depth: ColorDepth): string | undefined {
  if (depth === "none") return undefined;
  if (color.kind === "default") return RESET[layer];
  const lead = layer === "foreground" ? "38" : "48";
  const rgb: Rgb =
    color.kind === "rgb" ? [color.red, color.green, color.blue] : rgbOfIndex(color.index);
  if (depth === "16") {
    const index = color.kind === "index" && color.index < 16 ? color.index : nearest(rgb, 0, 16);
    return basicCode(index, layer);
  }
  if (color.kind === "index") return `${lead};5;${color.index}`;
  if (depth === "truecolor") return `${lead};2;${rgb.join(";")}`;
  // The first sixteen are left out: users change them.
  return `${lead};5;${nearest(rgb, CUBE_START, 256)}`;
}

export const resetOf = (layer: Layer): string => RESET[layer];
