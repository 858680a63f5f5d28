// What is switched on in the terminal while it is ours, and how each is switched off again.
// One table, so that nothing can be enabled that is not restored.

const ENABLE = {
  bracketedPaste: "\x1b[?2004h",
  // A row that a terminal thinks wider than we do is cut at the edge instead of tearing the screen.
  noAutowrap: "\x1b[?7l",
  appearanceNotices: "\x1b[?2031h",
  // Whether somebody looks: who is away wants to be told when it is done.
  focusNotices: "\x1b[?1004h",
  // The title is put on the terminal's stack and comes back.
  ownTitle: "\x1b[22;0t",
  // Disambiguate, and alternate keys for chords on other layouts.
  kittyKeyboard: "\x1b[>5u",
  modifyOtherKeys: "\x1b[>4;2m",
} as const;

export type Mode = keyof typeof ENABLE;

const DISABLE: Record<Mode, string> = {
  bracketedPaste: "\x1b[?2004l",
  noAutowrap: "\x1b[?7h",
  appearanceNotices: "\x1b[?2031l",
  focusNotices: "\x1b[?1004l",
  ownTitle: "\x1b[23;0t",
  kittyKeyboard: "\x1b[<u",
  modifyOtherKeys: "\x1b[>4;0m",
};

// An unfinished frame would leave the terminal dark, a hidden cursor the user lost.
const ALWAYS = "\x1b[?2026l\x1b[?25h\x1b[0m";

export class Modes {
  readonly #on = new Set<Mode>();

  enable(...modes: readonly Mode[]): string {
    let bytes = "";
    for (const mode of modes) {
      if (this.#on.has(mode)) continue;
      this.#on.add(mode);
      bytes += ENABLE[mode];
    }
    return bytes;
  }

  /** The bytes that undo all of it, the last first. */
  disableAll(): string {
    const bytes = [...this.#on].toReversed().map((mode) => DISABLE[mode]);
    this.#on.clear();
    return bytes.join("") + ALWAYS;
  }

  get enabled(): readonly Mode[] {
    return [...this.#on];
  }
}
