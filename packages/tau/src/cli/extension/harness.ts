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
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { createSession } from "../../assembly/create-session.ts";
import type { PosedAnswer, PosedQuestion } from "../../feature-api/posed-question.ts";
import { NOBODY, type UserInterface } from "../../feature-api/user-interface.ts";
import type { SessionEvent } from "../../session/session-event.ts";

/** One reply of the scripted model. */
export interface Turn {
  text?: string;
  calls?: readonly { name: string; arguments?: Record<string, unknown> }[];
}

export interface Trial {
  /** What the user says, or several things, one after the other. */
  prompt?: string;
  prompts?: readonly string[];
  /** What the model answers, one after the other; "Done." after the last. */
  model?: readonly Turn[];
  /** What a person answers to `confirm`, `select` and `input`; nobody is there if absent. */
  answers?: readonly (boolean | string | undefined)[];
  /** Keys for a screen that it shows (`up`, `a`, `escape`); nothing can be drawn if absent. */
  keys?: readonly string[];
  flags?: Readonly<Record<string, string | true>>;
  /** By their keys. */
  settings?: Readonly<Record<string, unknown>>;
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
  /** What was put into the status line: `key: words`, in order. */
  readonly statuses: readonly string[];
  /** How its screens looked: when they were opened, and after each key. */
  readonly screens: readonly (readonly string[])[];
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

/** A copy: a test that is not waited for any longer may still add to the list. */
export function tests(): readonly Named[] {
  return [...found];
}

/** Directories of runs that have not ended. */
const homes = new Set<string>();

/** What tests have left that were not waited for any longer. */
export async function removeLeftovers(): Promise<void> {
  for (const home of homes) await rm(home, { recursive: true, force: true });
  homes.clear();
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
  homes.add(home);
  try {
    await mkdir(cwd);
    for (const [path, text] of Object.entries(trial.files ?? {})) {
      await Bun.write(join(cwd, path), text);
    }
    return await runIn(trial, { home, cwd });
  } finally {
    await rm(home, { recursive: true, force: true });
    homes.delete(home);
  }
}

async function runIn(trial: Trial, { home, cwd }: { home: string; cwd: string }): Promise<Outcome> {
  const requests: string[][] = [];
  const events: SessionEvent[] = [];
  const said: string[] = [];
  const statuses: string[] = [];
  const screens: string[][] = [];
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
    settings: trial.settings && { rows: { ...trial.settings } },
    ui: person(trial, { said, statuses, screens }),
    ask: async () => ({ allowed: true }),
  });
  await using session = created.session;
  session.subscribe((event) => {
    events.push(event);
    if (event.type === "command_output") said.push(event.text);
  });
  for (const prompt of trial.prompts ?? [trial.prompt ?? ""]) {
    await session.prompt(userText(prompt));
    await session.whenIdle();
  }
  // What was begun in the background belongs to what is looked at.
  await session[Symbol.asyncDispose]();
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
    statuses,
    screens,
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
function person(
  { answers, keys }: Trial,
  { said, statuses, screens }: { said: string[]; statuses: string[]; screens: string[][] },
): UserInterface {
  const notify = (text: string): void => void said.push(text);
  // Keys come with the extension's name before them; what goes away with the session is not news.
  const setStatus = (key: string, text: string | undefined): void => {
    if (text !== undefined) statuses.push(`${key.slice(key.indexOf(":") + 1)}: ${text}`);
  };
  const drawing = keys && {
    canDraw: true,
    show: screenShower(keys, screens),
    theme: colourlessTheme(),
  };
  if (!answers) return { ...NOBODY, notify, setStatus, ...drawing };
  const left = [...answers];
  const word = async (): Promise<string | undefined> => {
    const next = left.shift();
    return typeof next === "string" ? next : undefined;
  };
  return {
    ...NOBODY,
    notify,
    setStatus,
    ...drawing,
    canAsk: true,
    confirm: async () => left.shift() === true,
    select: word,
    questions: async (posed) => {
      const said = posed.map(() => left.shift());
      return said.every((one) => typeof one === "string")
        ? posed.map((question, at) => spokenAnswer(question, said[at] as string))
        : undefined;
    },
    input: word,
    editText: word,
  };
}

/** An option by its label, or own words. */
function spokenAnswer({ options }: PosedQuestion, said: string): PosedAnswer {
  const at = options.indexOf(said);
  return at < 0 ? { selected: [], words: said } : { selected: [at] };
}

const COLUMNS = 80;
const ROWS = 24;

/** A terminal that presses the keys of a test and keeps what it has seen. */
function screenShower(keys: readonly string[], seen: string[][]): UserInterface["show"] {
  return async <T>(open: Parameters<UserInterface["show"]>[0]): Promise<T | undefined> => {
    const closed = Promise.withResolvers<T | undefined>();
    let isOpen = true;
    const close = (answer?: unknown): void => {
      isOpen = false;
      closed.resolve(answer as T | undefined);
    };
    const size = { columns: COLUMNS, rows: ROWS };
    const screen = open({ theme: colourlessTheme(), size, requestRender: () => {} }, close);
    const look = (): void => void seen.push([...screen.render(COLUMNS).rows]);
    look();
    for (const key of keys) {
      if (!isOpen) break;
      const text = key.length === 1 ? key : "";
      const press = {
        type: "key",
        key,
        text,
        ctrl: false,
        alt: false,
        shift: false,
        meta: false,
      } as const;
      // As in the terminal: a key that leaves, unless the screen wants it itself.
      if (!screen.handleKey(press) && key === "escape") close();
      else look();
    }
    close();
    screen[Symbol.dispose]?.();
    return closed.promise;
  };
}
