// From what stands on the command line (words, @files, piped text) to one user message.

import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { ImageBlock, TextBlock, UserMessage } from "@tau/ai/message";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";

/** A file given whole costs its size in every request; larger ones are for the read tool. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** What is read of an image at all; it is scaled to the vendor's limits when it is sent. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

export interface PromptParts {
  /** Words and `@path`s, in order. */
  positionals: readonly string[];
  /** What was piped in. */
  piped?: string;
  cwd: string;
}

/** Undefined where nothing was said. */
export async function promptMessage(parts: PromptParts): Promise<UserMessage | undefined> {
  const words = parts.positionals.filter((word) => !isFile(word));
  const content: (TextBlock | ImageBlock)[] = [];
  for (const word of parts.positionals.filter(isFile)) {
    content.push(await fileBlock(word.slice(1), parts.cwd));
  }
  if (parts.piped?.trim()) content.push({ type: "text", text: parts.piped });
  const text = words.join(" ");
  if (text.trim() !== "") content.push({ type: "text", text });
  return content.length === 0 ? undefined : { role: "user", content, timestamp: Date.now() };
}

const isFile = (word: string): boolean => word.startsWith("@") && word.length > 1;

async function fileBlock(path: string, cwd: string): Promise<TextBlock | ImageBlock> {
  const bytes = await readWhole(path, resolve(cwd, path));
  const mimeType = imageType(bytes);
  if (mimeType) {
    const data = Buffer.from(bytes).toString("base64");
    return { type: "image", mimeType, data, name: basename(path) };
  }
  if (bytes.subarray(0, 8000).includes(0)) {
    throw new UserError(`@${path} is neither text nor a PNG, JPEG, GIF or WebP image`, EXIT.usage);
  }
  return {
    type: "text",
    text: `<file path="${path}">\n${new TextDecoder().decode(bytes)}\n</file>`,
  };
}

async function readWhole(path: string, target: string): Promise<Uint8Array> {
  try {
    refuseEndless(path, target);
    await using file = await open(target, "r");
    const stat = await file.stat();
    if (stat.isDirectory()) {
      throw new UserError(
        `@${path} is a directory; name a file, or just mention the directory`,
        EXIT.usage,
      );
    }
    if (stat.size > MAX_IMAGE_BYTES) throw tooLarge(path, stat.size);
    const bytes = new Uint8Array(await file.readFile());
    if (bytes.length > (imageType(bytes) ? MAX_IMAGE_BYTES : MAX_TEXT_BYTES)) {
      throw tooLarge(path, bytes.length);
    }
    return bytes;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as { code?: string };
    const why =
      code === "ENOENT"
        ? "does not exist"
        : code === "EACCES"
          ? "cannot be read: permission denied"
          : `cannot be read (${code ?? String(error)})`;
    throw new UserError(`@${path} ${why}`, EXIT.usage);
  }
}

/** Descriptors that the shell opened, as in `@<(git diff)`: somebody writes to them. */
const DESCRIPTOR = /^\/(?:dev\/fd\/|dev\/stdin$|proc\/self\/fd\/)/;

/** Before it is opened: a pipe that nobody writes to would hold Tau up, and a device need not end. */
function refuseEndless(path: string, target: string): void {
  const stat = statSync(target);
  if (stat.isFile() || stat.isDirectory()) return;
  if ((stat.isFIFO() || stat.isSocket()) && DESCRIPTOR.test(target)) return;
  const what = stat.isFIFO() ? "a named pipe" : stat.isSocket() ? "a socket" : "a device";
  throw new UserError(`@${path} is ${what}; name a file, or pipe into Tau instead`, EXIT.usage);
}

function tooLarge(path: string, bytes: number): UserError {
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  return new UserError(
    `@${path} is too large to attach (${megabytes} MB); mention the path without @, and the model reads what it needs`,
    EXIT.usage,
  );
}

/** By content: names lie. */
export function imageType(bytes: Uint8Array): string | undefined {
  const ascii = (from: number, to: number): string =>
    String.fromCharCode(...bytes.subarray(from, to));
  if (ascii(1, 4) === "PNG" && bytes[0] === 0x89) return "image/png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  if (ascii(0, 6) === "GIF87a" || ascii(0, 6) === "GIF89a") return "image/gif";
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return "image/webp";
  return undefined;
}
