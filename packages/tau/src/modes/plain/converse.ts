// A conversation in a terminal that can do nothing but print: plain lines, one after the other.

import { homedir } from "node:os";
import { textOf, type UserMessage } from "@tau/ai/message";
import { fitLine } from "@tau/tui/width";
import { COMMAND, PRODUCT, VERSION } from "../../brand.ts";
import { AGENT_BOOK } from "../../feature-api/agent-book.ts";
import { ownLineOf } from "../../feature-api/own-line.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { writeError } from "../../base/output.ts";
import { ActiveSession } from "../../assembly/active-session.ts";
import type { CreateSessionOptions } from "../../assembly/create-session.ts";
import { openHistory } from "../../session/history/open-history.ts";
import type { PersonAtTerminal } from "../person.ts";
import { styleFor, type Style } from "../../base/style.ts";
import type { Session } from "../../session/session.ts";
import { isRefusal } from "../../session/session-command.ts";
import { sayGoodbye } from "../say-goodbye.ts";
import { askElsewhere } from "./ask-elsewhere.ts";
import type { Asking } from "./ask-line.ts";
import { askPrompt, HISTORY_LINES } from "./ask-prompt.ts";
import { Keyboard } from "./keyboard.ts";
import { Paper } from "./paper.ts";
import { PlainInterface } from "./plain-interface.ts";
import type { Printing } from "./print-block.ts";
import { Stopping } from "./stopping.ts";
import { TypeAhead } from "./type-ahead.ts";
import { TurnPrinter } from "./turn-printer.ts";

interface PlainStart {
  cwd: string;
  person: PersonAtTerminal;
  first?: UserMessage;
}

export async function startPlainly(
  options: CreateSessionOptions,
  start: PlainStart,
): Promise<ExitCode> {
  const typeAhead = new TypeAhead();
  using stopping = new Stopping();
  const { interrupt } = stopping;
  const asking = { typeAhead, style: styleFor(process.stdout, process.env), interrupt };
  const ui = new PlainInterface(asking);
  await using active = await ActiveSession.open({
    ...options,
    ui,
    whenElsewhere: (found) => askElsewhere(found, asking),
  });
  for (const notice of active.notices) writeError(`${COMMAND}: ${notice}\n`);
  const exitCode = await converse(active, { ...start, ...asking, stopping, ui });
  await sayGoodbye(active.session);
  return exitCode;
}

type Conversing = PlainStart & Asking & { stopping: Stopping; ui: PlainInterface };

async function converse(active: ActiveSession, options: Conversing): Promise<ExitCode> {
  const { style, typeAhead, stopping, interrupt, ui } = options;
  const paper = new Paper();
  const { write } = paper;
  const keyboard = new Keyboard(typeAhead);
  ui.begin(keyboard, write);
  const makeWay = new Set<() => void>();
  options.person.answerWith(async (question, signal) => {
    const { askApproval } = await import("./ask-approval.ts");
    const { agent } = question.origin ?? {};
    const book = active.session.part(AGENT_BOOK);
    // Ctrl-C stops whoever asks, and nobody else.
    const stop = agent === undefined ? interrupt : () => void book?.interrupt(agent);
    const asking = { style, typeAhead, signal, interrupt: stop };
    const answering = ui.inTurn(
      () => keyboard.resting(() => askApproval(question, asking)),
      signal,
    );
    // Agents work while the prompt is open: it comes back when the question is answered.
    for (const giveWay of makeWay) giveWay();
    return (await answering) ?? { allowed: false };
  });
  write(greeting(active, options.cwd, style));
  write(await earlier(active, style));
  const store = await openHistory({
    agentDirectory: active.store.agentDirectory,
    onWarning: (message) => write(`${style.dim(message)}\n`),
  });
  using _open = store;
  const history = store
    .recent({ cwd: options.cwd, limit: HISTORY_LINES })
    .map(({ prompt }) => prompt.replaceAll("\n", " "));
  using printer = new TurnPrinter(active, write, style);
  ui.clear = printer.pause;
  const runs: Runs = { active, keyboard, stopping, printer, write };
  const place = { active, keyboard, paper, stopping, style, typeAhead, history, makeWay };
  let first = options.first;
  if (first) write(`${style.accent("›")} ${textOf(first)}\n`);
  for (;;) {
    const next = first ?? (await ui.inTurn(() => askPrompt(place)));
    first = undefined;
    if (next === "asked") continue;
    if (next === "running") {
      await watchRun(runs);
      continue;
    }
    if (!next) {
      write("\n");
      return stopping.leaving.aborted ? EXIT.interrupted : EXIT.done;
    }
    const words = textOf(next).trim();
    const before = active.session.id;
    if (words === "/exit" || words === "/quit") return EXIT.done;
    if (ownLineOf(active.features, words)) {
      // Meant for the shell, it must not reach the model instead.
      write(`${style.error(NOT_HERE)}\n\n`);
    } else if (words.startsWith("/") && (await isCommand(runs, words))) {
      printer.finish();
      write("\n");
      if (active.session.id !== before) {
        for (const notice of active.ownNotices) write(`${style.dim(notice)}\n`);
        write(await earlier(active, style));
      }
    } else if (words !== "") {
      store.add({
        prompt: active.session.hide(words),
        cwd: options.cwd,
        sessionId: active.session.id,
      });
      await runTurn(runs, next);
    }
  }
}

