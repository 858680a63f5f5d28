// Commands about the session: which one it is, what is in it, and what becomes of it.

import { resolve } from "node:path";
import { textOf } from "@tau/ai/message";
import { integer, minValue, number, optional, picklist, pipe, string } from "valibot";
import { defineCommand, type CommandRow, type RpcContext } from "./command-row.ts";
import { RpcError } from "./protocol.ts";

const COUNT = optional(pipe(number(), integer(), minValue(0)));

export const SESSION_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "new_session",
    summary: "Starts a new session; stops the current run",
    answers: "`sessionId`, `sessionFile`",
    fields: {},
    run: async (context) => {
      await context.active.startNew();
      return place(context);
    },
  }),
  defineCommand({
    name: "switch_session",
    summary:
      "Switches to another session, by path, id or the beginning of an id; stops the current run",
    answers: "`sessionId`, `sessionFile`",
    fields: { sessionPath: string() },
    run: async (context, { sessionPath }) => {
      await context.active.resume(sessionPath);
      return place(context);
    },
  }),
  defineCommand({
    name: "fork",
    summary: "Continues in a copy of the session; stops the current run",
    answers: "`sessionId`, `sessionFile`",
    fields: {},
    run: async (context) => {
      await context.active.fork();
      return place(context);
    },
  }),
  defineCommand({
    name: "branch",
    summary:
      "Continues in a new session that ends at an entry; if the entry is a user's message, just before it",
    answers: "`sessionId`, `sessionFile`, and `text`: the user's message, to rephrase",
    fields: { entryId: string() },
    run: async (context, { entryId }) => {
      const text = await context.active.branch(entryId);
      return { ...place(context), text: text ?? null };
    },
  }),
  defineCommand({
    name: "get_branch_messages",
    summary: "Lists the user's messages that `branch` accepts",
    answers: "`messages`: each `entryId`, `text`",
    fields: {},
    run: async ({ active: { session } }) => {
      const entries = await session.log.branch();
      const messages = entries.flatMap((entry) =>
        entry.type === "message" && entry.message.role === "user"
          ? [{ entryId: entry.id, text: textOf(entry.message) }]
          : [],
      );
      return { messages };
    },
  }),
  defineCommand({
    name: "compact",
    summary: "Compacts the conversation now; stops the current run",
    answers: "`before` and `after` in tokens; `sessionId` if it continues in a new session",
    order: "beside",
    kind: "work",
    fields: {
      customInstructions: optional(string()),
      strategy: optional(picklist(["summary", "handoff", "prune", "snapshot"])),
    },
    run: async (context, { customInstructions: instructions, strategy }, { signal }) => {
      const { active, compactions } = context;
      compactions.isAskedFor = true;
      try {
        const report = await active.compact({ instructions, strategy, signal });
        if (report.type === "compacted") return { before: report.before, after: report.after };
        if (report.type === "handoff") return place(context);
        throw new RpcError(signal.aborted ? "aborted" : "refused", report.message);
      } finally {
        compactions.isAskedFor = false;
      }
    },
  }),
  defineCommand({
    name: "get_messages",
    summary:
      "Returns the conversation as it is sent to the model; `offset` and `limit` select a part",
    answers: "`messages`, `total`",
    fields: { offset: COUNT, limit: COUNT },
    run: async ({ active: { session } }, { offset = 0, limit }) => {
      const { messages } = session;
      const end = limit === undefined ? undefined : offset + limit;
      return { messages: messages.slice(offset, end), total: messages.length };
    },
  }),
  defineCommand({
    name: "get_last_assistant_text",
    summary: "Returns the text of the model's last message",
    answers: "`text`; null if there is none yet",
    fields: {},
    run: async ({ active: { session } }) => {
      const last = session.messages.findLast(
        (message) => message.role === "assistant" && textOf(message).trim() !== "",
      );
      return { text: last ? textOf(last) : null };
    },
  }),
  defineCommand({
    name: "get_session_stats",
    summary: "Returns the session's message counts, tokens and cost",
    answers:
      "message counts of the branch; for the whole session, `tokens`, `costUsd` (list price), and `asides`: requests outside the conversation, included in the sums",
    fields: {},
    run: async (context) => {
      const { session } = context.active;
      const entries = await session.log.branch();
      const messages = entries.flatMap((entry) => (entry.type === "message" ? entry.message : []));
      const spend = await session.spend();
      const count = (role: string): number => messages.filter((one) => one.role === role).length;
      return {
        ...place(context),
        userMessages: count("user"),
        assistantMessages: count("assistant"),
        toolResults: count("toolResult"),
        totalMessages: messages.length,
        tokens: {
          input: spend.inputTokens,
          cached: spend.cachedTokens,
          output: spend.outputTokens,
        },
        costUsd: spend.costUsd,
        /** Requests for titles, summaries, cells and the like; their tokens are in the sums. */
        asides: spend.asides,
      };
    },
  }),
  defineCommand({
    name: "export_html",
    summary: "Writes the conversation to a single HTML file; never overwrites a file",
    answers: "`path`",
    fields: { outputPath: optional(string()) },
    run: async (
      { active: { session, features }, cwd },
      { outputPath = `tau-${session.id}.html` },
    ) => {
      const [{ collectSession }, { exportHtml }, { FileExists, writeNew }, { loadRemarks }] =
        await Promise.all([
          import("../../session/export/exported-session.ts"),
          import("../../session/export/export-html.ts"),
          import("../../session/export/write-export.ts"),
          import("../load-remarks.ts"),
        ]);
      const path = resolve(cwd, outputPath);
      const remarks = await loadRemarks(features);
      const exported = await collectSession(session.log, session.redactor);
      await writeNew(path, exportHtml(exported, remarks)).catch((error: unknown) => {
        throw error instanceof FileExists ? new RpcError("refused", error.message) : error;
      });
      return { path };
    },
  }),
];

function place({ active: { session } }: RpcContext): Record<string, unknown> {
  return { sessionId: session.id, sessionFile: session.log.path ?? null };
}
