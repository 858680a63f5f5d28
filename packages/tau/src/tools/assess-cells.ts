// What code cells would do, for whoever gives consent: each cell by its language and its code, so
// that a rule for one fits it again whatever title or deadline it comes with; and what is dangerous
// in them by the same judge as command lines.

import { isAbsolute, resolve } from "node:path";
import type { CallAssessment } from "@tau/agent/tool";
import type { LineJudgement } from "@tau/host/shell-line/classify-shell-line";
import { shownPath } from "../resources/local-path.ts";
import { guardFrom, leavingReason } from "./bash/assess-command.ts";
import { cellScript, type ScriptCell, type ScriptWorld } from "./eval/cell-script.ts";
import type { Language } from "./eval/kernels.ts";
import { guardContext, type GuardContext } from "./guard-context.ts";
import { withReason } from "./read-secrets.ts";
import type { Workspace } from "./workspace.ts";

interface CellParams {
  cells: readonly (ScriptCell & { language: Language })[];
}

export interface CellsWorld {
  workspace: Workspace;
  /** Where the next cell runs. */
  directoryOf: (language: Language) => string;
  /** Whether each Python cell starts from nothing. */
  isPythonForgetful: boolean;
}

export async function assessCells(world: CellsWorld, params: unknown): Promise<CallAssessment> {
  const { cells } = params as CellParams;
  const { workspace } = world;
  const subjects = cells.map(({ language, code }) => `${language}: ${code.trim()}`);
  const judgements = await Promise.all(
    [...Map.groupBy(cells, ({ language }) => language)].map(([language, own]) =>
      judge(world, language, own),
    ),
  );
  const commands = judgements.flatMap((judgement) => judgement.commands);
  const asking = judgements.filter(
    ({ class: found }) => found === "guarded" || found === "unknown",
  );
  const assessment: CallAssessment = {
    tier: "exec",
    subjects: [...new Set(subjects)],
    guard: asking.length === 0 ? undefined : asking.map(guardFrom).join("; "),
  };
  return withReason(assessment, leavingReason(workspace, commands, "uses the network"));
}

async function judge(
  { workspace, directoryOf, isPythonForgetful }: CellsWorld,
  language: Language,
  cells: readonly ScriptCell[],
): Promise<LineJudgement> {
  const [{ classifyShellLine }, guard] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    guardContext(workspace),
  ]);
  const isForgetful = language === "py" && isPythonForgetful;
  const cwd = directoryOf(language);
  const own = cells.map(({ code, reset }) => ({ code, reset: isForgetful || reset }));
  const script = cellScript(own, language, scriptWorld(workspace, guard, cwd));
  const { downloaded } = workspace.shells.memory;
  const judgement = classifyShellLine(script, { ...guard, cwd, downloaded });
  for (const path of judgement.downloaded) downloaded.add(path);
  return judgement;
}

function scriptWorld({ cwd, files }: Workspace, guard: GuardContext, from: string): ScriptWorld {
  const placesOf = (path: string): string[] => {
    const named = resolve(from, path);
    return [named, guard.real(named)];
  };
  const isGuarded = (path: string): boolean =>
    placesOf(path).some((place) => guard.guards(place) !== undefined);
  const ours = [cwd, ...guard.temporary].map(guard.real);
  const isOutside = (path: string): boolean =>
    ours.every((directory) => isAbsolute(shownPath(guard.real(resolve(from, path)), directory)));
  return {
    start: cwd,
    home: files.home,
    isGuarded,
    isFar: (path) => isGuarded(path) || isOutside(path),
  };
}
