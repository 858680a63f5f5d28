// What `tau` does when no command is named: a conversation in the terminal, or with -p
// (or without a terminal to converse in) one answer; with --mode rpc another program drives it.

import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { UserMessage } from "@tau/ai/message";
import type { ThinkingLevel } from "@tau/ai/model";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { RUN_COMMAND } from "../command-table.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeError } from "../../base/output.ts";
import { readPiped } from "../piped-input.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import type { CreateSessionOptions } from "../../assembly/create-session.ts";
import type { AgentFeedKind } from "../../modes/agent-feed.ts";
import type { PrintOptions } from "../../modes/print.ts";
import { promptMessage } from "../../session/prompt-message.ts";
import type { SessionWish } from "../../session/session-store.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";
import { workingDirectory } from "../../base/working-directory.ts";

type Flags = ParsedArgs["flags"];

export async function run({ flags, repeated = {}, positionals }: ParsedArgs): Promise<ExitCode> {
  const cwd = workingDirectory(text(flags.cwd));
  const maxTurns = wholeNumber("max-turns", text(flags["max-turns"]));
  const wish = sessionWish(flags);
  const isRpc = flags.mode === "rpc";
  if (isRpc) refuseForRpc(flags, positionals);
  const format = text(flags.mode) === "json" ? "json" : "text";
  const agentEvents = text(flags["agent-events"]) as AgentFeedKind | undefined;
  if (agentEvents !== undefined && !isRpc && format !== "json") {
    throw new UsageError("--agent-events needs --mode json or --mode rpc", usageLine(RUN_COMMAND));
  }
  const isConversation = !flags.print && flags.mode === undefined && isTerminal(0) && isTerminal(1);
  const isPiped = !isConversation && !isRpc;
  const piped = isPiped
    ? await readPiped({ hasPrompt: positionals.length > 0 || flags.goal !== undefined })
    : undefined;
  const goal = text(flags.goal)?.trim();
  const message = await promptMessage({
    // A goal is something to do.
    positionals:
      goal && positionals.length === 0 ? [`Work until this holds: ${goal}`] : positionals,
    cwd,
    piped,
  });
  if (isPiped && !message) {
    throw new UsageError("nothing to do: give a prompt, or pipe one in", usageLine(RUN_COMMAND));
  }

  const options: CreateSessionOptions = {
    cwd,
    session: wish,
    overlays: text(flags.config) === undefined ? undefined : [text(flags.config)!],
    ...modelWish(flags),
    ...approvalWish(flags),
    ...promptWish(flags, cwd),
    extensions: extensionWish(flags, repeated),
    maxTurns,
    planMode: flags.plan === true,
    goal: goal || undefined,
  };
  if (isRpc) {
    // Before anything else is loaded: modules print too.
    const { StdoutGuard } = await import("../../modes/rpc/guard-stdout.ts");
    using guard = new StdoutGuard();
    const { serveRpc } = await import("../../modes/rpc/rpc-mode.ts");
    return await serveRpc(options, guard, agentEvents);
  }
  if (isConversation) {
    const { startConversation } = await import("../../modes/start-conversation.ts");
    return await startConversation(options, { cwd, first: message });
  }
  const quiet = flags.quiet === true;
  return await printOne(options, message!, { quiet, format, agentEvents });
}

/** One answer, and the session is left. */
async function printOne(
  options: CreateSessionOptions,
  message: UserMessage,
  how: PrintOptions,
): Promise<ExitCode> {
  await using stack = new AsyncDisposableStack();
  const { ActiveSession } = await import("../../assembly/active-session.ts");
  const { printInterface } = await import("../../modes/print-interface.ts");
  const ui = printInterface(how);
  const active = await ActiveSession.open({
    ...options,
    titles: "off",
    wakes: "while_pending",
    ui,
  });
  // A question to Tau itself, such as /help, is nothing that anybody comes back to.
  if (options.session?.kind === "new") {
    stack.defer(async () => {
      const { path } = active.session.log;
      if (path === undefined || active.session.messages.length > 0) return;
      const { removeEmptySession } =
        await import("../../session/operations/remove-empty-session.ts");
      await removeEmptySession(path, active.store.surroundings);
    });
  }
  stack.use(active);
  for (const notice of active.notices) writeError(`${COMMAND}: ${notice}\n`);
  const { printAnswer } = await import("../../modes/print.ts");
  return await printAnswer(active, message, how);
}

