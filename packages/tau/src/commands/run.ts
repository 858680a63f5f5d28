// What `tau` does when no command is named: a conversation in the terminal, or with -p
// (or without a terminal to converse in) one answer.

import { resolve } from "node:path";
import { accessSync, constants, statSync } from "node:fs";
import type { ThinkingLevel } from "@tau/ai/model";
import { COMMAND } from "../brand.ts";
import type { ParsedArgs } from "../cli/command-table.ts";
import { RUN_COMMAND } from "../cli/command-table.ts";
import { writeError } from "../cli/output.ts";
import { usageLine } from "../cli/parse.ts";
import { readPiped } from "../cli/piped-input.ts";
import { buildSystemPrompt } from "../context/system-prompt.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { chooseModel } from "../model/choose-model.ts";
import { describeProblem } from "../model/config-problem.ts";
import { promptMessage } from "../session/prompt-message.ts";
import { Session } from "../session/session.ts";
import { createBashTool } from "../tools/bash/tool.ts";
import { createReadTool } from "../tools/read/tool.ts";
import { UsageError, UserError } from "../user-error.ts";

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const cwd = workingDirectory(text(flags.cwd));
  const maxTurns = wholeNumber("max-turns", text(flags["max-turns"]));
  const format = text(flags.mode) === "json" ? "json" : "text";
  const isConversation =
    !flags.print && flags.mode === undefined && process.stdin.isTTY && process.stdout.isTTY;
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
  const id = crypto.randomUUID();
  const selector = text(flags.model);
  const apiKey = text(flags["api-key"]);
  const thinking = text(flags.thinking) as ThinkingLevel | undefined;
  const profile = text(flags.profile);
  const scope = text(flags.models)
    ?.split(",")
    .map((pattern) => pattern.trim())
    .filter(Boolean);
  let emit: Session["emit"] = () => {};
  const { recovery, access } = await chooseModel({
    env,
    cwd,
    sessionId: id,
    emit: (event) => emit(event),
    ...(selector === undefined ? {} : { selector }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(profile === undefined ? {} : { profile }),
    ...(scope === undefined ? {} : { scope }),
  });
  for (const problem of access.problems) writeError(`${COMMAND}: ${describeProblem(problem)}\n`);
  const session = new Session({
    id,
    recovery,
    system: buildSystemPrompt({ cwd, platform: process.platform }),
    tools: [createReadTool({ cwd }), createBashTool({ cwd, env })],
    ...(maxTurns === undefined ? {} : { maxTurns }),
  });
  emit = session.emit;

  if (isConversation) {
    const { converse } = await import("../modes/interactive/converse.ts");
    return converse(session, { cwd, ...(message ? { first: message } : {}) });
  }
  const { printAnswer } = await import("../modes/print.ts");
  return printAnswer(session, message!, { quiet: flags.quiet === true, format });
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

/** Checked here, because everything after it would fail with a worse sentence. */
function workingDirectory(wanted: string | undefined): string {
  const cwd = wanted === undefined ? currentDirectory() : resolve(wanted);
  try {
    if (!statSync(cwd).isDirectory()) {
      throw new UserError(`${cwd} is not a directory; name one with --cwd`, EXIT.usage);
    }
    accessSync(cwd, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as { code?: string };
    const why = code === "ENOENT" ? "does not exist" : "may not be read";
    throw new UserError(`the directory ${cwd} ${why}; choose another with --cwd`, EXIT.usage);
  }
  return cwd;
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UserError(
      "the current directory does not exist any more; choose another with --cwd",
      EXIT.usage,
    );
  }
}
