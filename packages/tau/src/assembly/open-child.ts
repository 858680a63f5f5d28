// Opens a session that works for another one. It shares the project and what was gathered for it, asks
// the same person and spends the same budget; its log, its tools and its words are its own.

import { NOBODY, type UserInterface } from "../feature-api/user-interface.ts";
import type { ChildLog, ChildWish } from "../feature-api/child-sessions.ts";
import { createMemorySession, createSessionLog, openSession } from "../session/log/open-session.ts";
import type { Session } from "../session/session.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { SessionStore } from "../session/session-store.ts";
import type { PlacedOptions } from "./assemble-session.ts";
import { createSessionOn, type CreateSessionOptions } from "./create-session.ts";

export interface ChildPlace {
  parent: Session;
  /** The parent's. */
  options: PlacedOptions;
  store: SessionStore;
}

export async function openChild(place: ChildPlace, wish: ChildWish): Promise<Session> {
  const { parent, options, store } = place;
  const { log: wanted, cwd = options.cwd, ...own } = wish;
  const log = await openLog(wanted, place, cwd);
  try {
    const { session } = await createSessionOn(log, store, {
      ...inherited(options, own.agent),
      ...modelOf(place, wish),
      ...own,
      cwd,
      parent,
      reason: wanted.kind === "open" ? "resume" : "new",
    });
    return session;
  } catch (error) {
    await log.close();
    throw error;
  }
}

function openLog(
  wanted: ChildLog,
  { parent, store }: ChildPlace,
  cwd: string,
): Promise<SessionLog> {
  const { surroundings } = store;
  const parentSession = parent.id;
  switch (wanted.kind) {
    case "memory":
      return Promise.resolve(createMemorySession({ cwd, parentSession }));
    case "new":
      return createSessionLog({
        ...surroundings,
        place: { path: wanted.path },
        cwd,
        parentSession,
      });
    case "open":
      return openSession(wanted.path, { ...surroundings, mode: "write" });
  }
}

/** What belongs to the user's own conversation stays there: its model, its title, its terminal. */
function inherited(options: PlacedOptions, agent: string): CreateSessionOptions {
  const {
    model: _model,
    thinking: _thinking,
    scope: _scope,
    session: _session,
    budget: _budget,
    maxTurns: _turns,
    control: _control,
    overlays: _overlays,
    tty: _tty,
    whenElsewhere: _whenElsewhere,
    ui,
    ...rest
  } = options;
  return { ...rest, titles: "off", wakes: true, ui: ui && questionsOf(ui, agent) };
}

/** A new one begins with its parent's; one that goes on has its own. */
function modelOf(
  { parent, options }: ChildPlace,
  { log, model, thinking }: ChildWish,
): Pick<CreateSessionOptions, "model" | "thinking"> {
  if (typeof options.model === "object") return { model: options.model, thinking };
  if (model !== undefined || log.kind === "open") return { model, thinking };
  const { provider, id } = parent.model;
  return { model: `${provider}/${id}`, thinking: thinking ?? parent.thinking };
}

/** Questions reach the person, with word of whose they are; panels and the rest are the parent's alone. */
function questionsOf(ui: UserInterface, agent: string): UserInterface {
  const from = (given: string | undefined): string =>
    given === undefined ? agent : `${given} in ${agent}`;
  return {
    ...NOBODY,
    front: ui.front,
    canAsk: ui.canAsk,
    select: (title, choices, options) =>
      ui.select(title, choices, { ...options, agent, from: from(options?.from) }),
    confirm: (title, message, options) =>
      ui.confirm(title, message, { ...options, agent, from: from(options?.from) }),
    questions: (posed, options) =>
      ui.questions(posed, { ...options, agent, from: from(options?.from) }),
    input: (title, options) => ui.input(title, { ...options, agent, from: from(options?.from) }),
    editText: (title, text, options) =>
      ui.editText(title, text, { ...options, agent, from: from(options?.from) }),
    notify: (text, tone, options) => ui.notify(text, tone, { from: from(options?.from) }),
  };
}
