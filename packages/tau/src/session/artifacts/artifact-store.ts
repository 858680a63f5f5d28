// The whole outputs of a session's tools, of which the model saw only part: numbered from 0,
// readable again by number. This is what they are to their users; where they are kept, on disk
// or in memory, is an implementation's.

import type { Spill } from "@tau/agent/bound-content";

/** Why an output is not kept. It costs that output and nothing else: the tool has succeeded. */
export interface ArtifactFailure {
  kind:
    /** The disk refused. */
    | "disk"
    /** The output is larger than one artifact may be. */
    | "too_large"
    /** No free number was found. */
    | "crowded";
  /** A sentence for people. */
  message: string;
}

export type ArtifactWrite = { ok: true; id: string } | { ok: false; failure: ArtifactFailure };

export type ArtifactCreation =
  { ok: true; writer: ArtifactWriter } | { ok: false; failure: ArtifactFailure };

export interface ArtifactWriter extends AsyncDisposable {
  readonly id: string;
  /** Await it: that is what keeps a fast program from filling the memory. Never rejects for the disk. */
  append(chunk: string | Uint8Array): Promise<void>;
  close(): Promise<FinishedArtifact>;
}

export interface FinishedArtifact {
  id: string;
  /** What can be read. */
  bytes: number;
  /** Why that is not all of it. */
  failure?: ArtifactFailure;
}

export interface ArtifactInfo {
  id: string;
  tool: string;
  bytes: number;
  /** Undefined in memory. */
  path?: string;
}

export interface LineRange {
  /** From 1. */
  from: number;
  count: number;
}

export interface ArtifactPart {
  text: string;
  /** From 1. */
  firstLine: number;
  lines: number;
  /** Where to go on; absent at the end. */
  nextLine?: number;
  /** Of the artifact. */
  totalBytes: number;
  /** Of a line that is too long to be given whole; a byte range has them. */
  cutBytes: number;
}

export interface ArtifactStore {
  /** Undefined in memory. */
  readonly directory: string | undefined;
  /** All of it or none, durable when it resolves. */
  write(tool: string, content: string | Uint8Array): Promise<ArtifactWrite>;
  /** For output of unknown length. */
  create(tool: string): Promise<ArtifactCreation>;
  /** By number. */
  list(): Promise<ArtifactInfo[]>;
  /** Lines, as far as they fit; all of them where no range is given. Throws `ArtifactMissing`. */
  read(id: string, range?: LineRange): Promise<ArtifactPart>;
  /** Throws `ArtifactMissing`. */
  readBytes(id: string, start: number, length: number): Promise<Uint8Array>;
}

/** One artifact: a command that prints more than this has run away. */
export const MAX_ARTIFACT_BYTES = 1024 * 1024 * 1024;

export class ArtifactMissing extends Error {
  override readonly name = "ArtifactMissing";

  constructor(id: string, available: readonly string[]) {
    super(`There is no artifact ${id}. ${availability(available)}`);
  }
}

const MOST_NAMED = 20;

function availability(ids: readonly string[]): string {
  if (ids.length === 0) return "This session has none yet.";
  const named = ids.slice(-MOST_NAMED).join(", ");
  const more = ids.length > MOST_NAMED ? `the last ${MOST_NAMED} of ${ids.length} are` : "there is";
  return `Choose another: ${more} ${named}.`;
}

export function tooLarge(bytes: number, limit: number): ArtifactFailure {
  const message = `An output of ${bytes} bytes exceeds the limit of ${limit}; have the command write to a file instead.`;
  return { kind: "too_large", message };
}

/** What the tool table asks for; `onFailure` hears why an output is not kept. */
export function spillTo(
  store: ArtifactStore,
  onFailure: (failure: ArtifactFailure) => void = () => undefined,
): Spill {
  return async (tool, text) => {
    const written = await store.write(tool, text);
    if (written.ok) return { id: written.id };
    onFailure(written.failure);
    return undefined;
  };
}
