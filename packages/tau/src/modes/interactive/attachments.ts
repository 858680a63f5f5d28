// From what stands in the prompt to the message that is sent: pictures that were pasted, dropped
// or named with `@` go along; every other `@path` stays a word, and the model reads what it needs.

import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ImageBlock, UserMessage } from "@tau/ai/message";
import { imageType } from "../../session/prompt-message.ts";
import type { ClipboardImage } from "./clipboard.ts";

/** What is read of an image at all; it is scaled to the vendor's limits when it is sent. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;
const MENTION = /(?:^|\s)@(?:"([^"]+)"|(\S+))/g;
const LABEL = /\[picture #(\d+)\]/g;

export class Attachments {
  #pictures: ClipboardImage[] = [];

  /** The label that stands for it in the prompt. */
  add(picture: ClipboardImage): string {
    this.#pictures.push(picture);
    return `[picture #${this.#pictures.length}]`;
  }

  /** The message, and what could not go along. */
  async message(text: string, cwd: string): Promise<{ message: UserMessage; problems: string[] }> {
    const problems: string[] = [];
    const images: ImageBlock[] = [];
    for (const [, number] of text.matchAll(LABEL)) {
      const picture = this.#pictures[Number(number) - 1];
      if (picture) push(images, problems, picture, `picture #${number}`);
    }
    for (const [, quoted, plain] of text.matchAll(MENTION)) {
      const path = quoted ?? plain ?? "";
      if (!IMAGE_NAME.test(path)) continue;
      const bytes = await readFileOf(resolve(cwd, path));
      const mimeType = bytes && imageType(bytes);
      if (bytes && mimeType) push(images, problems, { bytes, mimeType }, path);
    }
    this.#pictures = [];
    const content = [...images, { type: "text" as const, text }];
    return { message: { role: "user", content, timestamp: Date.now() }, problems };
  }
}

function push(
  images: ImageBlock[],
  problems: string[],
  { bytes, mimeType }: ClipboardImage,
  name: string,
): void {
  if (bytes.length > MAX_IMAGE_BYTES) {
    const megabytes = (bytes.length / 1024 / 1024).toFixed(1);
    problems.push(`${name} has ${megabytes} MB and was not sent; make it smaller than 20 MB`);
  } else {
    const data = Buffer.from(bytes).toString("base64");
    images.push({ type: "image", mimeType, data, name: basename(name) });
  }
}

async function readFileOf(path: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    // One byte more than allowed is enough to be told that it is too much.
    if (size > MAX_IMAGE_BYTES + 1) return new Uint8Array(await readHead(file));
    return new Uint8Array(await file.readFile());
  } catch (error) {
    // The word stays in the prompt; the model will find out that there is no such file.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}

async function readHead(file: Awaited<ReturnType<typeof open>>): Promise<Buffer> {
  const buffer = Buffer.alloc(MAX_IMAGE_BYTES + 1);
  await file.read(buffer, 0, buffer.length, 0);
  return buffer;
}

/** The path that a terminal pastes when a picture is dropped on it; undefined for other text. */
export function droppedPicture(pasted: string): string | undefined {
  let path = pasted.trim();
  if (path.includes("\n") || path.length > 4096) return undefined;
  const quotes = /^(['"])(.*)\1$/.exec(path);
  if (quotes) path = quotes[2]!;
  else if (path.startsWith("file://")) {
    try {
      path = fileURLToPath(path);
    } catch {
      // Not an address of a file after all.
      return undefined;
    }
  } else path = path.replace(/\\(.)/g, "$1");
  const isPath = path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  return isPath && IMAGE_NAME.test(basename(path)) ? path : undefined;
}

/** A paste that is a picture's path names the picture, as a person would. */
export function withPictureNamed(pasted: string): string {
  const dropped = droppedPicture(pasted);
  return dropped === undefined ? pasted : `@${JSON.stringify(dropped)} `;
}