/** Everything that is said comes in as commands. */
function refuseForRpc(flags: Flags, positionals: readonly string[]): void {
  const [first] = positionals;
  const given = first === undefined ? flags.print && "--print" : `"${first}"`;
  if (!given) return;
  const message = `--mode rpc takes no ${first === undefined ? "--print" : "prompt and no files"} (${given}); send a prompt command instead`;
  throw new UsageError(message, usageLine(RUN_COMMAND));
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

function promptWish(
  flags: Flags,
  cwd: string,
): Pick<CreateSessionOptions, "systemPrompt" | "appendSystemPrompt"> {
  const systemPrompt = textOrFile(text(flags["system-prompt"]), cwd);
  const appendSystemPrompt = textOrFile(text(flags["append-system-prompt"]), cwd);
  return {
    systemPrompt,
    appendSystemPrompt,
  };
}

/** A name of a file that is there means the file; everything else means itself. */
function textOrFile(value: string | undefined, cwd: string): string | undefined {
  if (value === undefined || value.includes("\n")) return value;
  const path = resolve(cwd, value);
  if (!existsSync(path) || !statSync(path).isFile()) return value;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    throw new UserError(`${value} cannot be read (${code}); check its permissions`, EXIT.usage);
  }
}

/** What Tau's own rows do not know was an extension's: the parser has asked. */
function extensionWish(
  flags: Flags,
  { extension = [], hook = [] }: NonNullable<ParsedArgs["repeated"]>,
): CreateSessionOptions["extensions"] {
  const own = new Set(RUN_COMMAND.flags.map(({ name }) => name));
  const theirs = Object.entries(flags).filter(
    (pair): pair is [string, string | true] => !own.has(pair[0]) && pair[1] !== undefined,
  );
  return {
    discover: flags["no-extensions"] !== true,
    paths: [...extension, ...hook],
    flags: Object.fromEntries(theirs),
  };
}

function approvalWish(flags: Flags): Pick<CreateSessionOptions, "approvalMode"> {
  const approvalMode = text(flags["approval-mode"]);
  if (flags.yolo && approvalMode !== undefined && approvalMode !== "yolo") {
    throw new UsageError(`--yolo and --approval-mode ${approvalMode} contradict each other`);
  }
  if (flags.yolo) return { approvalMode: "yolo" };
  return approvalMode === undefined ? {} : { approvalMode };
}

function modelWish(
  flags: Flags,
): Pick<CreateSessionOptions, "model" | "apiKey" | "thinking" | "profile" | "roles" | "scope"> {
  const model = text(flags.model);
  const apiKey = text(flags["api-key"]);
  const thinking = text(flags.thinking) as ThinkingLevel | undefined;
  const profile = text(flags.profile);
  const scope = text(flags.models)
    ?.split(",")
    .map((pattern) => pattern.trim())
    .filter(Boolean);
  return {
    model,
    apiKey,
    thinking,
    profile,
    roles: rolesOf(flags),
    scope,
  };
}

/** The flags that set a role, by the role: `--plan` itself begins in plan mode. */
const ROLE_FLAGS = { smol: "smol", slow: "slow", plan: "plan-model" } as const;

function rolesOf(flags: Flags): Record<string, string> {
  const given = Object.entries(ROLE_FLAGS).flatMap(([role, flag]) => {
    const model = text(flags[flag]);
    return model === undefined ? [] : [[role, model] as const];
  });
  return Object.fromEntries(given);
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