const NOT_HERE =
  "Shell commands (!) and cells ($) need a full terminal, not TERM=dumb; run them in another window.";

/** Runs it if it is one. What it says, and why one is refused, is printed like all that happens. */
async function isCommand({ active, stopping }: Runs, words: string): Promise<boolean> {
  using run = stopping.run();
  run.signal.addEventListener("abort", () => void active.session.abort(), { once: true });
  const { takeCommand } = await import("../commands/take-command.ts");
  const end = await takeCommand({ active, by: "person" }, words).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return "taken" as const;
  });
  return end !== "words";
}

function greeting({ session }: ActiveSession, cwd: string, style: Style): string {
  const home = homedir();
  const place = cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
  const { provider, id } = session.model;
  const head = `${style.bold(`${PRODUCT} ${VERSION}`)} ${style.dim(`· ${provider}/${id} · ${place}`)}\n`;
  const demo =
    provider === COMMAND
      ? "No model is connected, so a small built-in program answers; it works offline.\n" +
        'Try "look around". /help shows the commands, Ctrl-D quits.\n'
      : "/help shows the commands, Ctrl-C stops an answer, Ctrl-D quits.\n";
  return `${head}${style.dim(demo)}\n`;
}

/** Where a session that was there before stands. */
async function earlier({ session }: ActiveSession, style: Style): Promise<string> {
  if (session.messages.length === 0) return "";
  const [{ projectEntries }, { printEarlier }] = await Promise.all([
    import("../../session/projection/project-entries.ts"),
    import("./earlier.ts"),
  ]);
  const blocks = projectEntries(await session.log.branch({ sinceCompaction: true }));
  const printing = { style, columns: process.stdout.columns ?? 80 };
  return printEarlier(blocks, { ...printing, id: session.id }) + printWaiting(session, printing);
}

/** What an earlier process left in the queue: it goes with the next prompt. */
function printWaiting({ mailbox }: Session, { style, columns }: Printing): string {
  const own = mailbox.queued().filter(({ sender }) => sender === "user");
  return own
    .map(({ message }) => fitLine(`Sent with your next prompt: ${textOf(message)}`, columns))
    .map((line, at) => `${style.dim(line)}\n${at === own.length - 1 ? "\n" : ""}`)
    .join("");
}

interface Runs {
  active: ActiveSession;
  keyboard: Keyboard;
  stopping: Stopping;
  printer: TurnPrinter;
  write(text: string): void;
}

async function runTurn(
  { active, keyboard, stopping, printer, write }: Runs,
  message: UserMessage,
): Promise<void> {
  using run = stopping.run();
  using _heard = keyboard.listen();
  await active.prompt(message, { signal: run.signal });
  printer.finish();
  write("\n");
}

/** Something that began by itself, until nothing runs any more. */
async function watchRun({ active, keyboard, stopping, printer, write }: Runs): Promise<void> {
  using run = stopping.run();
  using _heard = keyboard.listen();
  run.signal.addEventListener("abort", () => void active.session.abort(), { once: true });
  while (active.session.isBusy) await active.session.whenIdle();
  printer.finish();
  write("\n");
}
