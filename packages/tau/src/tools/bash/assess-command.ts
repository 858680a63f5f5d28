// What a command line would do, for whoever gives consent: one that only reads is a reading call,
// and what is dangerous or cannot be judged is for a person to decide.

import type { CallAssessment } from "@tau/agent/tool";
import type { LineJudgement } from "@tau/host/shell-line/classify-shell-line";
import type { CommandEffects } from "@tau/host/shell-line/command-effects";
import { temporaryDirectory } from "../../config/places.ts";
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

function guardFrom({ class: found, reason = "" }: LineJudgement): string {
  return found === "guarded" ? reason : `cannot be judged: ${reason}`;
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

export async function assessCommand(
  workspace: Workspace,
  memory: ShellMemory,
  { command, cwd, env = {} }: CommandParams,
): Promise<CallAssessment> {
  const [{ classifyShellLine }, { isRiskyVariable }] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    import("@tau/host/shell-line/risky-variable"),
  ]);
  // Where none can be opened, the command itself fails with the reason.
  await workspace.shells.open().catch(() => undefined);
  const temporary = temporaryDirectory(workspace.env);
  const judgement = classifyShellLine(command, {
    cwd: cwd === undefined ? await workspace.shells.directory() : workspace.files.resolve(cwd),
    home: workspace.files.home,
    workspace: workspace.cwd,
    temporary: [temporary],
    names: memory.names.union(workspace.shells.rcNames),
    variables: { TMPDIR: temporary },
  });
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
