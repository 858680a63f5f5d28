// A cell that the user runs, with `$` in front of it: in the agent's own kernels, so that both see
// the same variables.

import type { ToolContent } from "@tau/agent/tool";
import type { Language } from "./kernels.ts";
import { pendingReport, runCells } from "./run-cells.ts";
import type { CellHome } from "./tool.ts";
import { Transcript } from "./transcript.ts";

export interface UserCell {
  language: Language;
  code: string;
}

export interface UserCellResult {
  text: string;
  images: ToolContent[];
  /** In words; undefined where it ended well. */
  failure?: string;
  artifactId?: string;
}

/** A person stops what takes too long; this is only for one who has gone. */
const TIMEOUT_S = 24 * 60 * 60;

export async function runUserCell(
  home: CellHome,
  { language, code }: UserCell,
  { signal, onOutput }: { signal: AbortSignal; onOutput: (text: string) => void },
): Promise<UserCellResult> {
  const transcript = new Transcript(home.workspace.artifacts, onOutput);
  const cell = { language, code, timeout: TIMEOUT_S };
  const params = { cells: [cell] };
  // What a person runs is not judged, but the model's next cell may use what it defines.
  await home.calls.assess(params);
  const failure = await runCells([cell], [pendingReport(cell)], { ...home, transcript, signal });
  home.calls.ended(params, failure === undefined);
  const { text, images, artifactId } = await transcript.finish();
  return {
    text,
    images,
    failure,
    artifactId,
  };
}

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { py: "Python", js: "JavaScript" };

/** What the model is told of it; pictures go beside it. */
export function userCellMessage({ language, code }: UserCell, result: UserCellResult): string {
  return [
    `[the user ran this in your ${LANGUAGE_NAMES[language]} kernel]`,
    code,
    "[output]",
    result.text || "(no output)",
    result.failure === undefined ? "" : `[${result.failure}]`,
  ]
    .filter(Boolean)
    .join("\n");
}
