// What a line that begins with a slash does: commands to Tau itself, not words to the model.

import { THINKING_LEVELS, type ThinkingLevel } from "@tau/ai/model";
import { suggest } from "../base/suggest.ts";
import type { ActiveSession } from "../assembly/active-session.ts";
import { findSessionCommand, runSessionCommand } from "../session/session-command.ts";
import { UserError } from "../user-error.ts";

export interface LineCommand {
  name: string;
  /** What follows the name, for the help. */
  argument?: string;
  help: string;
  /** What to say about it when it is done. */
  run(active: ActiveSession, argument: string): Promise<string>;
}

export type Said = { type: "done" | "failed"; text: string };

/** What every front-end with a person offers. */
export const LINE_COMMANDS: readonly LineCommand[] = [
  {
    name: "help",
    help: "show this help",
    run: async (active) => helpText(active),
  },
  {
    name: "new",
    help: "start a new session",
    run: async (active) => {
      await active.startNew();
      return "Started a new session.";
    },
  },
  {
    name: "fork",
    help: "continue in a copy of this session",
    run: async (active) => {
      await active.fork();
      return "This is a copy now; the original session is unchanged.";
    },
  },
  {
    name: "resume",
    argument: "ID",
    help: "resume another session",
    run: async (active, wanted) => {
      if (wanted === "")
        throw new UserError("name a session: /resume ID (`tau sessions` lists them)");
      await active.resume(wanted);
      return `Resumed ${active.session.state.title ?? active.session.id}.`;
    },
  },
  {
    name: "compact",
    argument: "[WHAT TO KEEP]",
    help: "compact (summarise) the conversation so far",
    run: async (active, instructions) => {
      const report = await active.compact({ instructions: instructions || undefined });
      if (report.type === "dropped") return report.message;
      // The numbers were told as it happened.
      return report.type === "handoff" ? "Continuing in a new session." : "Done.";
    },
  },
  {
    name: "model",
    argument: "[NAME]",
    help: "show or change the model",
    run: async ({ session }, selector) => {
      if (selector !== "") await session.setModel(selector);
      const { provider, id } = session.model;
      return `The model is ${provider}/${id}${session.thinking ? `, thinking ${session.thinking}` : ""}.`;
    },
  },
  {
    name: "thinking",
    argument: "LEVEL",
    help: `set the thinking level, from ${THINKING_LEVELS[0]} to ${THINKING_LEVELS.at(-1)}`,
    run: async ({ session }, word) => {
      const level = THINKING_LEVELS.find((known) => known === word) as ThinkingLevel | undefined;
      if (!level) throw new UserError(`choose one of ${THINKING_LEVELS.join(", ")}`);
      await session.setThinking(level);
      return `Thinking ${level}.`;
    },
  },
  {
    name: "rename",
    argument: "NAME",
    help: "rename this session",
    run: async ({ session }, title) => {
      if (title === "") throw new UserError("give the new name: /rename NAME");
      await session.rename(title);
      return `Renamed this session to "${title}".`;
    },
  },
  {
    name: "session",
    help: "show this session's title, id and file",
    run: async ({ session }) => {
      const { title } = session.state;
      const place = session.log.path ?? "kept in memory only";
      return [title, session.id, place].filter(Boolean).join("\n");
    },
  },
];

export function isLineCommand(active: ActiveSession, line: string): boolean {
  const [word] = line.slice(1).split(/\s+/);
  return allCommands(active).some(({ name }) => name === word);
}

export async function runLineCommand(active: ActiveSession, line: string): Promise<Said> {
  const [word = "", ...rest] = line.slice(1).split(/\s+/);
  const command = LINE_COMMANDS.find(({ name }) => name === word);
  const called = findSessionCommand(active.session.commands, line);
  if (!command && !called) return { type: "failed", text: unknownText(active, word) };
  try {
    const text = command
      ? await command.run(active, rest.join(" "))
      : await runSessionCommand(called!, active);
    return { type: "done", text: text ?? "" };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { type: "failed", text: error.message };
  }
}

/** The front-end's own, and those that features brought. */
function allCommands(active: ActiveSession): Pick<LineCommand, "name" | "argument" | "help">[] {
  return [...LINE_COMMANDS, ...active.session.commands];
}

function unknownText(active: ActiveSession, word: string): string {
  const near = suggest(
    word,
    allCommands(active).map(({ name }) => name),
  );
  const hint = near === undefined ? "/help lists them" : `did you mean /${near}?`;
  return `There is no command /${word}; ${hint}.`;
}

function helpText(active: ActiveSession): string {
  const rows = [
    ...allCommands(active).map(({ name, argument, help }) => [
      `/${name} ${argument ?? ""}`.trim(),
      help,
    ]),
    ["/exit", "quit (also Ctrl-D)"],
    ["Ctrl-C", "interrupt the current answer"],
  ] as [string, string][];
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
  return ["Describe what you want done in this directory.", ...lines].join("\n");
}
