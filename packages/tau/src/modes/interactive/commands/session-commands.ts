// Commands about the conversation: which session, where in it, with which model, and what came
// out of it.

import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { textOf } from "@tau/ai/message";
import { UserError } from "../../../user-error.ts";
import { counted } from "../../../tools/render/call-values.ts";
import { short } from "../bottom/status-line.ts";
import { copyBytes } from "../clipboard.ts";
import type { AppCommand } from "./app-command.ts";

export const SESSION_COMMANDS: readonly AppCommand[] = [
  {
    name: "copy",
    help: "copy the last answer",
    when: "any",
    run: async ({ active, surface }) => {
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
    run: async ({ active, cwd }, name) => {
      if (name === "") throw new UserError("name a file: /export talk.html (or .md, .json)");
      const { collectSession, exportJson } =
        await import("../../../session/export/exported-session.ts");
      const { log, redactor } = active.session;
      const session = await collectSession(log, redactor);
      const path = resolve(cwd, name);
      if (name.endsWith(".json")) await writeNew(path, exportJson(session));
      else if (name.endsWith(".md")) {
        const { exportMarkdown } = await import("../../../session/export/export-markdown.ts");
        await writeNew(path, exportMarkdown(session));
      } else if (name.endsWith(".html")) {
        const { exportHtml } = await import("../../../session/export/export-html.ts");
        await writeNew(path, exportHtml(session));
      } else throw new UserError(`add a file extension for the format: ${name}.html, .md or .json`);
      return `Written to ${path}.`;
    },
  },
  {
    name: "usage",
    aliases: ["cost"],
    help: "show this session's tokens and cost",
    when: "any",
    run: async ({ spend: { contextTokens }, active: { session } }) => {
      const spend = await session.spend();
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

/** Never over something that is there. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EEXIST") throw new UserError(`${path} already exists; choose another name`);
    if (typeof code === "string") throw new UserError(`${path} cannot be written (${code})`);
    throw error;
  }
}
