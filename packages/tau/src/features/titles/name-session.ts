// Gives a session a name once there is something to name: after the first reply a small model
// is asked, beside the conversation. Nobody waits for it, and where it fails the first words
// of the user stay the name.

import { textOf, userText, type AssistantMessage } from "@tau/ai/message";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SessionHost } from "../../session/session-host.ts";
import { readTitle, SET_TITLE } from "./read-title.ts";
import titlePrompt from "./title-prompt.md" with { type: "text" };

const ROLES = ["title", "smol"];
/** Replies that are tried; a model that cannot name things is not asked for ever. */
const MAX_ATTEMPTS = 2;
const MAX_OUTPUT_TOKENS = 256;
/** What a name can be made of is said early. */
const QUOTED_CHARS = 2000;

export function nameSession(
  host: Pick<SessionHost, "view" | "line" | "append" | "background">,
  /** Of the user's or the project's own. */
  systemPrompt: string = titlePrompt,
): HookHandlers {
  let attempts = 0;
  let isAsking = false;

  async function nameIt(reply: AssistantMessage, signal: AbortSignal): Promise<void> {
    const first = host.view.live.messages.find((message) => message.role === "user");
    if (!first) return;
    const said = [quoted("user", textOf(first)), quoted("assistant", textOf(reply))].join("\n\n");
    const answer = await host.line.ask(
      {
        system: [systemPrompt.trim()],
        messages: [userText(said)],
        tools: [SET_TITLE],
        toolChoice: { name: SET_TITLE.name },
        maxOutput: MAX_OUTPUT_TOKENS,
      },
      { purpose: "title", roles: ROLES, signal, isQuiet: true },
    );
    const title = answer.error ? undefined : readTitle(answer);
    // The user may have named it meanwhile.
    if (title === undefined || signal.aborted || host.view.state.title !== undefined) return;
    await host.append([{ type: "title", title, source: "auto" }]);
  }

  return {
    reply: ({ message }) => {
      const isNamed = host.view.state.title !== undefined;
      if (isNamed || isAsking || attempts >= MAX_ATTEMPTS) return;
      attempts++;
      isAsking = true;
      host.background(async (signal) => {
        try {
          await nameIt(message, signal);
        } finally {
          isAsking = false;
        }
      });
    },
  };
}

function quoted(who: string, text: string): string {
  return `<${who}>\n${text.trim().slice(0, QUOTED_CHARS)}\n</${who}>`;
}
