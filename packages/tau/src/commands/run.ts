// What `tau` does when no command is named: a conversation in the terminal, or with -p
// (or without a terminal to converse in) one answer.

import type { ThinkingLevel } from "@tau/ai/model";
import { COMMAND } from "../brand.ts";
import type { ParsedArgs } from "../cli/command-table.ts";
import { RUN_COMMAND } from "../cli/command-table.ts";
import { isTerminal } from "../cli/is-terminal.ts";
import { writeError } from "../cli/output.ts";
import { usageLine } from "../cli/parse.ts";
import { readPiped } from "../cli/piped-input.ts";
import { buildSystemPrompt } from "../context/system-prompt.ts";
import type { ExitCode } from "../exit-code.ts";
import { chooseModel, type ModelWish } from "../model/choose-model.ts";
import { describeProblem } from "../model/config-problem.ts";
import { promptMessage } from "../session/prompt-message.ts";
import { Session } from "../session/session.ts";
import type { SessionLog } from "../session/session-log.ts";
import { SessionStore, type SessionWish } from "../session/session-store.ts";
import { createBashTool } from "../tools/bash/tool.ts";
import { createReadTool } from "../tools/read/tool.ts";
import { UsageError } from "../user-error.ts";
import { workingDirectory } from "./working-directory.ts";

type Flags = ParsedArgs["flags"];

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const cwd = workingDirectory(text(flags.cwd));
  const maxTurns = wholeNumber("max-turns", text(flags["max-turns"]));
  const wish = sessionWish(flags);
  const format = text(flags.mode) === "json" ? "json" : "text";
  const isConversation = !flags.print && flags.mode === undefined && isTerminal(0) && isTerminal(1);
  const piped = isConversation ? undefined : await readPiped({ hasPrompt: positionals.length > 0 });
  const message = await promptMessage({
    positionals,
    cwd,
    ...(piped === undefined ? {} : { piped }),
  });
  if (!isConversation && !message) {
    throw new UsageError("nothing to do: give a prompt, or pipe one in", usageLine(RUN_COMMAND));
  }

  const env = process.env;
  const store = new SessionStore({ env, cwd });
  // The disk works while a model is chosen; an earlier session is read first, because it
  // says which model it was with.
  const opening = store.open(wish);
  // Its failure is told where it is awaited; on a slow machine it may come before that.
  opening.catch(() => {});
  const earlier = wish.kind === "new" ? undefined : await opening;
  let emit: Session["emit"] = () => {};
  const { recovery, access } = await chooseModel({
    ...(await modelWish(flags, earlier)),
    env,
    cwd,
    sessionId: earlier?.header.id ?? crypto.randomUUID(),
    emit: (event) => emit(event),
  }).catch(async (error: unknown) => {
    // Nothing was said in it: a session that never began is not left behind.
    await store.withdraw(await opening);
    throw error;
  });
  for (const problem of access.problems) writeError(`${COMMAND}: ${describeProblem(problem)}\n`);
  const log = await opening;
  for (const repair of log.repairs) writeError(`${COMMAND}: ${repair.message}\n`);
  await using session = await Session.open({
    log,
    recovery,
    system: buildSystemPrompt({ cwd, platform: process.platform }),
    tools: [createReadTool({ cwd }), createBashTool({ cwd, env })],
    ...(maxTurns === undefined ? {} : { maxTurns }),
  });
  emit = session.emit;

  if (isConversation) {
    const { converse } = await import("../modes/interactive/converse.ts");
    return await converse(session, { cwd, ...(message ? { first: message } : {}) });
  }
  const { printAnswer } = await import("../modes/print.ts");
  return await printAnswer(session, message!, { quiet: flags.quiet === true, format });
}

function sessionWish(flags: Flags): SessionWish {
  const wishes: SessionWish[] = [];
  const wanted = text(flags.resume);
  if (wanted !== undefined) wishes.push({ kind: "resume", wanted });
  if (flags.continue) wishes.push({ kind: "continue" });
  if (flags["no-session"]) wishes.push({ kind: "memory" });
  if (wishes.length > 1) {
    const message = "choose one of --resume, --continue and --no-session";
    throw new UsageError(message, usageLine(RUN_COMMAND));
  }
  return wishes[0] ?? { kind: "new" };
}

async function modelWish(
  flags: Flags,
  earlier: SessionLog | undefined,
): Promise<Pick<ModelWish, "selector" | "apiKey" | "thinking" | "profile" | "scope">> {
  const selector = text(flags.model) ?? (earlier && (await modelOfSession(earlier)));
  const apiKey = text(flags["api-key"]);
  const thinking = text(flags.thinking) as ThinkingLevel | undefined;
  const profile = text(flags.profile);
  const scope = text(flags.models)
    ?.split(",")
    .map((pattern) => pattern.trim())
    .filter(Boolean);
  return {
    ...(selector === undefined ? {} : { selector }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(profile === undefined ? {} : { profile }),
    ...(scope === undefined ? {} : { scope }),
  };
}

async function modelOfSession(log: SessionLog): Promise<string | undefined> {
  const { buildContext } = await import("../session/context/build-context.ts");
  const { chosenModel } = await import("../session/context/runtime-state.ts");
  return chosenModel(buildContext(await log.branch({ sinceCompaction: true })).state);
}

function text(value: string | true | undefined): string | undefined {
  return value === true ? undefined : value;
}

function wholeNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(value)) {
    throw new UsageError(
      `--${flag} takes a whole number from 1, not "${value}"`,
      usageLine(RUN_COMMAND),
    );
  }
  return Number(value);
}
