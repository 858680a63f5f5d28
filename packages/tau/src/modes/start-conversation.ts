// A conversation in the terminal: with everything a terminal can do, or plain lines where it can
// do nothing but print (`TERM=dumb`: an editor's shell window, a serial line).

import type { UserMessage } from "@tau/ai/message";
import { ownEnvironment } from "@tau/host/process/own-environment";
import { terminalDevice } from "../base/is-terminal.ts";
import type { ExitCode } from "../exit-code.ts";
import type { CreateSessionOptions } from "../assembly/create-session.ts";
import type { SessionWish } from "../session/session-store.ts";
import { PersonAtTerminal } from "./person.ts";

export interface ConversationStart {
  cwd: string;
  first?: UserMessage;
}

export async function startConversation(
  options: CreateSessionOptions,
  start: ConversationStart,
): Promise<ExitCode> {
  const env = ownEnvironment();
  const person = new PersonAtTerminal();
  const tty = terminalDevice();
  const whole: CreateSessionOptions = {
    ...options,
    // A name is for people who will look for it.
    titles: "on",
    wakes: true,
    ask: (question, { signal }) => person.ask(question, signal),
    tty,
  };
  if (env.TERM === "dumb") {
    const { startPlainly } = await import("./plain/converse.ts");
    return startPlainly(whole, { ...start, person });
  }
  const { App } = await import("./interactive/app.ts");
  const app = new App({
    ...start,
    env,
    person,
    open: async ({ surface, ui }) => {
      const { ActiveSession } = await import("../assembly/active-session.ts");
      return ActiveSession.open({
        ...whole,
        ui,
        session: await sessionWish(whole, start.cwd),
        whenElsewhere: async (found) => {
          const { openElsewhereQuestion } = await import("./interactive/screens/choice-screens.ts");
          return openElsewhereQuestion(surface, found);
        },
      });
    },
  });
  return app.run();
}

/** Whoever asks for nothing in particular may have settled to go on where they were. */
async function sessionWish(
  { session = { kind: "new" }, overlays }: CreateSessionOptions,
  cwd: string,
): Promise<SessionWish> {
  if (session.kind !== "new") return session;
  const [{ openUserSettings }, { INTERACTION_ROWS }] = await Promise.all([
    import("../features/open-user-settings.ts"),
    import("../looks/interaction-settings.ts"),
  ]);
  const settings = await openUserSettings({
    env: ownEnvironment(),
    cwd,
    overlays,
  });
  return settings.group(INTERACTION_ROWS).autoResume ? { kind: "continue" } : session;
}
