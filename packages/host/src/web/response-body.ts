// The body of an answer, unpacked, as far as size and time allow. Unpacked here and not by
// `fetch`: a few packed bytes can become gigabytes, and a packed body that breaks off must not
// lose what had come.

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** What a request may announce to understand. */
export const ACCEPTED_ENCODINGS = "gzip, br, deflate";
/** Codings one upon another; nobody needs two. */
const MAX_ENCODINGS = 2;

export interface BodyLimits {
  maxBytes: number;
  deadline: AbortSignal;
  deadlineMs: number;
  /** Whoever asked may lose interest; that is thrown. */
  signal: AbortSignal | undefined;
}

export interface ResponseBody {
  bytes: Uint8Array;
  /** What was cut, in words. */
  notes: string[];
}

export async function readResponseBody(
  response: Response,
  limits: BodyLimits,
): Promise<ResponseBody> {
  const { maxBytes, deadline, deadlineMs, signal } = limits;
  if (!response.body) return { bytes: new Uint8Array(), notes: [] };
  const { source, streams, unknown } = await unpacked(response);
  const notes: string[] = [];
  if (unknown !== undefined) {
    notes.push(`The page is packed with ${unknown}, which is not unpacked here.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) continue;
      notes.push(`The page is longer than ${maxBytes} bytes; the rest was not read.`);
      break;
    }
  } catch (error) {
    signal?.throwIfAborted();
    // What has come so far is worth more than nothing.
    const code = String((error as { code?: unknown }).code ?? "error");
    notes.push(
      deadline.aborted
        ? `The page had not ended after ${Math.round(deadlineMs / 1000)} s; the rest was not read.`
        : `The page broke off (${code}); the rest is missing.`,
    );
  } finally {
    for (const stream of streams) stream.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), notes };
}

interface Unpacked {
  source: Readable;
  /** All that are to be closed. */
  streams: Readable[];
  unknown?: string;
}

async function unpacked(response: Response): Promise<Unpacked> {
  const body = Readable.fromWeb(response.body as unknown as ReadableStream<Uint8Array>);
  const codings = (response.headers.get("content-encoding") ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== "" && name !== "identity");
  const streams: Readable[] = [body];
  if (codings.length === 0) return { source: body, streams };
  const { createBrotliDecompress, createUnzip, createZstdDecompress } = await import("node:zlib");
  for (const coding of codings.slice(0, MAX_ENCODINGS).toReversed()) {
    const next = /^(?:x-)?gzip$|^deflate$/.test(coding)
      ? createUnzip()
      : coding === "br"
        ? createBrotliDecompress()
        : coding === "zstd"
          ? createZstdDecompress()
          : undefined;
    if (!next) return { source: streams.at(-1)!, streams, unknown: coding.slice(0, 40) };
    const before = streams.at(-1)!;
    before.on("error", (error) => next.destroy(error));
    before.pipe(next);
    streams.push(next);
  }
  return { source: streams.at(-1)!, streams };
}
