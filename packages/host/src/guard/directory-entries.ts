// What is in a directory, for judges: what cannot be listed has nothing that anybody could read.

import { readdirSync, type Dirent } from "node:fs";
import { onDisk } from "../walk/byte-path.ts";

export function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(onDisk(directory), { withFileTypes: true });
  } catch (error) {
    // Not there, not a directory, or not for us.
    if (typeof (error as { code?: unknown }).code === "string") return [];
    throw error;
  }
}
