// Stopping at any moment: whatever event the user presses Esc at, the log is whole, nothing
// that was finished is lost, and the next prompt is one that every vendor accepts.

import { expect, test } from "bun:test";
import { toolCallsOf, userText, type Message } from "@tau/ai/message";
import { validateAnthropicRequest } from "@tau/ai/wires/anthropic-messages/validate-request";
import { validateConverseRequest } from "@tau/ai/wires/bedrock-converse-stream/validate-request";
import { validateGoogleRequest } from "@tau/ai/wires/google-generative-ai/validate-request";
import { validateOllamaRequest } from "@tau/ai/wires/ollama-chat/validate-request";
import { validateCompletionsRequest } from "@tau/ai/wires/openai-completions/validate-request";
import { validateResponsesRequest } from "@tau/ai/wires/openai-responses/validate-request";
import type { WireId } from "@tau/ai/wire";
import { createSession, type CreateSessionOptions, type SessionEvent } from "@tau/tau/sdk";
import { ModelServer, type RecordedRequest } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";

type HttpWire = Exclude<WireId, "in-process">;

interface Vendor {
  wire: HttpWire;
  model: string;
  env(url: string): Record<string, string>;
  /** For wires that no built-in provider has. */
  modelsYml?(url: string): string;
  validate(body: unknown): string[];
}

const VENDORS: readonly Vendor[] = [
  {
    wire: "openai-completions",
    model: "openrouter/m",
    env: (url) => ({ OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: url }),
    validate: validateCompletionsRequest,
  },
  {
    wire: "openai-responses",
    model: "openai/m",
    env: (url) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }),
    validate: validateResponsesRequest,
  },
  {
    wire: "azure-openai-responses",
    model: "azure-openai/m",
    env: (url) => ({ AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_BASE_URL: url }),
    validate: validateResponsesRequest,
  },
  {
    wire: "anthropic-messages",
    model: "anthropic/claude-sonnet-4-5",
    env: (url) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }),
    validate: validateAnthropicRequest,
  },
  {
    wire: "google-generative-ai",
    model: "google/m",
    env: (url) => ({ GEMINI_API_KEY: "k", GEMINI_BASE_URL: url }),
    validate: validateGoogleRequest,
  },
  {
    wire: "bedrock-converse-stream",
    model: "amazon-bedrock/m",
    env: (url) => ({ AWS_BEARER_TOKEN_BEDROCK: "k", AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url }),
    validate: validateConverseRequest,
  },
  {
    wire: "ollama-chat",
    model: "own/m",
    env: () => ({}),
    modelsYml: (url) => ownProvider("ollama-chat", url),
    validate: validateOllamaRequest,
  },
];

function ownProvider(api: string, baseUrl: string): string {
  return JSON.stringify({
    providers: { own: { baseUrl, api, auth: "none", models: [{ id: "m" }] } },
  });
}

const SCRIPT: readonly ScriptedTurn[] = [
  {
    thinking: "I should look around first.",
    text: "Looking.",
    toolCalls: [
      { name: "bash", arguments: { command: "echo one" } },
      { name: "read", arguments: { path: "." } },
    ],
  },
  { text: "Once more.", toolCalls: [{ name: "bash", arguments: { command: "echo two; false" } }] },
  { text: "That is all." },
];

/** Every call is answered, and nothing is answered that was not called. */
function isPaired(messages: readonly Message[]): boolean {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") for (const { id } of toolCallsOf(message)) open.add(id);
    if (message.role === "toolResult" && !open.delete(message.toolCallId)) return false;
  }
  return open.size === 0;
}

interface Outcome {
  /** Events until the abort or the end. */
  events: number;
  messages: readonly Message[];
}

async function runStoppedAt(
  options: CreateSessionOptions,
  stopAt: number,
): Promise<Outcome & { id: string }> {
  const { session } = await createSession(options);
  const controller = new AbortController();
  let events = 0;
  let stoppedAt: SessionEvent["type"] | undefined;
  const finished: Message[] = [];
  session.subscribe((event: SessionEvent) => {
    if (event.type === "message_end") finished.push(event.message);
    if (++events !== stopAt) return;
    stoppedAt = event.type;
    controller.abort();
  });
  const end = await session.prompt(userText("go"), { signal: controller.signal });
  const wasOver = stoppedAt === undefined || stoppedAt === "agent_end";
  expect({ stoppedAt, reason: end.reason }).toEqual({
    stoppedAt,
    reason: wasOver ? "done" : "aborted",
  });
  const { id, messages } = session;
  // What was told as part of the conversation is part of it.
  expect(messages).toEqual(finished);
  await session[Symbol.asyncDispose]();
  return { id, events, messages };
}

async function goOn(options: CreateSessionOptions, id: string): Promise<readonly Message[]> {
  const { session, notices } = await createSession({
    ...options,
    session: { kind: "resume", wanted: id },
  });
  expect(notices).toEqual([]);
  const end = await session.prompt(userText("and now?"));
  expect(end).toEqual({ reason: "done" });
  const { messages } = session;
  await session[Symbol.asyncDispose]();
  return messages;
}

for (const { wire, model, env, modelsYml, validate } of VENDORS) {
  test(`stopped at any event, the next prompt works over ${wire}`, async () => {
    await using home: IsolatedHome = await isolatedHome();
    let turn = 0;
    let isGoingOn = false;
    const respond = (_request: RecordedRequest): ScriptedTurn =>
      isGoingOn ? { text: "Going on." } : (SCRIPT[turn++] ?? { text: "?" });
    await using server = await ModelServer.start(respond);
    const url = server.baseUrl(wire);
    if (modelsYml) await home.write(".tau/agent/models.yml", modelsYml(url));
    const options: CreateSessionOptions = {
      cwd: home.root,
      env: { ...home.env, ...env(url) },
      model,
    };
    for (let stopAt = 1; ; stopAt++) {
      turn = 0;
      isGoingOn = false;
      const stopped = await runStoppedAt(options, stopAt);
      expect(isPaired(stopped.messages)).toBe(true);
      isGoingOn = true;
      const messages = await goOn(options, stopped.id);
      expect(isPaired(messages)).toBe(true);
      expect(messages.slice(0, stopped.messages.length)).toEqual([...stopped.messages]);
      expect(validate(server.requests.at(-1)!.body)).toEqual([]);
      if (stopped.events < stopAt) break;
    }
  });
}
