// How fast a reply of many tiny pieces is decoded, against the vendors' own clients on the
// same bytes in the same run.

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { callModel } from "@tau/ai/call";
import { textOf, userText } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import { loadWireServer, type HttpWireId } from "@tau/ai/wire";
import { eventsOf } from "@tau/testkit/script";
import OpenAI from "openai";
import { median } from "./measure.ts";
import type { Figure } from "./figure.ts";

const CHUNKS = 20_000;
const TEXT = "tok ".repeat(CHUNKS);
/** What a socket delivers at once. */
const PACKET_BYTES = 16 * 1024;
/** Against the slowest of the official clients. */
const RATIO_BAR = 5;

type Wire = Extract<
  HttpWireId,
  "openai-completions" | "anthropic-messages" | "google-generative-ai"
>;

export async function measureDecoding(rounds: number): Promise<Figure[]> {
  const rates: Record<string, number[]> = {};
  for (let round = -1; round < rounds; round++) {
    for (const wire of [
      "openai-completions",
      "anthropic-messages",
      "google-generative-ai",
    ] as const) {
      const bytes = await encode(wire);
      const ours = await rate(() => decodeWithTau(wire, bytes));
      const theirs = await rate(() => SDKS[wire](bytes));
      if (round < 0) continue; // The first round warms the compilers up.
      (rates[`decode ${wire}`] ??= []).push(ours);
      (rates[`  official client`] ??= []).push(theirs);
      (rates[`sdk ${wire}`] ??= []).push(theirs);
    }
  }
  const slowest = Math.min(
    ...Object.entries(rates)
      .filter(([name]) => name.startsWith("sdk "))
      .map(([, values]) => median(values)),
  );
  return Object.entries(rates)
    .filter(([name]) => name.startsWith("decode ") || name.startsWith("sdk "))
    .map(([name, values]): Figure => {
      const value = median(values);
      const isOurs = name.startsWith("decode ");
      return {
        name,
        value,
        unit: "events/s",
        ratio: value / slowest,
        ...(isOurs ? { ratioFloor: RATIO_BAR } : {}),
      };
    });
}

async function rate(decode: () => Promise<string>): Promise<number> {
  const started = performance.now();
  const text = await decode();
  const seconds = (performance.now() - started) / 1000;
  if (text !== TEXT) throw new Error(`decoded ${text.length} characters instead of ${TEXT.length}`);
  return CHUNKS / seconds;
}

async function encode(wire: Wire): Promise<Uint8Array> {
  const server = await loadWireServer(wire);
  const origin = { provider: "bench", model: "m", wire };
  const write = server.encodeStream({ id: "r", modelId: "m", createdAt: 0 });
  const encoder = new TextEncoder();
  const parts = eventsOf({ text: TEXT, deltaChars: 4 }, origin, 1).map((event) => {
    const part = write(event);
    return typeof part === "string" ? encoder.encode(part) : part;
  });
  return Buffer.concat(parts);
}

function respond(bytes: Uint8Array): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += PACKET_BYTES)));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function decodeWithTau(wire: Wire, bytes: Uint8Array): Promise<string> {
  const model: Model = {
    provider: "bench",
    id: "m",
    name: "m",
    wire,
    baseUrl: "http://bench",
    auth: "none",
    contextWindow: 1000,
    maxOutput: 1000,
    input: ["text"],
    cost: FREE,
  };
  const request = { model, system: [], messages: [userText("hi", 0)], tools: [], stream: true };
  const stream = callModel(request, { fetch: async () => respond(bytes) });
  let seen = "";
  for await (const event of stream) if (event.type === "text_delta") seen += event.delta;
  const message = await stream.result();
  if (textOf(message) !== seen) throw new Error("the events are not the message");
  return seen;
}

const SDKS: Record<Wire, (bytes: Uint8Array) => Promise<string>> = {
  "openai-completions": async (bytes) => {
    const client = new OpenAI({ apiKey: "x", fetch: async () => respond(bytes) });
    const stream = await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    return text;
  },
  "anthropic-messages": async (bytes) => {
    const client = new Anthropic({ apiKey: "x", fetch: async () => respond(bytes) });
    const stream = await client.messages.create({
      model: "m",
      max_tokens: 10,
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    let text = "";
    for await (const event of stream) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        text += event.delta.text;
      }
    }
    return text;
  },
  "google-generative-ai": async (bytes) => {
    const client = new GoogleGenAI({ apiKey: "x" });
    const original = globalThis.fetch;
    // This client takes no fetch of one's own.
    globalThis.fetch = (async () => respond(bytes)) as unknown as typeof fetch;
    try {
      const stream = await client.models.generateContentStream({ model: "m", contents: "hi" });
      let text = "";
      for await (const chunk of stream) {
        text += chunk.candidates?.[0]?.content?.parts?.[0]?.text ?? "";
      }
      return text;
    } finally {
      globalThis.fetch = original;
    }
  },
};
