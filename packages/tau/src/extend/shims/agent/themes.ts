// Looks that the family's components are given: Tau's theme, as far as there is a terminal.

import { currentTheme } from "../../family/current-host.ts";

type Paint = (text: string) => string;

function colour(token: string): Paint {
  return (text) => currentTheme().fg(token, text);
}

export function getMarkdownTheme() {
  return {
    heading: colour("mdHeading"),
    link: colour("mdLink"),
    linkUrl: colour("mdLinkUrl"),
    code: colour("mdCode"),
    codeBlock: colour("mdCodeBlock"),
    codeBlockBorder: colour("mdCodeBlockBorder"),
    quote: colour("mdQuote"),
    quoteBorder: colour("mdQuoteBorder"),
    hr: colour("mdHr"),
    listBullet: colour("mdListBullet"),
    bold: (text: string) => currentTheme().bold(text),
    italic: (text: string) => currentTheme().italic(text),
    strikethrough: (text: string) => currentTheme().strikethrough(text),
    underline: (text: string) => currentTheme().underline(text),
  };
}

export function getSelectListTheme() {
  return {
    selectedPrefix: colour("accent"),
    selectedText: colour("accent"),
    description: colour("muted"),
    scrollInfo: colour("muted"),
    noMatch: colour("muted"),
  };
}

export function getSettingsListTheme() {
  return {
    label: (text: string, selected: boolean) => (selected ? colour("accent")(text) : text),
    value: (text: string, selected: boolean) => colour(selected ? "accent" : "muted")(text),
    description: colour("muted"),
    cursor: "→ ",
    hint: colour("dim"),
  };
}

export const keyText = (action: string): string => action;
export const keyHint = (action: string, words: string): string => `${action} ${words}`;
export const rawKeyHint = (key: string, words: string): string => `${key} ${words}`;

/** Code without colours: those of Tau's own are made for its own views. */
export function highlightCode(code: string): string[] {
  return code.split("\n");
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  js: "javascript",
  jsx: "javascript",
  py: "python",
  rs: "rust",
  rb: "ruby",
  go: "go",
  md: "markdown",
  sh: "bash",
  json: "json",
  yml: "yaml",
  yaml: "yaml",
  html: "html",
  css: "css",
};

export function getLanguageFromPath(path: string): string | undefined {
  return LANGUAGES[path.split(".").at(-1)?.toLowerCase() ?? ""];
}
