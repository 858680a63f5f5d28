// What loading extensions anew has come to, told from what is loaded now: not every file that changed is
// there again. It may be gone, or held back until somebody has allowed it as it is now.

import { existsSync } from "node:fs";
import type { Environment } from "@tau/ai/environment";
import { COMMAND } from "../brand.ts";
import type { ExtensionBook } from "../extend/extension-book.ts";

export interface ReloadOutcome {
  /** Names, as before. */
  loaded: string[];
  removed: string[];
  /** By trust. */
  heldBack: string[];
  /** They are there, and neither loaded nor failed: the settings leave them out now. */
  leftOut: string[];
}

interface Books {
  before: ExtensionBook | undefined;
  after: ExtensionBook | undefined;
}

/** Of those that were there before. What failed is told when it fails. */
export async function reloadOutcome(
  { before, after }: Books,
  place: { cwd: string; env: Environment },
): Promise<ReloadOutcome> {
  const outcome: ReloadOutcome = { loaded: [], removed: [], heldBack: [], leftOut: [] };
  const loaded = new Set(after?.loaded.map(({ source }) => source.path));
  const failed = new Set(after?.failures.map(({ source }) => source.path));
  let isTrusted: boolean | undefined;
  for (const { source } of [...(before?.loaded ?? []), ...(before?.failures ?? [])]) {
    const { path, name, vouched } = source;
    if (loaded.has(path)) outcome.loaded.push(name);
    else if (failed.has(path)) continue;
    else if (!existsSync(path)) outcome.removed.push(name);
    else {
      if (vouched) isTrusted ??= await isProjectTrusted(place);
      const list = vouched && !isTrusted ? outcome.heldBack : outcome.leftOut;
      list.push(name);
    }
  }
  return outcome;
}

/** About those that are not there any more, a sentence each. */
export function absenceWords({ removed, heldBack, leftOut }: ReloadOutcome): string[] {
  const words: string[] = [];
  if (removed.length > 0) words.push(`Removed: ${removed.join(", ")}.`);
  if (heldBack.length > 0) {
    const why = `the project has changed since you allowed it; see \`${COMMAND} trust\``;
    words.push(`Not loaded: ${heldBack.join(", ")} (${why}).`);
  }
  if (leftOut.length > 0) words.push(`No longer loaded: ${leftOut.join(", ")}.`);
  return words;
}

async function isProjectTrusted({ cwd, env }: { cwd: string; env: Environment }): Promise<boolean> {
  const { trustOf } = await import("../trust/project-standing.ts");
  return (await trustOf(cwd, env)).state === "trusted";
}
