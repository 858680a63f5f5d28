// What a command line would do, for whoever gives consent: one that only reads is a reading call,
// and what is dangerous or cannot be judged is for a person to decide.

import type { CallAssessment } from "@tau/agent/tool";
import type { LineJudgement } from "@tau/host/shell-line/classify-shell-line";
import { HIDDEN_FILES, type CommandEffects } from "@tau/host/shell-line/command-effects";
import type { ShellContext } from "@tau/host/shell-line/shell-context";
import { isLookingForKeys, secretsAtTop } from "../found-secrets.ts";
import { guardContext, type GuardContext } from "../guard-context.ts";
import { namedHosts } from "../named-hosts.ts";
import { withReason } from "../read-secrets.ts";
import { changeSpellings, readSpellings } from "../read-spellings.ts";
import { projectRoot } from "../project-root.ts";
import { quoted } from "../shell-quote.ts";
import type { Workspace } from "../workspace.ts";
import { guardFrom } from "./guard-from.ts";

const TIERS = {
  "read-only": "read",
  "writes-inside": "write",
  other: "exec",
  unknown: "exec",
  guarded: "exec",
} as const;

export interface CommandParams {
  command: string;
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
}

/** The variables of a call as a shell would be given them. */
function assignmentLine(env: Record<string, string>): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...assignments, "true"].join(" ");
}

/** What rules are about, with other words for it. */
function partsOf(
  command: string,
  effects: readonly CommandEffects[],
  { assignments, directory }: { assignments: string; directory: string | undefined },
): Map<string, readonly string[]> {
  const parts = new Map<string, readonly string[]>();
  if (directory !== undefined) parts.set(`cd ${directory}`, []);
  for (const { text, spellings } of effects) {
    // Where it could not be taken apart, a rule for what it begins with is no consent to the rest.
    const subject = text.trim() === "" ? `line: ${command.trim()}` : assignments + text.trim();
    parts.set(subject, [...(parts.get(subject) ?? []), ...spellings]);
  }
  return parts.size === 0 ? new Map([[command, []]]) : parts;
}

/** Of a line and its variables: what asks for consent in either. */
function worse(line: LineJudgement, variables: LineJudgement): LineJudgement {
  const isAsking = ({ class: found }: LineJudgement): boolean =>
    found === "guarded" || found === "unknown";
  if (!isAsking(variables)) return line;
  const isGuarded = line.class === "guarded" || variables.class === "guarded";
  return {
    ...line,
    class: isGuarded ? "guarded" : "unknown",
    reasons: [...new Set([...line.reasons, ...variables.reasons])],
  };
}

