// The clipboard: text goes out through the terminal itself (OSC 52), which also works over ssh;
// a picture comes in through the runtime, or through whatever program the system has for it.

import { programOnPath } from "@tau/host/process/program-on-path";
import { ownedEnvironment } from "@tau/host/process/reaper";
import { imageType } from "../../session/prompt-message.ts";

/** Terminals refuse more, some silently. */
const MAX_COPY_BYTES = 100_000;
const READ_TIMEOUT_MS = 3_000;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/** Undefined where it is too much for a terminal's clipboard. */
export function copyBytes(text: string): string | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_COPY_BYTES) return undefined;
  return `\x1b]52;c;${bytes.toString("base64")}\x07`;
}

const READERS: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>>> = {
  linux: [
    ["wl-paste", "--type", "image/png", "--no-newline"],
    ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"],
  ],
};

export interface ClipboardImage {
  mimeType: string;
  bytes: Uint8Array;
}

/** `none`: there is no picture in it. `no-reader`: no program here can look. */
export type ClipboardReading = ClipboardImage | "none" | "no-reader";

export async function readClipboardImage(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<ClipboardReading> {
  // Where the runtime can look by itself.
  if (platform === "darwin" || platform === "win32") {
    const image = Bun.Image.fromClipboard();
    return image ? { mimeType: "image/png", bytes: await image.png().bytes() } : "none";
  }
  let hasReader = false;
  for (const command of READERS[platform] ?? []) {
    const bytes = await outputOf(command, env);
    if (bytes === undefined) continue;
    hasReader = true;
    const mimeType = imageType(bytes);
    if (mimeType !== undefined) return { mimeType, bytes };
  }
  return hasReader ? "none" : "no-reader";
}

/** Undefined where there is no such program. */
async function outputOf(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Uint8Array | undefined> {
  const [name = "", ...args] = command;
  const program = programOnPath(name, env.PATH);
  if (program === undefined) return undefined;
  try {
    const child = Bun.spawn([program, ...args], {
      env: ownedEnvironment(env),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: READ_TIMEOUT_MS,
      maxBuffer: MAX_IMAGE_BYTES,
    });
    return new Uint8Array(await new Response(child.stdout).arrayBuffer());
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}
