// What code cells would do, for whoever gives consent: each cell by its language and its code, so
// that a rule for one fits it again whatever title or deadline it comes with; and what is dangerous
// in them by the same judge as command lines.

import type { CallAssessment } from "@tau/agent/tool";
import type { CodeOutcome } from "@tau/host/code-reading/code-memory";
import type { LineJudgement } from "@tau/host/shell-line/classify-shell-line";
import { HIDDEN_FILES, type CommandEffects } from "@tau/host/shell-line/command-effects";
import type { CodeSession } from "@tau/host/shell-line/shell-context";
import { leavingReason } from "./bash/assess-command.ts";
import { guardFrom } from "./bash/guard-from.ts";
import { cellScript, type ScriptCell } from "./eval/cell-script.ts";
import type { Language } from "./eval/kernels.ts";
import { secretsAtTop } from "./found-secrets.ts";
import { guardContext } from "./guard-context.ts";
import { namedHosts } from "./named-hosts.ts";
import { projectRoot } from "./project-root.ts";
import { changeSpellings, readSpellings } from "./read-spellings.ts";
import { withReason } from "./read-secrets.ts";
import type { Workspace } from "./workspace.ts";

export interface CellParams {
  cells: readonly (ScriptCell & { language: Language })[];
}

export interface CellsWorld {
  workspace: Workspace;
  /** What cells have defined so far. */
  session: CodeSession;
  /** Where the next cell runs. */
  directoryOf: (language: Language) => string;
  /** Whether each Python cell starts from nothing. */
  isPythonForgetful: boolean;
}

export interface JudgedCells {
  assessment: CallAssessment;
  /** What the cells would define, if they ran. */
  outcomes: ReadonlyMap<Language, CodeOutcome>;
}

export async function assessCells(world: CellsWorld, { cells }: CellParams): Promise<JudgedCells> {
  const { workspace } = world;
  const subjects = cells.map(({ language, code }) => `${language}: ${code.trim()}`);
  const outcomes = new Map<Language, CodeOutcome>();
  const judgements: LineJudgement[] = [];
  for (const [language, own] of Map.groupBy(cells, (cell) => cell.language)) {
    const { result, outcome } = await judge(world, language, own);
    judgements.push(...result);
    outcomes.set(language, outcome);
  }
  const commands = judgements.flatMap((judgement) => judgement.commands);
  const asking = judgements.filter(
    ({ class: found }) => found === "guarded" || found === "unknown",
  );
  const reasons = [...new Set(asking.map(guardFrom))];
  const assessment: CallAssessment = {
    tier: "exec",
    subjects: [...new Set(subjects)],
    reads: readSpellings(
      commands.flatMap(({ readsFiles }) => [...readsFiles]),
      workspace,
      await guardContext(workspace),
    ),
    changes: changeSpellings(commands, workspace, await guardContext(workspace)),
    hosts: namedHosts(commands),
    guard: reasons.length === 0 ? undefined : reasons.join("; "),
  };
  const leaving = leavingReason(workspace, commands, "uses the network");
  if (commands.some(({ mayReadSecrets }) => mayReadSecrets.includes(HIDDEN_FILES)))
    workspace.secrets.note(secretsAtTop(workspace.cwd, await guardContext(workspace)));
  const judged = withReason(assessment, leaving);
  const exact = judged.guard === undefined ? undefined : await exactCells(world, cells, commands);
  return { assessment: { ...judged, exact }, outcomes };
}

/** All cells as one, with their directory; nothing if earlier cells or other data say what they touch. */
async function exactCells(
  { workspace, session, directoryOf }: CellsWorld,
  cells: CellParams["cells"],
  commands: readonly CommandEffects[],
): Promise<readonly string[]> {
  const earlier = [session.python, session.javascript].flatMap(({ top }) => [...top.names.keys()]);
  const words = new Set(cells.flatMap(({ code }) => code.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const isOpen = commands.some(({ deletes, overwrites }) =>
    [...deletes, ...overwrites].some(({ place }) => place === "unknown"),
  );
  if (isOpen || earlier.some((name) => words.has(name))) return [];
  const text = cells.map(({ language, code }) => `${language}: ${code.trim()}`).join("\n");
  const root = await projectRoot(workspace);
  const { real } = await guardContext(workspace);
  const directories = new Set(cells.map(({ language }) => real(directoryOf(language))));
  const isAtRoot = directories.size === 1 && directories.has(root);
  return [isAtRoot ? text : `in ${[...directories].join(", ")}: ${text}`];
}

/** Each run of cells that share a kernel's definitions is judged as one script. */
async function judge(
  { workspace, session, directoryOf, isPythonForgetful }: CellsWorld,
  language: Language,
  cells: readonly ScriptCell[],
): Promise<{ result: LineJudgement[]; outcome: CodeOutcome }> {
  const [{ classifyShellLine }, { secretFileBelow }, guard] = await Promise.all([
    import("@tau/host/shell-line/classify-shell-line"),
    import("@tau/host/guard/secret-files"),
    guardContext(workspace),
  ]);
  const secretsBelow = (directory: string): string | undefined =>
    guard.secretsBelow(directory) ?? secretFileBelow(directory, guard.secrets);
  const isForgetful = language === "py" && isPythonForgetful;
  const memory = language === "py" ? session.python : session.javascript;
  const { downloaded } = workspace.shells.memory;
  return memory.aside(() =>
    runsOf(cells, isForgetful).map((run) => {
      if (run[0]?.reset) memory.forget();
      const cwd = run[0]?.reset ? workspace.cwd : directoryOf(language);
      const script = cellScript(run, language, workspace.files);
      const context = { ...guard, secretsBelow, cwd, downloaded, code: session };
      const judgement = classifyShellLine(script, context);
      for (const path of judgement.downloaded) downloaded.add(path);
      workspace.written.note(judgement.written);
      return judgement;
    }),
  );
}

/** A cell that starts its kernel anew begins a run of its own. */
function runsOf(cells: readonly ScriptCell[], isForgetful: boolean): ScriptCell[][] {
  const runs: ScriptCell[][] = [];
  for (const { code, reset } of cells) {
    const isNew = isForgetful || reset === true;
    if (isNew || runs.length === 0) runs.push([]);
    runs.at(-1)!.push({ code, reset: isNew });
  }
  return runs;
}
