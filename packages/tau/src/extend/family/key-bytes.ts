// A key as the bytes that a terminal sends for it, for code that reads those.

import type { KeyPress } from "@tau/tui/key-input";

const ESCAPE = "\x1b";

const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: ESCAPE,
  tab: "\t",
  space: " ",
  backspace: "\x7f",
  delete: `${ESCAPE}[3~`,
  up: `${ESCAPE}[A`,
  down: `${ESCAPE}[B`,
  right: `${ESCAPE}[C`,
  left: `${ESCAPE}[D`,
  home: `${ESCAPE}[H`,
  end: `${ESCAPE}[F`,
  pageup: `${ESCAPE}[5~`,
  pagedown: `${ESCAPE}[6~`,
};

export function keyBytes({ key, text, ctrl, alt, shift }: KeyPress): string {
  if (key === "tab" && shift) return `${ESCAPE}[Z`;
  const named = NAMED[key];
  const plain =
    named ??
    (ctrl && /^[a-z]$/.test(key) ? String.fromCharCode(key.charCodeAt(0) - 96) : text || key);
  return alt ? ESCAPE + plain : plain;
}
