// What the cells of one call have to show, put together as they run: text within bounds and whole
// in an artifact, pictures as blocks, structures for whoever renders them.

import type { ToolContent } from "@tau/agent/tool";
import type { MimeBundle } from "@tau/host/kernel/kernel-frame";
import { OutputCapture } from "@tau/host/output-capture";
import type { ArtifactStore } from "../../session/artifacts/artifact-store.ts";
import { artifactNote, OutputCollector } from "../bash/collect-output.ts";

/** Of one call: each costs the model about as much as a page of text. */
const MAX_IMAGES = 12;
/** Of one cell's output, for renderers. */
const CELL_OUTPUT_BYTES = 16 * 1024;
/** Of all structures of one call, for renderers; the model has their text. */
const MAX_JSON_CHARACTERS = 1_000_000;

const NEW_LINE = 0x0a;

export class Transcript {
  readonly #collector: OutputCollector;
  readonly #images: ToolContent[] = [];
  readonly jsonOutputs: unknown[] = [];
  #jsonCharacters = 0;
  #unseenImages = 0;
  #isLineOpen = false;
  #cell = new OutputCapture(CELL_OUTPUT_BYTES);
  #cellBytes = 0;

  constructor(artifacts: () => Promise<ArtifactStore>, update: (text: string) => void) {
    this.#collector = new OutputCollector({ tool: "eval", artifacts, update });
  }

  newCell(): void {
    this.#cell = new OutputCapture(CELL_OUTPUT_BYTES);
    this.#cellBytes = 0;
  }

  get cellText(): string {
    return this.#cell.result().text.trimEnd();
  }

  get hasCellOutput(): boolean {
    return this.#cellBytes > 0;
  }

  /** The bytes are ours for the call only. */
  readonly push = (bytes: Buffer): void | Promise<void> => {
    if (bytes.length === 0) return undefined;
    this.#isLineOpen = bytes.at(-1) !== NEW_LINE;
    this.#cell.push(bytes);
    this.#cellBytes += bytes.length;
    return this.#collector.push(bytes);
  };

  /** On lines of its own. */
  async note(text: string): Promise<void> {
    if (text === "") return;
    await this.push(Buffer.from(`${this.#isLineOpen ? "\n" : ""}${text}\n`));
  }

  /** Belongs to no cell. */
  async heading(text: string): Promise<void> {
    const gap = this.#isLineOpen ? "\n" : "";
    this.#isLineOpen = false;
    await this.#collector.push(Buffer.from(`${gap}${text}\n`));
  }

  async display(bundle: MimeBundle): Promise<void> {
    const json = bundle["application/json"];
    if (json !== undefined) this.#keepJson(json);
    const picture = pictureOf(bundle);
    const text = bundle["text/markdown"] ?? bundle["text/plain"];
    if (typeof text === "string" && (text !== "" || !picture)) await this.note(text);
    if (picture) await this.note(await this.#keepImage(picture));
  }

  async finish(): Promise<{ text: string; images: ToolContent[]; artifactId?: string }> {
    const output = await this.#collector.finish();
    const { text, artifactId } = output;
    const lines = [text.trimEnd()];
    if (this.#unseenImages > 0) {
      lines.push(`[${this.#unseenImages} more images are not shown: at most ${MAX_IMAGES} are]`);
    }
    lines.push(artifactNote(output));
    return {
      text: lines.filter((line) => line !== "").join("\n"),
      images: this.#images,
      artifactId,
    };
  }

  #keepJson(value: unknown): void {
    const size = JSON.stringify(value)?.length ?? 0;
    if (this.#jsonCharacters + size > MAX_JSON_CHARACTERS) return;
    this.#jsonCharacters += size;
    this.jsonOutputs.push(value);
  }

  /** What the text says in its place. */
  async #keepImage(data: string): Promise<string> {
    if (this.#images.length >= MAX_IMAGES) {
      this.#unseenImages += 1;
      return "";
    }
    const [{ imageForModel }, { ImageError }] = await Promise.all([
      import("@tau/host/image/model-image"),
      import("@tau/host/image/image-error"),
    ]);
    try {
      const { bytes, mimeType } = await imageForModel(Buffer.from(data, "base64"));
      this.#images.push({ type: "image", mimeType, data: Buffer.from(bytes).toString("base64") });
      return `[image ${this.#images.length}]`;
    } catch (error) {
      if (error instanceof ImageError) return `[an image that cannot be shown: ${error.message}]`;
      throw error;
    }
  }
}

function pictureOf(bundle: MimeBundle): string | undefined {
  const mime = Object.keys(bundle).find((name) => name.startsWith("image/"));
  const data = mime === undefined ? undefined : bundle[mime];
  return typeof data === "string" ? data : undefined;
}
