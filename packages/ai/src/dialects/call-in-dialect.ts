// A model call in a dialect: the counterpart of `callModel` for models whose servers know
// no structured calls. Same promise: it never throws, and the stream has one end.

import { callModel, type CallOptions } from "../call.ts";
import { modelFailure } from "../error.ts";
import { ReplyAssembler } from "../reply-assembler.ts";
import { ReplyStream } from "../reply-stream.ts";
import type { ModelRequest } from "../request.ts";
import { loadDialect, type DialectId } from "./dialect.ts";
import { hearDialect, type HearOptions } from "./hear-dialect.ts";
import { speakDialect } from "./speak-dialect.ts";

export function callInDialect(
  request: ModelRequest,
  id: DialectId,
  options: CallOptions & HearOptions = {},
): ReplyStream {
  const stream = new ReplyStream();
  const { provider, id: model, wire } = request.model;
  const out = new ReplyAssembler({ provider, model, wire }, stream.push);
  void run(request, id, options, out).catch((error: unknown) => {
    // A bug of ours must not take the session down.
    const message = error instanceof Error ? error.message : String(error);
    out.fail(modelFailure("protocol", `Unexpected failure: ${message}`, { retryable: false }));
  });
  return stream;
}

async function run(
  request: ModelRequest,
  id: DialectId,
  options: CallOptions & HearOptions,
  out: ReplyAssembler,
): Promise<void> {
  const dialect = await loadDialect(id);
  const hear = hearDialect(dialect, request.tools, out, options);
  for await (const event of callModel(speakDialect(request, dialect), options)) hear(event);
}
