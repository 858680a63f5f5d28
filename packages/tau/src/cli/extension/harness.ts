// What the tests of an extension import as `@tau/extension/testing`: a session with the extension and a model
// that says what the test wants. Nothing is asked of any network, and nothing of the user's is read.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf, userText, type Message } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import { ReplyAssembler } from "@tau/ai/reply-assembler";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import { createSession } from "../../assembly/create-session.ts";
import { NOBODY, type UserInterface } from "../../feature-api/user-interface.ts";
import type { SessionEvent } from "../../session/session-event.ts";

/** One reply of the scripted model. */
export interface Turn {
  text?: string;
  calls?: readonly { name: string; arguments?: Record<string, unknown> }[];
}

export interface Trial {
  /** What the user says. */
  prompt: string;
  /** What the model answers, one after the other; "Done." after the last. */
  model?: readonly Turn[];
  /** What a person answers to `confirm`, `select` and `input`; nobody is there if absent. */
  answers?: readonly (boolean | string | undefined)[];
  flags?: Readonly<Record<string, string | true>>;
  /** Files in the working directory. */
  files?: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** The last words of the model. */
  readonly text: string;
  /** What the model was sent, request by request: `role: text` for each message. */
  readonly requests: readonly (readonly string[])[];
  /** Results of calls, in order. */
  readonly results: readonly string[];
  readonly tools: readonly string[];
  /** What commands and notices have said. */
  readonly said: readonly string[];
  readonly events: readonly SessionEvent[];
  /** What was left out or failed, a sentence each. */
  readonly problems: readonly string[];
  /** A file of the working directory; undefined if it is not there. */
  file(path: string): string | undefined;
}

type Named = { name: string; run: () => unknown };

const found: Named[] = [];
let extension = "";

export function test(name: string, run: () => unknown): void {
  found.push({ name, run });
}

/** For whoever runs them. */
export function begin(path: string): void {
  extension = path;
  found.length = 0;
}

export function tests(): readonly Named[] {
  return found;
}

const MODEL: Model = {
  provider: "script",
  id: "model",
  name: "Scripted",
  wire: "in-process",
  baseUrl: "",
  auth: "none",
  contextWindow: 128_000,
  maxOutput: 8192,
  input: ["text"],
  cost: FREE,
};

export async function run(trial: Trial): Promise<Outcome> {
  const home = await mkdtemp(join(tmpdir(), "tau-extension-"));
  const cwd = join(home, "work");
  try {
    await mkdir(cwd);
    for (const [path, text] of Object.entries(trial.files ?? {})) {
      await Bun.write(join(cwd, path), text);
    }
    return await runIn(trial, { home, cwd });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runIn(trial: Trial, { home, cwd }: { home: string; cwd: string }): Promise<Outcome> {
  const requests: string[][] = [];
  const events: SessionEvent[] = [];
  const said: string[] = [];
  const replies = [...(trial.model ?? [])];
  const created = await createSession({
    cwd,
    env: { ...process.env, HOME: home, TAU_AGENT_DIR: join(home, "agent") },
    session: { kind: "memory" },
    model: {
      model: MODEL,
      call: (request) => {
        requests.push(request.messages.map(lineOf));
        return reply(replies.shift() ?? { text: "Done." }, requests.length, request);
      },
    },
    extensions: { discover: false, paths: [extension], flags: trial.flags },
    ui: person(trial.answers, said),
    ask: async () => ({ allowed: true }),
  });
  await using session = created.session;
  session.subscribe((event) => {
    events.push(event);
    if (event.type === "command_output") said.push(event.text);
  });
  await session.prompt(userText(trial.prompt));
  await session.whenIdle();
  const files = new Map<string, string>();
  for await (const path of new Bun.Glob("**/*").scan({ cwd, dot: true })) {
    files.set(path, await Bun.file(join(cwd, path)).text());
  }
  const last = session.messages.findLast(({ role }) => role === "assistant");
  const failures = events.flatMap((event) =>
    event.type === "hook_error"
      ? [`${event.behaviour} failed at ${event.hook}: ${String(event.error)}`]
      : [],
  );
  return {
    text: last ? textOf(last) : "",
    requests,
    results: session.messages.flatMap((message) =>
      message.role === "toolResult" ? [textOf(message)] : [],
    ),
    tools: session.tools.specs().map(({ name }) => name),
    said,
    events,
    problems: [...created.notices, ...failures],
    file: (path) => files.get(path),
  };
}

function lineOf(message: Message): string {
  return `${message.role}: ${textOf(message)}`;
}

function reply({ text, calls = [] }: Turn, turn: number, _request: ModelRequest): ReplyStream {
  const stream = new ReplyStream();
  const out = new ReplyAssembler(
    { provider: MODEL.provider, model: MODEL.id, wire: MODEL.wire },
    stream.push,
  );
  if (text !== undefined) {
    const block = out.openText();
    block.append(text);
    block.close();
  }
  for (const [at, { name, arguments: args = {} }] of calls.entries()) {
    const block = out.openToolCall({ id: `call_${turn}_${at + 1}`, name });
    block.append(JSON.stringify(args));
    block.close();
  }
  out.finish("stop");
  return stream;
}

/** Somebody who answers as the test says, in the order of the questions. */
function person(answers: Trial["answers"], said: string[]): UserInterface {
  const notify = (text: string): void => void said.push(text);
  if (!answers) return { ...NOBODY, notify };
  const left = [...answers];
  const word = async (): Promise<string | undefined> => {
    const next = left.shift();
    return typeof next === "string" ? next : undefined;
  };
  return {
    ...NOBODY,
    notify,
    canAsk: true,
    confirm: async () => left.shift() === true,
    select: word,
    input: word,
    editText: word,
  };
}
