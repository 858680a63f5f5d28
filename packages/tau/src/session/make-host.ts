// A session as its members see it: what they may use, and nothing that is only the session's own.

import type { ForcedChoices } from "@tau/agent/forced-choices";
import type { ModelLine } from "../model/model-line.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { ContextView } from "./context/context-view.ts";
import type { IdleWork } from "./idle-work.ts";
import type { Session } from "./session.ts";
import type { SessionHost } from "./session-host.ts";

/** What a session keeps to itself but for this. */
export interface SessionInnards {
  view: ContextView;
  line: ModelLine;
  forcedChoices: ForcedChoices;
  background: BackgroundWork;
  idleWork: IdleWork;
}

export function makeHost(session: Session, innards: SessionInnards): SessionHost {
  const { view, line, forcedChoices, background, idleWork } = innards;
  return {
    sessionId: session.id,
    log: session.log,
    get model() {
      return session.model;
    },
    get system() {
      return session.system;
    },
    get isBusy() {
      return session.isBusy;
    },
    view,
    mailbox: session.mailbox,
    forcedChoices,
    hooks: session.hooks,
    tools: () => session.tools.specs(),
    append: (entries) => session.append(entries),
    line: {
      ask: (request, options) => line.ask(request, options),
      asSent: (messages) => line.asSent(messages),
      askService: (service, request, options) => line.askService(service, request, options),
    },
    promote: (failure) => line.promote(failure),
    recover: line.recover,
    callTool: (name, args, signal) => session.callTool(name, args, signal),
    notify: session.emit,
    hide: session.hide,
    part: (key) => session.parts.get(key),
    need: (key) => session.parts.need(key),
    background: (work) => background.start(work),
    whenIdle: (afterMs, work) => idleWork.add(afterMs, work),
  };
}
