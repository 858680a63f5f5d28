// What a command line would do, for whoever gives consent: one that only reads is a reading call,
// and what is dangerous or cannot be judged is for a person to decide.

import type { CallAssessment } from "@tau/agent/tool";
import type { LineJudgement } from "@tau/host/shell-line/classify-shell-line";
import type { CommandEffects } from "@tau/host/shell-line/command-effects";
import type { ShellContext } from "@tau/host/shell-line/shell-context";
import { guardContext } from "../guard-context.ts";
import type { Workspace } from "../workspace.ts";
import type { ShellMemory } from "./shell-memory.ts";

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

/** Every reason: whoever agrees must know to what. */
function guardFrom({ class: found, reasons }: LineJudgement): string {
  const all = reasons.join("; ");
  return found === "guarded" ? all : `cannot be judged: ${all}`;
}

/** The variables of a call as a shell would be given them. */
function assignmentLine(env: Record<string, string>): string {
  const quote = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
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
  memory: ShellMemory,
  { command, cwd, env = {} }: CommandParams,
): Promise<CallAssessment> {
  const [{ classifyShellLine }, { isRiskyVariable }, guard] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    import("@tau/host/shell-line/risky-variable"),
    guardContext(workspace),
  ]);
  // Where none can be opened, the command itself fails with the reason.
  await workspace.shells.open().catch(() => undefined);
  const [temporary] = guard.temporary;
  const context: ShellContext = {
    ...guard,
    cwd: cwd === undefined ? await workspace.shells.directory() : workspace.files.resolve(cwd),
    names: memory.names.union(workspace.shells.rcNames),
    variables: { TMPDIR: temporary!, ...env },
    downloaded: memory.downloaded,
  };
  const judgement = worse(
    classifyShellLine(command, { ...context, home: env.HOME || context.home }),
    // `GIT_SSH_COMMAND='rm -rf ~' git fetch` is no better with the variable beside the line.
    classifyShellLine(assignmentLine(env), context),
  );
  for (const path of judgement.downloaded) memory.downloaded.add(path);
  const isGuarded = judgement.class === "guarded" || judgement.class === "unknown";
  const risky = Object.entries(env).filter(([name]) => isRiskyVariable(name));
  // Names may mean anything by now: what looks like reading is a command like any other.
  const isUncertain = memory.isUncertain || risky.length > 0;
  const parts = partsOf(command, judgement.commands, {
    assignments: risky.map(([name, value]) => `${name}=${value} `).join(""),
    // Elsewhere it deletes something else: as if the line began with it.
    directory: isGuarded ? cwd : undefined,
  });
  return {
    tier: isUncertain ? "exec" : TIERS[judgement.class],
    subjects: [...parts.keys()],
    spellings: [...parts.values()],
    ...(isGuarded ? { guard: guardFrom(judgement) } : {}),
  };
}