export async function assessCommand(
  workspace: Workspace,
  { command, cwd, env = {} }: CommandParams,
  /** Where the shell is. */
  directory: string,
): Promise<CallAssessment> {
  const [{ classifyShellLine }, { isRiskyVariable }, guard] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    import("@tau/host/shell-line/risky-variable"),
    guardContext(workspace),
  ]);
  const { memory, rcNames, rcDefinitions } = workspace.shells;
  const [temporary] = guard.temporary;
  const context: ShellContext = {
    ...guard,
    cwd: cwd === undefined ? directory : workspace.files.resolve(cwd),
    names: memory.names.union(rcNames),
    functions: memory.functions,
    definitions: rcDefinitions,
    variables: { TMPDIR: temporary!, ...env },
    downloaded: memory.downloaded,
    left: memory.left,
    writtenNamed: (name) => (memory.hasSearchPath ? workspace.written.named(name) : []),
  };
  const line = classifyShellLine(command, { ...context, home: env.HOME || context.home });
  // `GIT_SSH_COMMAND='rm -rf ~' git fetch` is no better with the variable beside the line.
  const judgement =
    Object.keys(env).length === 0
      ? line
      : worse(line, classifyShellLine(assignmentLine(env), context));
  for (const path of judgement.downloaded) memory.downloaded.add(path);
  memory.noteLeft(judgement.left);
  workspace.written.note(judgement.written);
  const isGuarded = judgement.class === "guarded" || judgement.class === "unknown";
  const risky = Object.entries(env).filter(([name]) => isRiskyVariable(name));
  // Names may mean anything by now: what looks like reading is a command like any other.
  const isUncertain = memory.isUncertain || risky.length > 0;
  const parts = partsOf(command, judgement.commands, {
    assignments: risky.map(([name, value]) => `${name}=${value} `).join(""),
    // Elsewhere it deletes something else: as if the line began with it.
    directory: isGuarded ? cwd : undefined,
  });
  const assessment: CallAssessment = {
    tier: isUncertain ? "exec" : TIERS[judgement.class],
    subjects: [...parts.keys()],
    spellings: [...parts.values()],
    reads: readSpellings(
      judgement.commands.flatMap(({ readsFiles }) => [...readsFiles]),
      workspace,
      guard,
    ),
    changes: changeSpellings(judgement.commands, workspace, guard),
    hosts: namedHosts(judgement.commands),
    impossible:
      judgement.unreadable === undefined
        ? undefined
        : await (await import("./syntax-problem.ts")).syntaxProblem(command, workspace.env),
    guard: isGuarded ? guardFrom(judgement) : undefined,
  };
  noteFound(workspace, guard, judgement.commands);
  const judged = withReason(assessment, leavingReason(workspace, judgement.commands));
  if (judged.tier === "read" && judged.guard === undefined) return judged;
  const { exactConsent } = await import("./exact-consent.ts");
  const exact = exactConsent({
    command,
    context,
    judgement,
    guard: judged.guard,
    subjects: judged.subjects,
    env,
    root: await projectRoot(workspace),
    defined: (name) => memory.names.has(name) || memory.functions.has(name),
  });
  return { ...judged, exact };
}

/** A command of the user's own asks nobody, but the model gets to see what it reads. */
export async function noteUserCommand(workspace: Workspace, command: string): Promise<void> {
  const [{ classifyShellLine }, guard] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    guardContext(workspace),
  ]);
  const cwd = await workspace.shells.directory();
  const { commands } = classifyShellLine(command, { ...guard, cwd });
  noteFound(workspace, guard, commands);
  workspace.secrets.note(commands.flatMap(({ readsSecrets }) => readsSecrets));
}

/** They show what is in the files that they are given. */
const PRINTERS: ReadonlySet<string> = new Set(
  "cat tac nl head tail less more bat batcat strings xxd od hexdump base64".split(" "),
);

/** Whoever looks for keys in all of a project, or at its hidden files, finds those at its top. */
function noteFound(
  { cwd, secrets }: Workspace,
  guard: GuardContext,
  commands: readonly CommandEffects[],
): void {
  const isPrinted = commands.some(
    ({ program, readsFiles }) =>
      PRINTERS.has(program ?? "") && (readsFiles.has(`${cwd}/?*`) || readsFiles.has(`${cwd}/*`)),
  );
  if (isPrinted) secrets.note(secretsAtTop(cwd, guard));
  const found = commands.flatMap(({ mayReadSecrets }) => mayReadSecrets);
  if (found.length === 0) return;
  const isLooking = commands.some(({ text }) => isLookingForKeys(text));
  if (isLooking || found.includes(HIDDEN_FILES)) secrets.note(secretsAtTop(cwd, guard));
}

/** Notes what is read of secrets; why it asks if it can send some that were read before. */
export function leavingReason(
  { secrets }: Pick<Workspace, "secrets">,
  commands: readonly CommandEffects[],
  /** In other words than the command's own. */
  way?: string,
): string | undefined {
  const own = commands.flatMap(({ readsSecrets }) => readsSecrets);
  const sending = commands.filter(canSend).map(({ text }) => oneLine(text));
  const [first] = sending;
  const reason =
    first === undefined ? undefined : secrets.reasonAgainst(way ?? `can send data (${first})`, own);
  secrets.note(own);
  return reason;
}

/** Also by an address or a name to look up: whoever chooses one chooses what stands in it. */
function canSend({ sends, reaches }: CommandEffects): boolean {
  return sends || reaches;
}

const MAX_SHOWN = 60;

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line;
}
