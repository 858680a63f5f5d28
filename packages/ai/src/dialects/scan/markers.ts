// A set of markers that may stand anywhere in a streamed text. All markers of one set
// begin with the same character, so plain text costs one `indexOf` a push.

export interface Found {
  /** Where the marker begins, or may begin once more text arrives; else the text's end. */
  at: number;
  /** Absent where nothing is decided yet. */
  marker?: string;
}

export interface Finder {
  /** The first marker at or behind `from`; `isWhole` says that no more text will come. */
  find(text: string, from: number, isWhole: boolean): Found;
}

export class Markers implements Finder {
  readonly #lead: string;
  /** Longest first, so that a marker never hides a longer one that begins with it. */
  readonly #all: readonly string[];

  constructor(markers: Iterable<string>) {
    this.#all = [...markers].toSorted((a, b) => b.length - a.length);
    this.#lead = this.#all[0]?.[0] ?? "<";
    for (const marker of this.#all) {
      if (marker[0] !== this.#lead) throw new TypeError(`${marker} begins unlike its set`);
    }
  }

  find(text: string, from: number, isWhole: boolean): Found {
    for (let at = text.indexOf(this.#lead, from); at >= 0; at = text.indexOf(this.#lead, at + 1)) {
      const found = this.#match(text, at, isWhole);
      if (found !== undefined) return found;
    }
    return { at: text.length };
  }

  #match(text: string, at: number, isWhole: boolean): Found | undefined {
    for (const marker of this.#all) {
      if (text.startsWith(marker, at)) return { at, marker };
      if (!isWhole && mayBecome(text, at, marker)) return { at };
    }
    return undefined;
  }
}

/** Whether the text breaks off inside `marker`, which begins at `at`. */
export function mayBecome(text: string, at: number, marker: string): boolean {
  return text.length - at < marker.length && marker.startsWith(text.slice(at));
}
