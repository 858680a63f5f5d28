// What can be known of the terminal before it has said a word: from the environment alone.
// Pure, and only for choices in which an error is cosmetic; what the terminal says itself
// always wins.

import type { Reflow } from "../screen/reflow.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Multiplexer = "tmux" | "screen" | "zellij";
export type ImageProtocol = "kitty" | "iterm2" | "sixel";

export interface TerminalKind {
  multiplexer: Multiplexer | undefined;
  /** Whether frames may be marked before the terminal has confirmed that it knows the mode. */
  synchronized: boolean;
  reflow: Reflow;
  images: ImageProtocol | undefined;
  /** Whether links in text can be clicked; elsewhere their escapes may be shown. */
  hyperlinks: boolean;
}

const SYNCHRONIZED_PROGRAMS = new Set([
  "ghostty",
  "WezTerm",
  "iTerm.app",
  "vscode",
  "rio",
  "contour",
]);
const KITTY_IMAGE_PROGRAMS = new Set(["ghostty", "WezTerm", "rio"]);
const ITERM_IMAGE_PROGRAMS = new Set(["iTerm.app", "vscode", "mintty", "WarpTerminal"]);

export function terminalKind(env: Environment): TerminalKind {
  const multiplexer = multiplexerOf(env);
  const program = env.TERM_PROGRAM ?? "";
  const isKitty = env.KITTY_WINDOW_ID !== undefined || env.TERM === "xterm-kitty";
  const known = isKitty || SYNCHRONIZED_PROGRAMS.has(program) || env.WT_SESSION !== undefined;
  return {
    multiplexer,
    synchronized: !multiplexer && (known || /Sy/.test(env.TERM_FEATURES ?? "")),
    reflow: reflowOf(env, multiplexer),
    images: multiplexer ? undefined : imagesOf(env, isKitty),
    hyperlinks: hyperlinksOf(env, multiplexer, isKitty),
  };
}

function multiplexerOf(env: Environment): Multiplexer | undefined {
  if (env.TMUX) return "tmux";
  if (env.ZELLIJ) return "zellij";
  if (env.STY) return "screen";
  if (env.TERM?.startsWith("tmux")) return "tmux";
  return env.TERM?.startsWith("screen") ? "screen" : undefined;
}

function reflowOf(env: Environment, multiplexer: Multiplexer | undefined): Reflow {
  if (multiplexer) return multiplexer === "screen" ? "none" : "tracks";
  if (env.XTERM_VERSION !== undefined || env.TERM === "linux") return "none";
  return env.TERM_PROGRAM === "vscode" ? "drifts" : "tracks";
}

// The first release of the library behind most desktop terminals that has them.
const FIRST_VTE_WITH_LINKS = 5000;
const LINK_PROGRAMS = new Set([
  ...SYNCHRONIZED_PROGRAMS,
  "WarpTerminal",
  "Hyper",
  "mintty",
  "Tabby",
  "alacritty",
]);

function hyperlinksOf(
  env: Environment,
  multiplexer: Multiplexer | undefined,
  isKitty: boolean,
): boolean {
  if (multiplexer === "tmux") return tmuxHasLinks(env);
  if (multiplexer) return multiplexer === "zellij";
  if (isKitty || env.WT_SESSION !== undefined || env.KONSOLE_VERSION !== undefined) return true;
  if (Number(env.VTE_VERSION ?? 0) >= FIRST_VTE_WITH_LINKS) return true;
  if (/^(foot|alacritty|contour)/.test(env.TERM ?? "")) return true;
  return LINK_PROGRAMS.has(env.TERM_PROGRAM ?? "");
}

/** Before its version 3.4 tmux swallows them, and where they lead would be nowhere to be seen. */
function tmuxHasLinks(env: Environment): boolean {
  if (env.TERM_PROGRAM !== "tmux") return false;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(env.TERM_PROGRAM_VERSION ?? "") ?? [];
  return Number(major ?? 0) > 3 || (Number(major) === 3 && Number(minor) >= 4);
}

function imagesOf(env: Environment, isKitty: boolean): ImageProtocol | undefined {
  const program = env.TERM_PROGRAM ?? "";
  if (isKitty || KITTY_IMAGE_PROGRAMS.has(program)) return "kitty";
  if (ITERM_IMAGE_PROGRAMS.has(program)) return "iterm2";
  return /^(foot|mlterm|contour)/.test(env.TERM ?? "") ? "sixel" : undefined;
}
