// The embedded offline model `tau/demo`: a small deterministic program behind the same
// stream as every real model. It is the tour that a first run gets without a key or a
// network, and a self-test of loop and tools. It never pretends to be a language model.

import { modelFailure } from "@tau/ai/error";
import { FREE, type Model } from "@tau/ai/model";
import { ReplyAssembler, type OpenBlock } from "@tau/ai/reply-assembler";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import { estimateTokens, requestTokens } from "./estimate-usage.ts";
import { nextMove } from "./next-move.ts";

export const demoModel: Model = {
  provider: "tau",
  id: "demo",
  name: "Tau demo (offline)",
  wire: "in-process",
  baseUrl: "",
  auth: "none",
  contextWindow: 128_000,
  maxOutput: 8_192,
  input: ["text"],
  cost: FREE,
};

/** Words between two visits to the event loop: enough to be quick, few enough to be stopped. */
const WORDS_PER_GROUP = 24;

export function callDemoModel(
  request: ModelRequest,
  options: { signal?: AbortSignal } = {},
): ReplyStream {
  const stream = new ReplyStream();
  const { provider, id, wire } = demoModel;
  const out = new ReplyAssembler({ provider, model: id, wire }, stream.push);
  void reply(request, out, options.signal).catch((error: unknown) => {
    // A bug in the demo: the same request would fail again, so nothing should retry it.
    const message = error instanceof Error ? error.message : String(error);
    out.fail(modelFailure("protocol", `The demo model failed: ${message}`, { retryable: false }));
  });
  return stream;
}

async function reply(
  request: ModelRequest,
  out: ReplyAssembler,
  signal: AbortSignal | undefined,
): Promise<void> {
  out.usage({ input: requestTokens(request) });
  out.start();
  const move = nextMove(request);
  let said = "";
  const say = async (block: OpenBlock, text: string): Promise<boolean> => {
    for (const group of groupsOf(text)) {
      await nextTick();
      if (signal?.aborted) return false;
      for (const word of group) {
        block.append(word);
        said += word;
      }
      out.usage({ output: estimateTokens(said.length) });
    }
    return true;
  };

  const text = "answer" in move ? move.answer : move.call.say;
  let whole = !signal?.aborted;
  if (whole && text !== undefined) {
    const block = out.openText();
    whole = await say(block, text);
    if (whole) block.close();
  }
  if (whole && "call" in move) {
    const block = out.openToolCall({ id: move.call.id, name: move.call.tool });
    whole = await say(block, JSON.stringify(move.call.arguments));
    if (whole) block.close();
  }
  if (!whole || signal?.aborted) out.fail(modelFailure("aborted", "The reply was stopped."));
  else out.finish("call" in move ? "toolUse" : "stop");
}

/** The text in word-sized pieces that join to it exactly, a group at a time. */
function* groupsOf(text: string): Generator<string[]> {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  for (let at = 0; at < words.length; at += WORDS_PER_GROUP) {
    yield words.slice(at, at + WORDS_PER_GROUP);
  }
}

/** Lets input, timers and the screen have their turn. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
