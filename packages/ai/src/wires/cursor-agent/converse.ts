// A call as a conversation with the service: a run that waits for the results which this request
// brings goes on, everything else begins a run of its own with what was said so far.

import { ModelError, modelFailure } from "../../error.ts";
import type { ConversationContext, Frame, OutgoingRequest } from "../../wire.ts";
import type { AgentBody } from "./agent-body.ts";
import { StreamBroken } from "./agent-stream.ts";
import { Conversation, type Watcher } from "./conversation.ts";

export async function converse(
  request: OutgoingRequest,
  context: ConversationContext,
): Promise<AsyncIterable<Frame>> {
  const { signal, connections, alive = () => undefined, trace } = context;
  const { url } = request;
  const body = JSON.parse(request.body) as AgentBody;
  const watcher: Watcher = { signal, alive, trace };
  const key = JSON.stringify([url, body.model, request.headers]);
  const waiting = connections?.take(key) as Conversation | undefined;
  const going =
    waiting && (await goneOn(waiting, body, watcher, () => connections?.keep(key, waiting)));
  if (going) return told(going, url);
  signal.throwIfAborted();
  const headers = { "x-request-id": crypto.randomUUID(), ...request.headers };
  trace?.("request", { url, model: body.model, messages: body.messages.length });
  const begun = new Conversation(url, headers, body);
  const keep = connections && (() => connections.keep(key, begun));
  return told(begun.reply(watcher, keep), url);
}

/** Undefined if it does not want to go on, or cannot any more: then nothing of a reply has come. */
async function goneOn(
  waiting: Conversation,
  body: AgentBody,
  watcher: Watcher,
  keep: () => void,
): Promise<AsyncIterable<Frame> | undefined> {
  if (!waiting.goOn(body)) {
    waiting.close();
    return undefined;
  }
  const frames = waiting.reply(watcher, keep);
  try {
    const first = await frames.next();
    if (first.done !== true && !saysFailure(first.value)) return following(first.value, frames);
  } catch (error) {
    if (!(error instanceof StreamBroken)) throw error;
  }
  waiting.close();
  return undefined;
}

/** A run that the service has given up meanwhile says nothing about the next. */
function saysFailure({ event }: Frame): boolean {
  return event === "end";
}

async function* following(
  first: Frame,
  rest: AsyncGenerator<Frame, void, undefined>,
): AsyncGenerator<Frame, void, undefined> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** A connection that breaks is the network's failure, whatever the runtime calls it. */
async function* told(
  frames: AsyncIterable<Frame>,
  url: string,
): AsyncGenerator<Frame, void, undefined> {
  try {
    yield* frames;
  } catch (error) {
    if (!(error instanceof StreamBroken)) throw error;
    const message = `Cannot reach ${new URL(url).host}: ${error.message}`;
    throw new ModelError(modelFailure("network", message), { cause: error });
  }
}
