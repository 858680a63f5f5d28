// `$ code`: a cell of the user's own in the agent's kernels, so that both see the same variables.
// Python where there is one, unless `$js` says otherwise. The model is told with the next prompt.

import type { Answer } from "@tau/agent/hook-points";
import type { ImageBlock } from "@tau/ai/message";
import { ToolError, type ToolContent } from "@tau/agent/tool";
import type { LinePlace } from "../../feature-api/own-line.ts";
import { beginOwnRun, ranInstead } from "../../session/own-run.ts";
import { runUserCell, userCellMessage, type UserCell } from "./user-cell.ts";
import { CELLS } from "./tool.ts";
import { UserError } from "../../user-error.ts";

const SENDER = "cell";

export async function runCellLine({ session, signal }: LinePlace, line: string): Promise<void> {
  const cells = session.part(CELLS);
  if (!cells) throw new UserError("cells are switched off; see the eval settings");
  const { sign, ...cell } = parseCell(line);
  const { language, code } = cell;
  const args = { cells: [{ language, code }] };
  const report = beginOwnRun(session, { sign, tool: "eval", arguments: args, isTold: true });
  const words = { tool: "eval", language, text: code, isTold: true };
  const instead = await ranInstead(session, words, signal);
  const ran = instead
    ? Promise.resolve(asRun(instead))
    : runUserCell(cells, cell, {
        signal,
        onOutput: (text) => report.printed(text),
      });
  const result = await ran.catch((error: unknown) => {
    if (error instanceof ToolError) return { text: "", images: [], failure: error.message };
    report.ended({ content: [], isError: true });
    throw error;
  });
  const { text, failure, artifactId } = result as typeof result & { artifactId?: string };
  const shown: readonly ToolContent[] = result.images;
  const images = shown.filter((part): part is ImageBlock => part.type === "image");
  const seenWords = [text, failure === undefined ? "" : `[${failure}]`].filter(Boolean).join("\n");
  const seen = [{ type: "text" as const, text: seenWords }, ...images];
  report.ended({ content: seen, isError: failure !== undefined, artifactId });
  const told = session.hide(userCellMessage(cell, result));
  const content = [{ type: "text" as const, text: told }, ...images];
  await session.addToNext({ role: "user", content, timestamp: report.toldAt }, { sender: SENDER });
}

/** Somebody else has run it. */
function asRun({ output, exitCode }: Answer<"own_run">) {
  const isWell = exitCode === 0 || exitCode === null;
  return { text: output, images: [], failure: isWell ? undefined : `exit code ${exitCode}` };
}

/** `$ code` and `$py code` are Python, `$js code` is JavaScript. */
function parseCell(line: string): UserCell & { sign: string } {
  const match = /^(\$(?:py|js)?)(?:\s+|$)([\s\S]*)$/.exec(line);
  const code = match?.[2]?.trim() ?? "";
  if (code === "")
    throw new UserError("put code behind the $, as in: $ 6 * 7 (or $js for JavaScript)");
  const sign = match?.[1] ?? "$";
  return { sign, language: sign === "$js" ? "js" : "py", code };
}
