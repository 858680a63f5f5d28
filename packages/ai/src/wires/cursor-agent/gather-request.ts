// The receiving side of a run's beginning: what was asked is there once the client has told its
// context and given the blobs that its request names.

import { WireRequestError } from "../../wire.ts";
import type { AgentBody, PromptMessage, PromptPart } from "./agent-body.ts";
import { message } from "./encode-stream.ts";
import { EnvelopeDecoder } from "./envelope.ts";
import { decodeJson } from "./json-value.ts";
import { CLIENT_MESSAGE, DONE, TODO, type REQUEST_CONTEXT, type RUN_REQUEST } from "./messages.ts";
import { decode, encode, type Value } from "./protobuf.ts";

type Run = Value<typeof RUN_REQUEST>;
type Context = Value<typeof REQUEST_CONTEXT>;
export type ClientMessage = Value<typeof CLIENT_MESSAGE>;

const decoder = new TextDecoder();

export class RequestGatherer {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #decoder: EnvelopeDecoder;
  readonly #blobs = new Map<number, Uint8Array>();
  #run: Run | undefined;
  #context: Context | undefined;

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
    this.#decoder = new EnvelopeDecoder((envelope) =>
      this.#take(decode(CLIENT_MESSAGE, envelope.message)),
    );
  }

  /** What was asked, as soon as it is complete. */
  push(bytes: Uint8Array): AgentBody | undefined {
    this.#decoder.push(bytes);
    const names = this.#run?.conversation?.prompt ?? [];
    if (!this.#run || !this.#context || this.#blobs.size < names.length) return undefined;
    const prompt = names.map((_, at) => this.#blobs.get(at)!);
    return bodyOf(this.#run, this.#context, prompt);
  }

  #take({ run, done, blobs }: ClientMessage): void {
    if (run) {
      this.#run = run;
      this.#send(message({ todo: encode(TODO, { id: 0, execId: "context", context: {} }) }));
      for (const [id, name] of (run.conversation?.prompt ?? []).entries()) {
        this.#send(message({ blobs: { id, get: { name } } }));
      }
    }
    if (done) this.#context ??= decode(DONE, done).context?.success?.context;
    if (blobs?.got) {
      if (!blobs.got.data) throw new WireRequestError("a blob that the request names is missing");
      this.#blobs.set(blobs.id ?? 0, blobs.got.data);
    }
  }
}

function bodyOf(run: Run, context: Context, prompt: readonly Uint8Array[]): AgentBody {
  const told = prompt.map((blob) => JSON.parse(decoder.decode(blob)) as PromptMessage | System);
  const asked = run.action?.userMessage?.message;
  const messages = told.filter((one): one is PromptMessage => one.role !== "system");
  if (asked) messages.push({ role: "user", content: partsOf(asked) });
  const { id = "", maxMode = false, parameters = [] } = run.model ?? {};
  return {
    model: {
      id,
      name: run.details?.name ?? id,
      maxMode,
      parameters: parameters.map(({ id: name = "", value = "" }) => ({ id: name, value })),
    },
    conversationId: run.conversationId,
    system: (context.rules ?? []).map(({ content = "" }) => content),
    tools: (context.tools ?? []).map(({ toolName = "", description = "", schema }) => ({
      name: toolName,
      description,
      parameters: (schema ? decodeJson(schema) : {}) as Record<string, unknown>,
    })),
    messages,
  };
}

interface System {
  role: "system";
  content: string;
}

type Asked = NonNullable<NonNullable<NonNullable<Run["action"]>["userMessage"]>["message"]>;

function partsOf({ text = "", context }: Asked): PromptPart[] {
  const images = (context?.images ?? []).map(({ mimeType = "", data }): PromptPart => {
    const base64 = Buffer.from(data ?? new Uint8Array()).toString("base64");
    return { type: "image", image: `data:${mimeType};base64,${base64}`, mediaType: mimeType };
  });
  return text === "" ? images : [{ type: "text", text }, ...images];
}
