// `/agents`: who works for the conversation. A list where there are only words, a screen otherwise.

import { AGENT_BOOK, type AgentBook } from "../../feature-api/agent-book.ts";
import type { AgentView } from "../../feature-api/agent-view.ts";
import type { ActiveSession } from "../../assembly/active-session.ts";
import { suggest } from "../../base/suggest.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "../interactive/app-context.ts";
import type { Command } from "./command.ts";

const NONE = "There are no agents. The model starts them with the task tool.";
const OFF = "agents are off in this session: see task.enabled";

export const AGENT_COMMANDS: readonly Command[] = [
  {
    name: "agents",
    argument: "[NAME]",
    help: "show the agents: watch one, write to it, stop it",
    when: "any",
    complete: ({ active }) =>
      bookOf(active)
        ?.views()
        .map(({ id }) => id) ?? [],
    run: async ({ active }, name) => {
      const agents = needBook(active).views();
      if (name !== "") return describe(find(name, agents));
      return agents.length === 0 ? NONE : agents.map(describe).join("\n");
    },
    screen: async (app, name) => {
      const book = needBook(app.active);
      const openTranscript = await opener(app, book);
      if (name === "") {
        const { openAgentHub } = await import("../interactive/screens/agent-hub.ts");
        await openAgentHub(app.surface, { book, openTranscript });
        return undefined;
      }
      const { id } = find(name, book.views());
      const { openAgentScreen } = await import("../interactive/screens/agent-screen.ts");
      await openAgentScreen(app.surface, { id, book, openTranscript });
      return undefined;
    },
  },
];

async function opener(app: AppContext, book: AgentBook) {
  const { openAgentTranscript } = await import("../interactive/agent-transcript.ts");
  const { surface, cwd, highlighter } = app;
  const place = {
    surface,
    cwd,
    highlighter,
    viewOf: (name: string) => app.viewOf(name),
    entryViewOf: (customType: string) => app.entryViewOf(customType),
  };
  return (id: string, onChange: () => void) =>
    openAgentTranscript(book, id, { ...place, onChange });
}

function bookOf({ session }: Pick<ActiveSession, "session">): AgentBook | undefined {
  return session.part(AGENT_BOOK);
}

function needBook(active: Pick<ActiveSession, "session">): AgentBook {
  const book = bookOf(active);
  if (!book) throw new UserError(OFF);
  return book;
}

function find(name: string, agents: readonly AgentView[]): AgentView {
  const lower = name.toLowerCase();
  const found = agents.find(({ id }) => id.toLowerCase() === lower);
  if (found) return found;
  const near = suggest(
    name,
    agents.map(({ id }) => id),
  );
  throw new UserError(`there is no agent "${name}"${near ? `; did you mean ${near}?` : ""}`);
}

function describe(agent: AgentView): string {
  const { id, kind, state, end, doing, description, parent, error } = agent;
  const how = state === "idle" || state === "parked" ? (end ?? state) : state;
  const words = error ?? doing ?? description;
  return `${id} (${kind}, ${how}, for ${parent})${words === undefined ? "" : `: ${words}`}`;
}
