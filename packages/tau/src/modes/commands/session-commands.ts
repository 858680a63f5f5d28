// Commands about what came out of the conversation: its last answer, a file of it, what it cost.

import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { textOf } from "@tau/ai/message";
import { isBelow } from "../../base/is-below.ts";
import { COMMAND } from "../../brand.ts";
import { contextTokensOf } from "../../session/spend.ts";
import { counted } from "../../tools/render/call-values.ts";
import { UserError } from "../../user-error.ts";
import { short } from "../interactive/bottom/status-line.ts";
import { copyBytes } from "../interactive/clipboard.ts";
import type { Command, FrontEnd } from "./command.ts";

export const SESSION_COMMANDS: readonly Command[] = [
  {
    name: "copy",
    help: "copy the last answer",
    when: "any",
    screen: async ({ active, surface }) => {
      const last = active.session.messages.findLast(({ role }) => role === "assistant");
      const text = last ? textOf(last).trim() : "";
      if (text === "") throw new UserError("there is no answer to copy yet");
      const bytes = copyBytes(text);
      if (!bytes) throw new UserError("the answer is too long for the clipboard; /export has it");
      surface.send(bytes);
      return "Copied.";
    },
  },
  {
    name: "export",
    argument: "FILE",
    help: "export the conversation as .html, .md or .json",
    when: "any",
    run: async (front, name) => {
      if (name === "") throw new UserError("name a file: /export talk.html (or .md, .json)");
      const path = resolve(front.active.workspace.cwd, name);
      await refuseElsewhere(front, path);
      const { writeExport } = await import("../../session/export/write-export.ts");
      const { loadRemarks } = await import("../load-remarks.ts");
      const remarks = await loadRemarks(front.active.features);
      await writeExport(front.active.session, path, remarks);
      return `Written to ${path}.`;
    },
  },
  {
    name: "usage",
    aliases: ["cost"],
    help: "show this session's tokens and cost",
    when: "any",
    run: async ({ active: { session } }) => {
      const spend = await session.spend();
      const contextTokens = contextTokensOf(session.messages);
      const { contextWindow, provider, id } = session.model;
      const share = Math.round((contextTokens / contextWindow) * 100);
      return [
        `${counted(spend.replies, "answer")}${beside(spend.asides)}; the model is ${provider}/${id}`,
        `${short(spend.inputTokens)} tokens read, ${short(spend.cachedTokens)} of them from the cache; ${short(spend.outputTokens)} written`,
        `$${spend.costUsd.toFixed(4)} by list price`,
        `${short(contextTokens)} of ${short(contextWindow)} tokens in the window (${share}%)`,
      ].join("\n");
    },
  },
];

/** Titles, summaries and the like: paid for, and not to be seen in the conversation. */
function beside(asides: number): string {
  return asides === 0 ? "" : ` and ${counted(asides, "request")} beside them`;
}

/** A prompt may come from anywhere: it writes where the conversation takes place, or nowhere. */
async function refuseElsewhere({ active, by }: FrontEnd, path: string): Promise<void> {
  if (by === "person") return;
  const [directory, root] = await Promise.all([
    // One that is not there is refused when the file is written.
    realpath(dirname(path)).catch(() => dirname(path)),
    realpath(active.workspace.cwd),
  ]);
  if (isBelow(directory, root)) return;
  throw new UserError(
    `/export writes only into ${root} unless it is typed in a terminal; \`${COMMAND} sessions export\` prints it for any other place`,
  );
}
