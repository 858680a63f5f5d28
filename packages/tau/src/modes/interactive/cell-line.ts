// `$ code`: a cell of the user's own in the agent's kernels, so that both see the same variables.
// Python where there is one, unless `$js` says otherwise. The model is told with the next prompt.

import type { ImageBlock, ToolCallBlock } from "@tau/ai/message";
import { ToolError, type ToolContent } from "@tau/agent/tool";
import { runUserCell, userCellMessage, type UserCell } from "../../tools/eval/user-cell.ts";
import { CELLS } from "../../tools/eval/tool.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "./app-context.ts";
import { makeCall } from "./blocks/make-block.ts";

const SENDER = "cell";

export async function runCellLine(app: AppContext, line: string): Promise<void> {
  const { active, surface } = app;
  const cells = active.part(CELLS);
  if (!cells) throw new UserError("cells are switched off; see the eval settings");
  const cell = parseCell(line);
  const controller = new AbortController();
  using _scope = app.cancels.push("stops the cell", () => controller.abort());
  const { language, code } = cell;
  const call: ToolCallBlock = {
    type: "toolCall",
    id: crypto.randomUUID(),
    name: "eval",
    arguments: { cells: [{ language, code }] },
  };
  const block = makeCall(app, { name: "eval", sign: "$" });
  block.start(call);
  surface.append(block, "call");
  const result = await runUserCell(cells, cell, {
    signal: controller.signal,
    onOutput: (text) => {
      block.update(text, "append");
      surface.requestRender();
    },
  }).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    return { text: "", images: [], failure: error.message };
  });
  const { text, failure } = result;
  const shown: readonly ToolContent[] = result.images;
  const images = shown.filter((part): part is ImageBlock => part.type === "image");
  const words = [text, failure === undefined ? "" : `[${failure}]`].filter(Boolean).join("\n");
  block.finish({
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: words }, ...images],
    isError: failure !== undefined,
    timestamp: Date.now(),
  });
  for (const image of images) app.showPicture(image);
  surface.requestRender();
  const told = active.session.hide(userCellMessage(cell, result));
  app.alreadyShown(told);
  const content = [{ type: "text" as const, text: told }, ...images];
  const message = { role: "user" as const, content, timestamp: Date.now() };
  await active.session.addToNext(message, { sender: SENDER });
}

/** `$ code` and `$py code` are Python, `$js code` is JavaScript. */
export function parseCell(line: string): UserCell {
  const match = /^\$(py|js)?(?:\s+|$)([\s\S]*)$/.exec(line);
  const code = match?.[2]?.trim() ?? "";
  if (code === "")
    throw new UserError("put code behind the $, as in: $ 6 * 7 (or $js for JavaScript)");
  return { language: match?.[1] === "js" ? "js" : "py", code };
}
