// Summaries made by a server of the user's choice: POST {systemPrompt, prompt}, {summary} comes
// back. Everything else is as with the summary strategy, which also steps in where the server
// does not answer as agreed.

import { textOf } from "@tau/ai/message";
import type { AsideRequest } from "../../model/aside.ts";
import type {
  AskRequest,
  CompactionDeps,
  CompactionInput,
  CompactionResult,
  CompactionStrategy,
} from "./strategy.ts";
import { summarise } from "./summary.ts";

/** Summaries of a whole window take a minute or two. */
const TIMEOUT_MS = 180_000;
/** Bytes; a summary has some ten thousand. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The server did not do what it is there for; the message says how. */
class RemoteFailure extends Error {
  override readonly name = "RemoteFailure";
}

export const remoteStrategy: CompactionStrategy = { name: "remote", compact: summariseRemotely };

async function summariseRemotely(
  input: CompactionInput,
  deps: CompactionDeps,
): Promise<CompactionResult> {
  const endpoint = input.settings.remoteEndpoint;
  if (endpoint === "") return summarise(input, deps);
  const service = {
    name: nameOf(endpoint),
    send: (request: AsideRequest, signal: AbortSignal) => post(endpoint, request, signal),
  };
  const ask = (request: AskRequest): Promise<string> => deps.askService(service, request);
  try {
    return await summarise(input, { ...deps, ask });
  } catch (error) {
    if (!(error instanceof RemoteFailure)) throw error;
    return summarise(input, deps);
  }
}

/** For the log; the rest of an address may hold a key. */
function nameOf(endpoint: string): string {
  return `remote/${URL.canParse(endpoint) ? new URL(endpoint).host : "unknown"}`;
}

async function post(endpoint: string, request: AsideRequest, outer: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        systemPrompt: request.system.join("\n\n"),
        prompt: request.messages.map(textOf).join("\n\n"),
      }),
      // The conversation goes to the address that was configured and nowhere else.
      redirect: "error",
      signal,
    });
    if (!response.ok) throw new RemoteFailure(`${endpoint} answered ${response.status}`);
    return summaryIn(await boundedText(response, endpoint), endpoint);
  } catch (error) {
    if (error instanceof RemoteFailure) throw error;
    outer.throwIfAborted();
    throw new RemoteFailure(`${endpoint} cannot be reached`, { cause: error });
  }
}

async function boundedText(response: Response, endpoint: string): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new RemoteFailure(`${endpoint} sent too long an answer`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function summaryIn(text: string, endpoint: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw new RemoteFailure(`${endpoint} did not answer in JSON`, { cause: error });
  }
  const summary = (answer as { summary?: unknown } | null)?.summary;
  if (typeof summary === "string" && summary.trim() !== "") return summary;
  throw new RemoteFailure(`${endpoint} returned no summary`);
}
