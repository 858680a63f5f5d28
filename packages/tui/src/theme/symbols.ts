// The signs that the surface draws, in three sets: for any Unicode font, for patched
// ("nerd") fonts, and for terminals that have only ASCII.

export const SYMBOL_PRESETS = ["unicode", "nerd", "ascii"] as const;
export type SymbolPreset = (typeof SYMBOL_PRESETS)[number];

const UNICODE = {
  success: "✓",
  error: "✗",
  warning: "!",
  pending: "○",
  running: "●",
  bullet: "•",
  pointer: "❯",
  marked: "●",
  unmarked: "○",
  taskDone: "☑",
  taskOpen: "☐",
  folded: "▸",
  unfolded: "▾",
  treeBranch: "├─",
  treeLast: "└─",
  treeLine: "│ ",
  quoteBar: "│",
  rule: "─",
  ellipsis: "…",
  separator: "·",
  boxTopLeft: "╭",
  boxTopRight: "╮",
  boxBottomLeft: "╰",
  boxBottomRight: "╯",
  boxHorizontal: "─",
  boxVertical: "│",
  boxCross: "┼",
  barFull: "█",
  barEmpty: "░",
  branch: "⎇",
  folder: "▪",
  scrollUp: "↑",
  scrollDown: "↓",
} as const;

export type SymbolName = keyof typeof UNICODE;
export type Symbols = Readonly<Record<SymbolName, string>>;

export const SYMBOL_NAMES = Object.keys(UNICODE) as readonly SymbolName[];

const NERD: Symbols = {
  ...UNICODE,
  success: "\uf00c",
  error: "\uf00d",
  warning: "\uf071",
  folded: "\uf054",
  unfolded: "\uf078",
  branch: "\ue0a0",
  folder: "\uf07b",
};

const ASCII: Symbols = {
  success: "+",
  error: "x",
  warning: "!",
  pending: "o",
  running: "*",
  bullet: "-",
  pointer: ">",
  marked: "*",
  unmarked: " ",
  taskDone: "[x]",
  taskOpen: "[ ]",
  folded: "+",
  unfolded: "-",
  treeBranch: "|-",
  treeLast: "`-",
  treeLine: "| ",
  quoteBar: "|",
  rule: "-",
  ellipsis: "~",
  separator: "-",
  boxTopLeft: "+",
  boxTopRight: "+",
  boxBottomLeft: "+",
  boxBottomRight: "+",
  boxHorizontal: "-",
  boxVertical: "|",
  boxCross: "+",
  barFull: "#",
  barEmpty: ".",
  branch: "@",
  folder: "/",
  scrollUp: "^",
  scrollDown: "v",
};

const PRESETS: Readonly<Record<SymbolPreset, Symbols>> = {
  unicode: UNICODE,
  nerd: NERD,
  ascii: ASCII,
};

export type SpinnerKind = "status" | "activity";
export type SpinnerFrames = Readonly<Record<SpinnerKind, readonly string[]>>;

const DOTS = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const LINES = ["|", "/", "-", "\\"];

export const symbolsOf = (preset: SymbolPreset): Symbols => PRESETS[preset];

export function spinnerFramesOf(preset: SymbolPreset): SpinnerFrames {
  const frames = preset === "ascii" ? LINES : DOTS;
  return { status: frames, activity: frames };
}
