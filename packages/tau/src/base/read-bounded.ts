// The beginning of a file whose real path is known. Never waits for a pipe that somebody put in its
// place, and never follows a link that appeared since.

import { constants } from "node:fs";
import { open } from "node:fs/promises";

export interface BoundedText {
  text: string;
  /** There is more. */
  isCut: boolean;
}

export class NotAFile extends Error {
  override readonly name = "NotAFile";
}

export async function readBounded(realPath: string, maxBytes: number): Promise<BoundedText> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(realPath, flags);
  try {
    const { size, ...found } = await handle.stat().then((stat) => ({
      size: stat.size,
      isFile: stat.isFile(),
    }));
    if (!found.isFile) throw new NotAFile(`${realPath} is no longer a file; try again.`);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { text: buffer.subarray(0, filled).toString("utf8"), isCut: size > maxBytes };
  } finally {
    await handle.close();
  }
}
