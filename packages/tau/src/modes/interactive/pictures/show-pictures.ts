// Shows pictures inline where the terminal can: brings them to the size they take on the screen
// and into the format its protocol wants.

import type { ImageBlock } from "@tau/ai/message";
import { PictureBox, type CellSize } from "@tau/tui/terminal/images";
import type { ImageProtocol } from "@tau/tui/terminal/terminal-kind";
import type { Surface } from "../surface.ts";
import { PictureBlock } from "./picture-block.ts";

/** A picture is to be seen beside the words, not instead of them. */
const MAX_COLUMNS = 80;
const MAX_ROWS = 20;
const DEFAULT_CELL: CellSize = { width: 8, height: 16 };

export interface PictureTerminal {
  protocol: ImageProtocol;
  cell?: CellSize;
}

export class Pictures {
  readonly #surface: Surface;
  readonly #cell: CellSize;
  readonly #box: PictureBox;
  readonly #protocol: ImageProtocol;

  constructor(surface: Surface, { protocol, cell }: PictureTerminal) {
    this.#surface = surface;
    this.#protocol = protocol;
    this.#cell = cell ?? DEFAULT_CELL;
    this.#box = new PictureBox({
      protocol,
      cell: this.#cell,
      // The picture comes with its palette, in the size it is drawn in.
      sixel: ({ png }) => this.#sixelOf(png),
    });
  }

  #sixelOf: (png: Uint8Array) => string = () => "";

  /** Appends it; it appears as soon as it is ready. What cannot be read is left out. */
  async show(image: ImageBlock): Promise<void> {
    const block = new PictureBlock();
    this.#surface.append(block);
    try {
      await this.#draw(block, Buffer.from(image.data, "base64"));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      block.finish([this.#surface.theme.style("muted")(`[an image that cannot be shown: ${why}]`)]);
    }
    this.#surface.requestRender();
  }

  async #draw(block: PictureBlock, bytes: Uint8Array): Promise<void> {
    const { width, height } = await new Bun.Image(bytes).metadata();
    const columns = Math.min(this.#surface.size.columns, MAX_COLUMNS);
    const limits = { columns, rows: MAX_ROWS };
    const size = this.#box.fit({ png: bytes, width, height }, limits);
    const pixels = {
      width: size.columns * this.#cell.width,
      height: size.rows * this.#cell.height,
    };
    const isSixel = this.#protocol === "sixel";
    if (isSixel) await this.#loadSixel();
    const png = await new Bun.Image(bytes)
      .resize(pixels.width, pixels.height, { fit: "inside", withoutEnlargement: true })
      .png(isSixel ? { palette: true } : {})
      .bytes();
    const fitted = await new Bun.Image(png).metadata();
    const placed = this.#box.place({ png, width: fitted.width, height: fitted.height }, limits);
    if (!placed) return block.finish([]);
    const { screen } = this.#surface;
    screen.sendBefore(placed.transmit);
    if (placed.drawn) screen.setImage(placed.drawn.name, placed.drawn.image);
    block.finish(placed.rows);
  }

  async #loadSixel(): Promise<void> {
    const [{ readIndexedPng }, { encodeSixel }] = await Promise.all([
      import("./indexed-png.ts"),
      import("./sixel.ts"),
    ]);
    this.#sixelOf = (png) => {
      const picture = readIndexedPng(png);
      return picture ? encodeSixel(picture) : "";
    };
  }
}
