// Commands about the conversation as a whole: another one, a copy, a shorter one, its name.

import type { CompactionReport } from "@tau/agent/session-hook-points";
import { describeFailure } from "../../session/projection/describe-failure.ts";
import { UserError } from "../../user-error.ts";
import type { Command } from "./command.ts";

export const CONVERSATION_COMMANDS: readonly Command[] = [
  {
    name: "new",
    aliases: ["clear"],
    help: "start a new session",
    run: async ({ active }) => {
      await active.startNew();
      return "Started a new session.";
    },
  },
  {
    name: "fork",
    help: "continue in a copy of this session",
    run: async ({ active }) => {
      await active.fork();
      return "This is a copy now; the original session is unchanged.";
    },
  },
  {
    name: "compact",
    argument: "[WHAT TO KEEP]",
    help: "compact (summarise) the conversation so far",
    isLong: true,
    run: async ({ active, by }, given) => {
      const instructions = given === "" ? undefined : given;
      const report = await active.compact({ instructions });
      if (report.type === "dropped") return sayDropped(report);
      if (report.type === "handoff") return "Continuing in a new session.";
      // Whoever watches has seen the numbers as it happened.
      return by === "person" ? undefined : "Done.";
    },
  },
  {
    name: "handoff",
    argument: "[WHAT MATTERS]",
    help: "continue in a new session, from a handoff document",
    isLong: true,
    run: async ({ active }, given) => {
      const instructions = given === "" ? undefined : given;
      const report = await active.compact({ strategy: "handoff", instructions });
      if (report.type === "dropped") return sayDropped(report);
      return report.type === "handoff"
        ? "Continuing in a new session; the old one is in the list of sessions."
        : "The model wrote no document, so the conversation was summarised instead.";
    },
  },
  {
    name: "rename",
    argument: "NAME",
    help: "rename this session",
    run: async ({ active: { session } }, title) => {
      if (title === "") throw new UserError("give the new name: /rename NAME");
      await session.rename(title);
      return `Renamed this session to "${title}".`;
    },
  },
  {
    name: "session",
    help: "show this session's title, id and file",
    run: async ({ active: { session } }) => {
      const { title } = session.state;
      const place = session.log.path ?? "kept in memory only";
      return [title, session.id, place].filter(Boolean).join("\n");
    },
  },
];

/** That there is nothing to do is an answer; that the model failed is not. */
function sayDropped({ message, failure }: Extract<CompactionReport, { type: "dropped" }>): string {
  if (!failure) return message;
  const { sentence, exitCode } = describeFailure(failure);
  throw new UserError(`the conversation is unchanged: ${sentence}`, exitCode);
}
