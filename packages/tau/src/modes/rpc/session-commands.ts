// Commands about the session: which one it is, what is in it, and what becomes of it.

import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { textOf } from "@tau/ai/message";
import { integer, minValue, number, optional, pipe, string } from "valibot";
import { UserError } from "../../user-error.ts";
import { defineCommand, type CommandRow, type RpcContext } from "./command-row.ts";
import { RpcError } from "./protocol.ts";

const COUNT = optional(pipe(number(), integer(), minValue(0)));

export const SESSION_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "new_session",
    summary: "Begins a new session; what runs is stopped",
    answers: "`sessionId`, `sessionFile`",
    fields: {},
    run: async (context) => {
      await context.active.startNew();
      return place(context);
    },
  }),
  defineCommand({
    name: "switch_session",
    summary: "Goes to another session, by path, id or the beginning of one; what runs is stopped",
    answers: "`sessionId`, `sessionFile`",
    fields: { sessionPath: string() },
    run: async (context, { sessionPath }) => {
      await context.active.resume(sessionPath);
      return place(context);
    },
  }),
  defineCommand({
    name: "fork",
    summary: "Goes on in a copy of the session; what runs is stopped",
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
      "Goes on in a new session from the way to an entry; of a user's message, from before it",
    answers: "`sessionId`, `sessionFile`, and `text`: the words to say differently",
    fields: { entryId: string() },
    run: async (context, { entryId }) => {
      const text = await context.active.branch(entryId);
      return { ...place(context), text: text ?? null };
    },
  }),
  defineCommand({
    name: "get_branch_messages",
    summary: "The user's messages that `branch` can go to",
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
    summary: "Makes the conversation shorter now; what runs is stopped",
    answers: "`before` and `after` in tokens; `sessionId` where it goes on in a fresh session",
    order: "beside",
    kind: "work",
    fields: { customInstructions: optional(string()) },
    run: async (context, { customInstructions: instructions }, { signal }) => {
      const { active, compactions } = context;
      compactions.isAskedFor = true;
      try {
        const wish = instructions === undefined ? {} : { instructions };
        const report = await active.compact({ ...wish, signal });
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
    summary: "The conversation as the model is sent it; `offset` and `limit` take a part of it",
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
    summary: "What the model said last",
    answers: "`text`; null where it has said nothing yet",
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
    summary: "What the session holds and has used",
    answers:
      "counts of messages on the branch; of all the session, `tokens`, `costUsd` by list price, and `asides`: requests beside the conversation, which the sums include",
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
    summary: "Writes the conversation as one HTML file, never over one that is there",
    answers: "`path`",
    fields: { outputPath: optional(string()) },
    run: async ({ active: { session }, cwd }, { outputPath = `tau-${session.id}.html` }) => {
      const [{ collectSession }, { exportHtml }] = await Promise.all([
        import("../../session/export/exported-session.ts"),
        import("../../session/export/export-html.ts"),
      ]);
      const path = resolve(cwd, outputPath);
      await writeNew(path, exportHtml(await collectSession(session.log)));
      return { path };
    },
  }),
];

function place({ active: { session } }: RpcContext): Record<string, unknown> {
  return { sessionId: session.id, sessionFile: session.log.path ?? null };
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EEXIST") throw new RpcError("refused", `${path} is there; choose another name`);
    if (typeof code === "string") throw new UserError(`${path} cannot be written (${code})`);
    throw error;
  }
}
