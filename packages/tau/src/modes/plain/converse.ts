// A conversation in a terminal that can do nothing but print: plain lines, one after the other.

import { createInterface } from "node:readline";
import { homedir } from "node:os";
import { textOf, userText, type UserMessage } from "@tau/ai/message";
import { COMMAND, PRODUCT, VERSION } from "../../brand.ts";
import { AVAILABLE } from "../../context/available-instructions.ts";
import { ownLineOf } from "../../feature-api/own-line.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { writeError } from "../../base/output.ts";
import { ActiveSession } from "../../assembly/active-session.ts";
import type { CreateSessionOptions } from "../../assembly/create-session.ts";
import { openHistory } from "../../session/history/open-history.ts";
import { Interrupt } from "../../base/interrupt.ts";
import type { PersonAtTerminal } from "../person.ts";
import { styleFor, type Style } from "../../base/style.ts";
import { isLineCommand, runLineCommand } from "../line-commands.ts";
import { askElsewhere } from "./ask-elsewhere.ts";
import type { Asking } from "./ask-line.ts";
import { TypeAhead } from "./type-ahead.ts";
import { TurnPrinter } from "./turn-printer.ts";

const HISTORY_LINES = 200;

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
  const write = (text: string): void => {
    process.stdout.write(text);
  };
  options.person.answerWith(async (question, signal) => {
    const { askApproval } = await import("./ask-approval.ts");
    return askApproval(question, { style, typeAhead, signal });
  });
  write(greeting(active, options.cwd, style));
  write(await lastExchange(active, style));
  const store = await openHistory({
    agentDirectory: active.store.agentDirectory,
    onWarning: (message) => write(`${style.dim(message)}\n`),
  });
  using _open = store;
  const history = store
    .recent({ cwd: options.cwd, limit: HISTORY_LINES })
    .map(({ prompt }) => prompt.replaceAll("\n", " "));
  let next = options.first;
  if (next) write(`${style.accent("›")} ${textOf(next)}\n`);
  for (;;) {
    next ??= await ask(history, options);
    if (!next) {
      write("\n");
      return EXIT.done;
    }
    const words = textOf(next).trim();
    if (words === "/exit" || words === "/quit") return EXIT.done;
    if (ownLineOf(active.features, words)) {
      // Meant for the shell, it must not reach the model instead.
      write(`${style.error(NOT_HERE)}\n\n`);
      next = undefined;
      continue;
    }
    if (words.startsWith("/") && !(await isPrompt(active, words))) {
      using printer = new TurnPrinter(active, write, style);
      const said = await runLineCommand(active, words);
      printer.finish();
      write(`${said.type === "failed" ? style.error(said.text) : said.text}\n\n`);
    } else if (words !== "") {
      store.add({
        prompt: active.session.hide(words),
        cwd: options.cwd,
        sessionId: active.session.id,
      });
      await runTurn(active, next, write, style);
    }
    next = undefined;
  }
}

const NOT_HERE =
  "Your own commands (!) and cells ($) need a terminal that can draw; run them in another window.";

/** A command that somebody keeps as a file is words to the model. */
async function isPrompt(active: ActiveSession, words: string): Promise<boolean> {
  if (isLineCommand(active, words)) return false;
  const [name] = words.slice(1).split(/\s/);
  const instructions = active.part(AVAILABLE);
  await instructions?.refresh();
  return instructions?.current.some((one) => one.name === name) === true;
}

function greeting({ session }: ActiveSession, cwd: string, style: Style): string {
  const home = homedir();
  const place = cwd === home || cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
  const { provider, id } = session.model;
  const head = `${style.bold(`${PRODUCT} ${VERSION}`)} ${style.dim(`· ${provider}/${id} · ${place}`)}\n`;
  const demo =
    provider === COMMAND
      ? "No model is connected, so a small built-in program answers; it works offline.\n" +
        'Try "look around". /help tells more, Ctrl-D leaves.\n'
      : "/help tells more, Ctrl-C stops an answer, Ctrl-D leaves.\n";
  return `${head}${style.dim(demo)}\n`;
}

/** Where an earlier session stands: the last thing asked and the last thing answered. */
async function lastExchange({ session }: ActiveSession, style: Style): Promise<string> {
  if (session.messages.length === 0) return "";
  const { projectEntries } = await import("../../session/projection/project-entries.ts");
  const blocks = projectEntries(await session.log.branch({ sinceCompaction: true }));
  const asked = blocks.findLast((block) => block.kind === "user");
  const answered = blocks.findLast((block) => block.kind === "answer");
  if (!asked) return "";
  const answer = answered?.text.trim() ?? "";
  return `${style.accent("›")} ${asked.text.trim()}\n${answer === "" ? "" : `${answer}\n`}\n`;
}

async function runTurn(
  active: ActiveSession,
  message: UserMessage,
  write: (text: string) => void,
  style: Style,
): Promise<void> {
  using interrupt = new Interrupt();
  using printer = new TurnPrinter(active, write, style);
  await active.prompt(message, { signal: interrupt.signal });
  printer.finish();
  write("\n");
}

/** A reader per question: between questions the terminal is in its own mode and Ctrl-C a signal. */
function ask(history: string[], { style, typeAhead }: Asking): Promise<UserMessage | undefined> {
  const line = typeAhead.takeLine();
  if (line !== undefined) {
    process.stdout.write(`${style.accent("›")} ${line}\n`);
    return Promise.resolve(userText(line));
  }
  return new Promise((settle) => {
    const reader = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: true,
      history,
      historySize: HISTORY_LINES,
      prompt: `${style.accent("›")} `,
    });
    let answer: string | undefined;
    reader.on("history", (lines: string[]) => {
      history.splice(0, history.length, ...lines);
    });
    reader.once("line", (line) => {
      answer = line;
      reader.close();
    });
    // Ctrl-C on a line that has something clears it; on an empty one it leaves.
    reader.on("SIGINT", () => {
      if (reader.line === "") reader.close();
      else {
        reader.write(null, { ctrl: true, name: "e" });
        reader.write(null, { ctrl: true, name: "u" });
      }
    });
    reader.once("close", () => settle(answer === undefined ? undefined : userText(answer)));
    reader.prompt();
    const begun = typeAhead.takeRest();
    if (begun !== "") reader.write(begun);
  });
}
