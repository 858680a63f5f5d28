// The files that the tools of a session work on: where they are, how they are shown, and what the
// model has been shown of them.

import { rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { SnapshotStore } from "@tau/hashline/snapshot-store";
import { realBytePath } from "@tau/host/walk/byte-path";
import { LineOffsets } from "@tau/host/text/line-offsets";
import { resolvePath, shownPath, tidyPath } from "../resources/local-path.ts";
import { isLocalAddress, localPath } from "../resources/local-scheme.ts";
import { SeenLines } from "./seen-lines.ts";
import { PendingPreviews } from "./pending-previews.ts";
import { ConflictStore } from "./read/conflict-store.ts";
import type { FileToolSettings } from "./file-tool-settings.ts";

export interface FilesPlace {
  cwd: string;
  home: string;
  settings: FileToolSettings;
  /** The directory behind `local://`. */
  localRoot: string;
  /** Whether that directory goes with the session. */
  keepsLocalRoot: boolean;
}

export class WorkspaceFiles implements AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  readonly settings: FileToolSettings;
  readonly localRoot: string;
  /** By real path: two spellings of one file are one file. */
  readonly snapshots = new SnapshotStore();
  readonly offsets = new LineOffsets();
  readonly previews = new PendingPreviews();
  readonly conflicts = new ConflictStore();
  /** By real path, or by what else a text is called. */
  readonly seenLines: SeenLines;
  readonly #keepsLocalRoot: boolean;

  constructor(place: FilesPlace) {
    this.cwd = place.cwd;
    this.home = place.home;
    this.settings = place.settings;
    this.localRoot = place.localRoot;
    this.#keepsLocalRoot = place.keepsLocalRoot;
    this.seenLines = new SeenLines(place.settings.maxColumns);
  }

  /** Absolute. */
  resolve(path: string): string {
    const tidy = tidyPath(path);
    return isLocalAddress(tidy) ? localPath(tidy, this.localRoot) : resolvePath(tidy, this);
  }

  /** As the model and the user see it. */
  shown(path: string): string {
    const local = shownPath(path, this.localRoot);
    if (local !== "." && !isAbsolute(local)) return `local://${local}`;
    return shownPath(path, this.cwd);
  }

  /** The file behind a path, with links followed; also for a file that is not there yet. */
  async identify(path: string): Promise<string> {
    const absolute = this.resolve(path);
    try {
      return await realBytePath(absolute);
    } catch (error) {
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
      const parent = dirname(absolute);
      if (parent === absolute) return absolute;
      return join(await this.identify(parent), basename(absolute));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#keepsLocalRoot) await rm(this.localRoot, { recursive: true, force: true });
  }
}
