// A key or a paste, as everything above the terminal sees it.

/** Named keys by name (`enter`, `escape`, `up`, `f5`), others by the character they give. */
export interface KeyPress {
  type: "key";
  /** Lower case for letters; `shift` says the rest. */
  key: string;
  /** What it would type; empty for keys that type nothing. */
  text: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  meta: boolean;
}

export interface Paste {
  type: "paste";
  text: string;
}

export type KeyInput = KeyPress | Paste;
