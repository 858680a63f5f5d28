// Sends a body the way a bad network would: in pieces of any size, late, never ending,
// or cut off.

import type { Delivery } from "./script.ts";

export interface DeliverOptions extends Delivery {
  contentType: string;
  /** Ends every wait: the client left, or the server is being shut down. */
  stop: AbortSignal;
  /** The last byte has been handed over. */
  onSent?: () => void;
}

export function deliver(
  frames: readonly (string | Uint8Array)[],
  options: DeliverOptions,
): Response {
  const encoder = new TextEncoder();
  const bytes = frames.map((frame) => (typeof frame === "string" ? encoder.encode(frame) : frame));
  const pieces = cut(
    bytes.filter((frame) => frame.length > 0),
    options,
  );
  let at = 0;
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await pause(isFirst ? (options.firstByteDelayMs ?? 0) : (options.delayMs ?? 0), options.stop);
      isFirst = false;
      const piece = pieces.list[at++];
      if (piece) {
        controller.enqueue(piece);
        return;
      }
      if (pieces.end === "silence") await pause(Number.POSITIVE_INFINITY, options.stop);
      // Without a reason: the server would print it, and a scripted cut is no news.
      if (pieces.end === "cut") controller.error();
      else {
        options.onSent?.();
        controller.close();
      }
    },
  });
  const headers = { "content-type": options.contentType, ...options.headers };
  return new Response(body, { headers });
}

interface Pieces {
  list: Uint8Array[];
  end: "close" | "silence" | "cut";
}

function cut(frames: readonly Uint8Array[], options: Delivery): Pieces {
  const { silentAfterBytes, disconnectAfterBytes, endAfterBytes, chunkBytes } = options;
  const limit = silentAfterBytes ?? disconnectAfterBytes ?? endAfterBytes;
  const end =
    silentAfterBytes !== undefined
      ? "silence"
      : disconnectAfterBytes !== undefined
        ? "cut"
        : "close";
  const whole = limit === undefined && chunkBytes === undefined;
  if (whole) return { list: [...frames], end };
  const bytes = Buffer.concat(frames).subarray(0, limit);
  const size = chunkBytes ?? Math.max(1, bytes.length);
  const list: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) list.push(bytes.subarray(at, at + size));
  return { list, end };
}

function pause(ms: number, stop: AbortSignal): Promise<void> | undefined {
  if (ms === 0 || stop.aborted) return undefined;
  return new Promise((wake) => {
    const timer = Number.isFinite(ms) ? setTimeout(done, ms) : undefined;
    function done(): void {
      clearTimeout(timer);
      stop.removeEventListener("abort", done);
      wake();
    }
    stop.addEventListener("abort", done, { once: true });
  });
}
