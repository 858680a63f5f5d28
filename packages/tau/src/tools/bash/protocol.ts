// Commands of the client's own in the agent's shell: the same as `!` in the terminal. What came out
// goes to the model with the next prompt, unless the client keeps it to itself.

import { userText } from "@tau/ai/message";
import { ToolError } from "@tau/agent/tool";
import { beginOwnRun, ranInstead } from "../../session/own-run.ts";
import { boolean, nonEmpty, optional, pipe, string } from "valibot";
import { defineProtocolCommand, type ProtocolCommand } from "../../feature-api/protocol.ts";
import { UserError } from "../../user-error.ts";
import { WORKSPACE } from "../workspace.ts";

const SENDER = "shell";
/** Those that run now; stopping stops them all. */
const running = new Set<AbortController>();

export const commands: readonly ProtocolCommand[] = [
  defineProtocolCommand({
    name: "bash",
    summary:
      "Runs one of the client's commands in the agent's shell, without asking; the model is told with the next prompt, unless `excludeFromContext` is set",
    answers: "`output`, `exitCode`, `signal`, `cancelled`, `truncated`, `artifactId`",
    order: "beside",
    fields: {
      command: pipe(string(), nonEmpty()),
      excludeFromContext: optional(boolean()),
    },
    run: async (session, { command, excludeFromContext = false }, call) => {
      const { runUserCommand, userCommandEnding, userCommandMessage } =
        await import("./user-command.ts");
      const isTold = !excludeFromContext;
      const workspace = session.parts.need(WORKSPACE);
      const what = { sign: "!", tool: "bash", arguments: { command }, isTold };
      const report = beginOwnRun(session, what);
      const controller = new AbortController();
      const signal = AbortSignal.any([controller.signal, call.signal]);
      running.add(controller);
      try {
        const instead = await ranInstead(session, { tool: "bash", text: command, isTold }, signal);
        const result = instead
          ? { text: instead.output, exitCode: instead.exitCode, isAborted: false, truncated: false }
          : await runUserCommand(workspace, command, {
              signal,
              onOutput: (text) => report.printed(text),
              isTold,
            });
        const { exitCode, artifactId } = result;
        const ending = userCommandEnding(result);
        const text = [result.text, ending && `[${ending}]`].filter(Boolean).join("\n");
        const content = [{ type: "text" as const, text }];
        report.ended({ content, isError: ending !== undefined, exitCode, artifactId });
        if (isTold) {
          const message = userText(userCommandMessage(command, result), report.toldAt);
          await session.addToNext(message, { sender: SENDER });
        }
        return {
          output: result.text,
          exitCode: result.exitCode,
          signal: result.signal ?? null,
          cancelled: result.isAborted,
          truncated: result.truncated,
          artifactId: result.artifactId ?? null,
        };
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        report.ended({ content: [{ type: "text", text: words }], isError: true });
        if (error instanceof ToolError) throw new UserError(error.message);
        throw error;
      } finally {
        running.delete(controller);
      }
    },
  }),
  defineProtocolCommand({
    name: "abort_bash",
    summary: "Stops the client's commands",
    answers: "`stopped`: how many",
    order: "at_once",
    fields: {},
    run: async () => {
      const stopped = running.size;
      for (const controller of running) controller.abort();
      return { stopped };
    },
  }),
];
