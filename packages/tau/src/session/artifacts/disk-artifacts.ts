// Artifacts as files beside the session's own. Several processes may add to one directory (a
// session and its subagents, a fork that is still being made), so that a number is claimed
// before it is used: whoever creates `.N.claim` first has N, looks whether an artifact N has
// come meanwhile, and gives the file its name with one rename. A claim that a crash left only
// costs its number.

import { join } from "node:path";
import { removeIfPossible } from "@tau/host/remove-if-possible";
import type { Storage, StorageEntry } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { pathSource } from "../log/byte-source.ts";
import {
  artifactFileName,
  claimName,
  isArtifactId,
  parseArtifactFileName,
  parseClaimName,
} from "./artifact-name.ts";
import {
  ArtifactMissing,
  MAX_ARTIFACT_BYTES,
  tooLarge,
  type ArtifactCreation,
  type ArtifactFailure,
  type ArtifactInfo,
  type ArtifactPart,
  type ArtifactStore,
  type ArtifactWrite,
  type LineRange,
} from "./artifact-store.ts";
import { DiskArtifactWriter } from "./disk-artifact-writer.ts";
import { MAX_READ_BYTES, readLines } from "./read-artifact.ts";

const WRITE = { point: "artifact.write" };
const CLAIM = { point: "artifact.claim" };
const DIRECTORY = { point: "artifact.directory" };
/** Each round another process was faster; as many as this are no coincidence. */
const MAX_ROUNDS = 1000;

export interface DiskArtifactsOptions {
  storage: Storage;
  directory: string;
  /** Read, never written: those of the file that this session was made from. */
  inherited?: readonly string[];
  maxArtifactBytes?: number;
}

interface Found {
  id: number;
  tool: string;
  path: string;
}

export class DiskArtifacts implements ArtifactStore {
  readonly directory: string;
  readonly #storage: Storage;
  readonly #places: readonly string[];
  readonly #maxBytes: number;
  /** A guess that saves looking through the directory; the claim decides. */
  #next: number | undefined;

  constructor(options: DiskArtifactsOptions) {
    const { storage, directory, inherited = [], maxArtifactBytes = MAX_ARTIFACT_BYTES } = options;
    this.directory = directory;
    this.#storage = storage;
    this.#places = [directory, ...inherited];
    this.#maxBytes = maxArtifactBytes;
  }

  async write(tool: string, content: string | Uint8Array): Promise<ArtifactWrite> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (bytes.length > this.#maxBytes) {
      return { ok: false, failure: tooLarge(bytes.length, this.#maxBytes) };
    }
    const allocated = await this.#allocate(tool, bytes);
    return "id" in allocated ? { ok: true, id: String(allocated.id) } : refused(allocated);
  }

  async create(tool: string): Promise<ArtifactCreation> {
    const allocated = await this.#allocate(tool, new Uint8Array());
    if (!("id" in allocated)) return refused(allocated);
    const { id, path } = allocated;
    try {
      const file = await this.#storage.open(path, {});
      const writer = new DiskArtifactWriter(String(id), file, this.#maxBytes);
      return { ok: true, writer };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      await removeIfPossible(this.#storage, path, WRITE);
      return refused(diskFailure(error));
    }
  }

  async list(): Promise<ArtifactInfo[]> {
    const infos: ArtifactInfo[] = [];
    for (const { id, tool, path } of await this.#find()) {
      const stat = await this.#storage.stat(path);
      if (stat) infos.push({ id: String(id), tool, bytes: stat.size, path });
    }
    return infos;
  }

  async read(id: string, range?: LineRange): Promise<ArtifactPart> {
    const { path, bytes } = await this.#open(id);
    return readLines(pathSource(this.#storage, path), bytes, range);
  }

  async readBytes(id: string, start: number, length: number): Promise<Uint8Array> {
    const { path } = await this.#open(id);
    return this.#storage.read(path, { start, length: Math.min(length, MAX_READ_BYTES) });
  }

  async #open(id: string): Promise<{ path: string; bytes: number }> {
    const found = await this.#find();
    const wanted = isArtifactId(id) ? found.find((one) => one.id === Number(id)) : undefined;
    const stat = wanted && (await this.#storage.stat(wanted.path));
    if (!stat) {
      throw new ArtifactMissing(
        id,
        found.map((one) => String(one.id)),
      );
    }
    return { path: wanted.path, bytes: stat.size };
  }

  /** By number; of two with one number the session's own counts. */
  async #find(): Promise<Found[]> {
    const found = new Map<number, Found>();
    for (const place of this.#places) {
      for (const { name, kind } of await this.#entriesOf(place)) {
        const parsed = kind === "file" ? parseArtifactFileName(name) : undefined;
        if (parsed && !found.has(parsed.id)) {
          found.set(parsed.id, { ...parsed, path: join(place, name) });
        }
      }
    }
    return [...found.values()].sort((a, b) => a.id - b.id);
  }

  async #entriesOf(place: string): Promise<StorageEntry[]> {
    try {
      return await this.#storage.list(place);
    } catch (error) {
      if (error instanceof StorageError && NOT_THERE.has(error.code)) return [];
      throw error;
    }
  }

  async #allocate(
    tool: string,
    bytes: Uint8Array,
  ): Promise<{ id: number; path: string } | ArtifactFailure> {
    try {
      await this.#storage.makeDirectory(this.directory, DIRECTORY);
      this.#next ??= await this.#afterAll();
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const id = this.#next;
        this.#next += 1;
        if (!(await this.#claim(id, bytes))) continue;
        const path = await this.#publish(id, tool);
        if (path !== undefined) return { id, path };
        this.#next = Math.max(this.#next, await this.#afterAll());
      }
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return diskFailure(error);
    }
    const message = `There is no free artifact number in ${this.directory}; remove files that do not belong there.`;
    return { kind: "crowded", message };
  }

  /** False where another has the number. The content is there before anybody can see it. */
  async #claim(id: number, bytes: Uint8Array): Promise<boolean> {
    try {
      await this.#storage.createExclusive(join(this.directory, claimName(id)), bytes, WRITE);
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.code === "EEXIST") return false;
      throw error;
    }
  }

  /** Undefined where an artifact of that number has come before the claim. */
  async #publish(id: number, tool: string): Promise<string | undefined> {
    const claim = join(this.directory, claimName(id));
    const path = join(this.directory, artifactFileName(id, tool));
    let isPublished = false;
    try {
      if ((await this.#find()).some((one) => one.id === id)) return undefined;
      await this.#storage.rename(claim, path, CLAIM);
      isPublished = true;
      return path;
    } finally {
      if (!isPublished) await removeIfPossible(this.#storage, claim, CLAIM);
    }
  }

  async #afterAll(): Promise<number> {
    let next = 0;
    for (const place of this.#places) {
      for (const { name } of await this.#entriesOf(place)) {
        const id = parseArtifactFileName(name)?.id ?? parseClaimName(name);
        if (id !== undefined) next = Math.max(next, id + 1);
      }
    }
    return next;
  }
}

const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

function refused(failure: ArtifactFailure): { ok: false; failure: ArtifactFailure } {
  return { ok: false, failure };
}

export function diskFailure(error: StorageError): ArtifactFailure {
  return { kind: "disk", message: error.message };
}
