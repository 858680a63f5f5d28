// What a command line would do, for whoever gives consent: one that only reads is a reading call,
// and what is dangerous or cannot be judged is for a person to decide.

import type { CallAssessment } from "@tau/agent/tool";
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
  await workspace.shells().catch(() => undefined);
  const temporary = temporaryDirectory(workspace.env);
  const judgement = classifyShellLine(command, {
    cwd: cwd === undefined ? await workspace.shellDirectory() : workspace.resolve(cwd),
    home: workspace.home,
    workspace: workspace.cwd,
    temporary: [temporary],
    names: memory.names.union(workspace.rcNames),
    variables: { TMPDIR: temporary },
  });
  const texts = [...new Set(judgement.commands.map(({ text }) => text.trim()))].filter(Boolean);
  const isGuarded = judgement.class === "guarded" || judgement.class === "unknown";
  // Names may mean anything by now: what looks like reading is a command like any other.
  const isUncertain = memory.isUncertain || Object.keys(env).some(isRiskyVariable);
  return {
    tier: isUncertain ? "exec" : TIERS[judgement.class],
    subjects: texts.length === 0 ? [command] : texts,
    ...(isGuarded ? { guard: judgement.reason ?? "cannot be judged" } : {}),
  };
}
