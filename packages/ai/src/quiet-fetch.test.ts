// Compressed bodies over real sockets: decoded as they come, and one typed failure if they are broken.

import { describe, expect, test } from "bun:test";
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import {
  call,
  closed,
  DONE,
  failureOf,
  HELLO,
  host,
  outcome,
  SSE_HEADERS,
  STOP,
} from "./scripted-host.ts";

const TEXT = HELLO + STOP + DONE;
const encodedAs =
  (encoding: string, body: Uint8Array<ArrayBuffer>, status = 200) =>
  () =>
    new Response(body, { status, headers: { ...SSE_HEADERS, "content-encoding": encoding } });

describe("a compressed reply", () => {
  test("is decoded, in each encoding that is asked for", async () => {
    for (const [encoding, bytes] of Object.entries({
      gzip: gzipSync(TEXT),
      "x-gzip": gzipSync(TEXT),
      deflate: deflateSync(TEXT),
      br: brotliCompressSync(TEXT),
      zstd: zstdCompressSync(TEXT),
      identity: Buffer.from(TEXT),
    })) {
      await using server = host(encodedAs(encoding, Uint8Array.from(bytes)));
      const { message } = await outcome(call(server.baseUrl));
      expect({ encoding, content: message.content }).toEqual({
        encoding,
        content: [{ type: "text", text: "Hello" }],
      });
    }
  });

  test("is decoded as it comes, and can be stopped", async () => {
    const zip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    const stop = new AbortController();
    const hungUp = Promise.withResolvers<void>();
    await using server = host((request) => {
      void closed(request).then(hungUp.resolve);
      const body = new ReadableStream({
        start: (controller) => {
          zip.on("data", (bytes: Uint8Array) => controller.enqueue(bytes));
          zip.write(HELLO);
        },
      });
      return new Response(body, { headers: { ...SSE_HEADERS, "content-encoding": "gzip" } });
    });
    const stream = call(server.baseUrl, { signal: stop.signal });
    for await (const event of stream) if (event.type === "text_delta") stop.abort();
    expect((await stream.result()).error).toMatchObject({ kind: "aborted" });
    await hungUp.promise;
  });
});

describe("a broken one is a failure of the reply and not of the network", () => {
  const whole = gzipSync(TEXT.repeat(50));
  const broken = {
    "not compressed at all": Buffer.from("plain words"),
    "cut off": whole.subarray(0, 40),
    "damaged in the middle": Buffer.concat([whole.subarray(0, 40), Buffer.from("x".repeat(99))]),
  };
  for (const [how, bytes] of Object.entries(broken)) {
    test(how, async () => {
      await using server = host(encodedAs("gzip", Uint8Array.from(bytes)));
      const { error } = await failureOf(server.baseUrl);
      expect(error).toMatchObject({ kind: "protocol", retryable: true });
      expect(error!.message).toEndWith(
        "sent a reply that cannot be read: its gzip compression is broken",
      );
    });
  }

  test("in an encoding that nobody knows", async () => {
    await using server = host(encodedAs("rot13", Uint8Array.from(Buffer.from(TEXT))));
    const { error } = await failureOf(server.baseUrl);
    expect(error!.message).toContain('its encoding is "rot13"');
  });

  test("a refusal keeps its status", async () => {
    await using server = host(encodedAs("gzip", Uint8Array.from(Buffer.from("plain words")), 503));
    const { error } = await failureOf(server.baseUrl);
    expect(error).toMatchObject({ kind: "overloaded", status: 503, message: "HTTP 503" });
  });
});
