// The themes that come with the program. Dark and light are whole; the colour-blind
// variants change only what would otherwise rest on telling red from green.

import type { ThemeDocument } from "./theme-document.ts";

const DARK: ThemeDocument = {
  name: "dark",
  vars: {
    blue: "#7aa2f7",
    cyan: "#56b6c2",
    green: "#8ec07c",
    yellow: "#e0af68",
    orange: "#e69a5c",
    red: "#f07178",
    violet: "#b48ead",
    grey: 245,
    faint: 240,
    positive: "green",
    negative: "red",
  },
  colors: {
    accent: "blue",
    border: "faint",
    borderAccent: "blue",
    borderMuted: 238,
    success: "positive",
    error: "negative",
    warning: "yellow",
    muted: "grey",
    dim: "faint",
    text: "",
    thinkingText: "grey",
    selectedBg: "#2c313c",
    userMessageBg: "#262a33",
    customMessageBg: "#282634",
    toolPendingBg: "#22252c",
    toolSuccessBg: "#202a26",
    toolErrorBg: "#2f2226",
    statusLineBg: "#1c1f26",
    userMessageText: "",
    customMessageText: "",
    customMessageLabel: "violet",
    toolTitle: "",
    toolOutput: "grey",
    mdHeading: "yellow",
    mdLink: "blue",
    mdLinkUrl: "grey",
    mdCode: "cyan",
    mdCodeBlock: "",
    mdCodeBlockBorder: "faint",
    mdQuote: "grey",
    mdQuoteBorder: "faint",
    mdHr: "faint",
    mdListBullet: "blue",
    toolDiffAdded: "positive",
    toolDiffRemoved: "negative",
    toolDiffContext: "grey",
    syntaxComment: "faint",
    syntaxKeyword: "violet",
    syntaxFunction: "blue",
    syntaxVariable: "",
    syntaxString: "green",
    syntaxNumber: "orange",
    syntaxType: "cyan",
    syntaxOperator: "grey",
    syntaxPunctuation: "grey",
    thinkingOff: "faint",
    thinkingMinimal: "grey",
    thinkingLow: "blue",
    thinkingMedium: "cyan",
    thinkingHigh: "violet",
    thinkingXhigh: "red",
    bashMode: "cyan",
    pythonMode: "violet",
    statusLineSep: "faint",
    statusLineModel: "violet",
    statusLinePath: "blue",
    statusLineGitClean: "positive",
    statusLineGitDirty: "yellow",
    statusLineContext: "cyan",
    statusLineSpend: "cyan",
    statusLineStaged: "positive",
    statusLineDirty: "yellow",
    statusLineUntracked: "negative",
    statusLineOutput: "grey",
    statusLineCost: "orange",
    statusLineSubagents: "violet",
  },
  export: { pageBg: "#15171c", cardBg: "#1c1f26", infoBg: "#262a33" },
};

const LIGHT: ThemeDocument = {
  name: "light",
  extends: "dark",
  vars: {
    blue: "#2f5fb3",
    cyan: "#0f7a86",
    green: "#3c7a2a",
    yellow: "#8a6100",
    orange: "#a3541a",
    red: "#b3262f",
    violet: "#7a3e8e",
    grey: 241,
    faint: 246,
  },
  colors: {
    borderMuted: 252,
    selectedBg: "#dfe5f0",
    userMessageBg: "#eef1f6",
    customMessageBg: "#f1edf6",
    toolPendingBg: "#f2f3f5",
    toolSuccessBg: "#eaf4ea",
    toolErrorBg: "#f8eaeb",
    statusLineBg: "#e8eaee",
  },
  export: { pageBg: "#fafafa", cardBg: "#ffffff", infoBg: "#eef1f6" },
};

const DARK_COLORBLIND: ThemeDocument = {
  name: "dark-colorblind",
  extends: "dark",
  vars: { positive: "#5fa8f5", negative: "#f0a04b" },
  colors: { toolSuccessBg: "#1f2838", toolErrorBg: "#332a1e" },
};

const LIGHT_COLORBLIND: ThemeDocument = {
  name: "light-colorblind",
  extends: "light",
  vars: { positive: "#0b57b0", negative: "#a85800" },
  colors: { toolSuccessBg: "#e6eefb", toolErrorBg: "#fbf0e2" },
};

export const DEFAULT_THEMES: ReadonlyMap<string, ThemeDocument> = new Map(
  [DARK, LIGHT, DARK_COLORBLIND, LIGHT_COLORBLIND].map((theme) => [theme.name, theme]),
);

/** The variant of a built-in theme that does not rest on red and green; others have none. */
export function colorblindVariant(name: string): string | undefined {
  const variant = `${name}-colorblind`;
  return DEFAULT_THEMES.has(variant) ? variant : undefined;
}
