// A conversation in a terminal that can do nothing but print: plain lines, one after the other.

import { homedir } from "node:os";
import { textOf, type UserMessage } from "@tau/ai/message";
import { COMMAND, PRODUCT, VERSION } from "../../brand.ts";
import { ownLineOf } from "../../feature-api/own-line.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { writeError } from "../../base/output.ts";
import { ActiveSession } from "../../assembly/active-session.ts";
import type { CreateSessionOptions } from "../../assembly/create-session.ts";
import { openHistory } from "../../session/history/open-history.ts";
import { Interrupt } from "../../base/interrupt.ts";
import type { PersonAtTerminal } from "../person.ts";
import { styleFor, type Style } from "../../base/style.ts";
import { isRefusal } from "../../session/session-command.ts";
import { askElsewhere } from "./ask-elsewhere.ts";
import type { Asking } from "./ask-line.ts";
import { askPrompt, HISTORY_LINES } from "./ask-prompt.ts";
import { Keyboard } from "./keyboard.ts";
import { Paper } from "./paper.ts";
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
  const asking = { typeAhead, style: styleFor(process.stdout, process.env) };
  await using active = await ActiveSession.open({
    ...options,
    whenElsewhere: (found) => askElsewhere(found, asking),
  });
  for (const notice of active.notices) writeError(`${COMMAND}: ${notice}\n`);
  return await converse(active, { ...start, ...asking });
}

async function converse(active: ActiveSession, options: PlainStart & Asking): Promise<ExitCode> {
  const { style, typeAhead } = options;
  const paper = new Paper();
  const { write } = paper;
  using keyboard = new Keyboard(typeAhead);
  options.person.answerWith(async (question, signal) => {
    const { askApproval } = await import("./ask-approval.ts");
    return keyboard.resting(() => askApproval(question, { style, typeAhead, signal }));
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
  const runs: Runs = { active, keyboard, printer, write };
  let first = options.first;
  if (first) write(`${style.accent("›")} ${textOf(first)}\n`);
  for (;;) {
    const next = first ?? (await askPrompt({ active, keyboard, paper, style, typeAhead, history }));
    first = undefined;
    if (next === "running") {
      await watchRun(runs);
      continue;
    }
    if (!next) {
      write("\n");
      return keyboard.leaving.aborted ? EXIT.interrupted : EXIT.done;
    }
    const words = textOf(next).trim();
    const before = active.session.id;
    if (words === "/exit" || words === "/quit") return EXIT.done;
    if (ownLineOf(active.features, words)) {
      // Meant for the shell, it must not reach the model instead.
      write(`${style.error(NOT_HERE)}\n\n`);
    } else if (words.startsWith("/") && (await isCommand(active, words))) {
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
async function isCommand(active: ActiveSession, words: string): Promise<boolean> {
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
  return printEarlier(blocks, { style, columns: process.stdout.columns ?? 80, id: session.id });
}

interface Runs {
  active: ActiveSession;
  keyboard: Keyboard;
  printer: TurnPrinter;
  write(text: string): void;
}

async function runTurn(
  { active, keyboard, printer, write }: Runs,
  message: UserMessage,
): Promise<void> {
  using interrupt = new Interrupt();
  using _heard = keyboard.listen();
  await active.prompt(message, { signal: interrupt.signal });
  printer.finish();
  write("\n");
}

/** Something that began by itself, until nothing runs any more. */
async function watchRun({ active, keyboard, printer, write }: Runs): Promise<void> {
  using interrupt = new Interrupt();
  using _heard = keyboard.listen();
  interrupt.signal.addEventListener("abort", () => void active.session.abort(), { once: true });
  while (active.session.isBusy) await active.session.whenIdle();
  printer.finish();
  write("\n");
}
