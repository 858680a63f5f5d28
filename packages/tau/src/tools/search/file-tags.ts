// The tag under which a file's matches are shown, so that an edit can name them. It stands for
// the whole text of the file, which is recorded; a tag is given only where every line that is
// shown under it is that line of that text. A file that changed while it was searched has none,
// and neither has what could not be written back as it is.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { LineIndex } from "@tau/hashline/line-index";
import type { SearchLine } from "@tau/host/search/search-query";
import { onDisk } from "@tau/host/walk/byte-path";
import { decodeUtf8 } from "../../files/read-text-file.ts";
import { MAX_LOADED_BYTES } from "../read/read-file.ts";
import type { Workspace } from "../workspace.ts";
import type { SourceName } from "./search-place.ts";

/** Of all files of one page: what is recorded last must not push out what came first. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

export class FileTags {
  readonly #workspace: Workspace;
  readonly #isOn: boolean;
  #leftBytes = MAX_PAGE_BYTES;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    const { editMode, hashLines } = workspace.files.settings;
    this.#isOn = workspace.canEdit && editMode === "hashline" && hashLines;
  }

  async tagOf({ editable }: SourceName, shown: readonly SearchLine[]): Promise<string | undefined> {
    if (!this.#isOn || !editable) return undefined;
    const text = editable.text ?? (await this.#load(editable.path));
    if (text === undefined) return undefined;
    const index = new LineIndex(text);
    if (!shown.every((line) => isLineOf(index, line))) return undefined;
    const identity = await this.#workspace.files.identify(editable.path);
    for (const { line, text: part } of shown) {
      this.#workspace.files.seenLines.note(identity, index.line(line), part.length);
    }
    return this.#workspace.files.snapshots.record(identity, text).tag;
  }

  async #load(path: string): Promise<string | undefined> {
    const bytes = await readWithin(path, Math.min(this.#leftBytes, MAX_LOADED_BYTES));
    if (!bytes) return undefined;
    this.#leftBytes -= bytes.length;
    return decodeUtf8(bytes);
  }
}

/** Cut lines are compared as far as they go. */
function isLineOf(index: LineIndex, { line, text, offset, truncated }: SearchLine): boolean {
  if (line > index.count) return false;
  const whole = index.line(line);
  return truncated ? whole.startsWith(text, offset) : whole === text;
}

/** Undefined where there is more, or it cannot be read. */
async function readWithin(path: string, limit: number): Promise<Uint8Array | undefined> {
  try {
    // Without waiting: a pipe may have taken the file's place.
    await using file = await open(onDisk(path), constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > limit) return undefined;
    const bytes = await file.readFile();
    return bytes.length > limit ? undefined : bytes;
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
