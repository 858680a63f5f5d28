// What stands at a path, or that nothing can be found there: for whoever asks before doing
// something else. Why it cannot be found is told by whoever opens it.

import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { onDisk } from "@tau/host/walk/byte-path";

export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(onDisk(path));
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
