// `fetch` that decodes compressed bodies itself. The runtime's own decoder writes "Decompression error"
// to standard error when a body is broken, over whatever is on the screen, and reports it as if the
// host could not be reached.

const FORMATS: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "brotli",
  zstd: "zstd",
};

type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/** The body is not what its `content-encoding` says, or is cut off. */
export class BrokenEncoding extends Error {
  override readonly name = "BrokenEncoding";
}

export async function quietFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, decompress: false });
  const encoding = response.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (!response.body || encoding === "" || encoding === "identity") return response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  const { status, statusText } = response;
  const body = streamOf(decoded(response.body, encoding));
  return new Response(body, { status, statusText, headers });
}

async function* decoded(body: ReadableStream<Uint8Array<ArrayBuffer>>, encoding: string): Chunks {
  const format = FORMATS[encoding];
  if (format === undefined) {
    throw new BrokenEncoding(`its encoding is "${encoding}", which nobody asked for`);
  }
  let lost: { error: unknown } | undefined;
  const source = streamOf(noting(body, (error) => (lost = { error })));
  try {
    yield* source.pipeThrough(new DecompressionStream(format));
  } catch (error) {
    // What broke is the connection: that has its own name already.
    if (lost) throw lost.error;
    throw new BrokenEncoding(`its ${encoding} compression is broken`, { cause: error });
  }
}

async function* noting(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  note: (error: unknown) => void,
): Chunks {
  try {
    yield* body;
  } catch (error) {
    note(error);
    throw error;
  }
}

function streamOf(chunks: Chunks): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}
