// Pictures inside rows. A component gives the last row that a picture covers as a mark with
// its name, and empty rows above it; the painter sends what is registered under the name when
// that row is painted, and not again while the row stays. (Kitty's placeholder rows are plain
// text and need none of this.)

const MARK_BEGIN = "\x1b_tau-image;";
const MARK_END = "\x1b\\";
// Escapes for one picture are large; the oldest ones are surely committed by then.
const MAX_IMAGES = 32;

export interface RowImage {
  /** What makes the terminal draw it from the cursor on, to the right and downwards. */
  bytes: string;
  /** Rows it covers. */
  rows: number;
}

/** The row that stands for an image's last row. */
export function imageRow(name: string): string {
  return MARK_BEGIN + name.replaceAll(/[^\w-]/g, "_") + MARK_END;
}

export function imageOf(row: string): string | undefined {
  if (!row.startsWith(MARK_BEGIN) || !row.endsWith(MARK_END)) return undefined;
  return row.slice(MARK_BEGIN.length, -MARK_END.length);
}

export class RowImages {
  readonly #images = new Map<string, RowImage>();

  set(name: string, image: RowImage): void {
    this.#images.delete(name);
    this.#images.set(name, image);
    const [oldest] = this.#images.keys();
    if (this.#images.size > MAX_IMAGES && oldest !== undefined) this.#images.delete(oldest);
  }

  get size(): number {
    return this.#images.size;
  }

  /** Empty for a name that is not known (any more): its rows stay blank, the height is kept. */
  bytes(name: string): string {
    const image = this.#images.get(name);
    if (!image) return "";
    const up = image.rows > 1 ? `\x1b[${image.rows - 1}A` : "";
    return `\x1b7${up}${image.bytes}\x1b8`;
  }
}
