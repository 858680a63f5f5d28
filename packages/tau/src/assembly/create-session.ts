// The way to a session, for every front-end and every embedding program: what its caller may
// wish, and the log that it is about. The log is being opened while the rest of Tau is loaded;
// two sessions of one process share nothing but the project that they are given.

import { currentDirectory } from "../base/working-directory.ts";
import type { Budget } from "@tau/agent/budget";
import type { Asker } from "@tau/agent/judge-call";
import type { ModelCaller } from "@tau/agent/model-caller";
import type { Tool } from "@tau/agent/tool";
import type { Environment } from "@tau/ai/environment";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import type { PromptPart } from "../context/system-prompt.ts";
import { EXTENSIONS } from "../extend/extension-book.ts";
import type { ExtensionWish } from "../extend/find-extensions.ts";
import type { Feature, FeatureWishes } from "../feature-api/feature.ts";
import type { SessionControl } from "../feature-api/session-control.ts";
import type { UserInterface } from "../feature-api/user-interface.ts";
import type { FeatureClash } from "../features/name-owners.ts";
import type { Project } from "../project/project.ts";
import type { WorkspaceTree } from "../feature-api/workspace-tree.ts";
import type { IsolatedSettings } from "./isolated-settings.ts";
import type { GivenHooks } from "./join-features.ts";
import type { StartReason } from "@tau/agent/session-hook-points";
import { ownEnvironment } from "@tau/host/process/own-environment";
import type { Session } from "../session/session.ts";
import type { SessionLog } from "../session/session-log.ts";
import {
  SessionStore,
  type SessionStoreOptions,
  type SessionWish,
} from "../session/session-store.ts";

/** What features may be told besides (`titles`, `approvalMode`) is declared by them. */
export interface CreateSessionOptions extends FeatureWishes {
  /** Where the work is done; the process's own directory where absent. */
  cwd?: string;
  /** Instead of the process's: keys, addresses, and where Tau keeps its files. */
  env?: Environment;
  /** Which session: a new one where absent; `memory` leaves nothing on disk. */
  session?: SessionWish;
  /** A selector as `--model` takes it, or a model of the caller's own with a way to call it. */
  model?: string | { model: Model; call: ModelCaller };
  thinking?: ThinkingLevel;
  apiKey?: string;
  /** Roles for this session, by the name of a profile. */
  profile?: string;
  /** Models by role, for this session; they outweigh the profile and the settings. */
  roles?: Readonly<Record<string, string>>;
  /** Patterns to choose a model from, where none is named. */
  scope?: readonly string[];
  /**
   * The session that this one works for: it has that one's project and budget unless others are given,
   * and what was allowed there for the session is allowed here.
   */
  parent?: Session;
  /** Whose it is, if it is not the user's own: its events and questions say so. */
  agent?: string;
  /** Instead of one of its own: what it shares with other sessions of the same directory. */
  project?: Project;
  /** Instead of the built-in ones. */
  features?: readonly Feature[];
  /** Modules of the user, the project or the command line; none if absent. */
  extensions?: ExtensionWish;
  /** What can put another session in its place. */
  control?: SessionControl;
  /** Whom features can ask and show something; nobody if absent. */
  ui?: UserInterface;
  /** Settings of the caller's own: the user's files are then not read. */
  settings?: IsolatedSettings;
  /** Settings files on top of the user's own. */
  overlays?: readonly string[];
  /** Names of built-in tools; all where absent. */
  toolNames?: readonly string[];
  /** If the working directory is in a tree of its own. */
  tree?: WorkspaceTree;
  /** `read` shows files as they are, and never as an outline. */
  readsWhole?: boolean;
  /** Besides the built-in ones. */
  tools?: readonly Tool[];
  /** Instead of everything that is told by itself. */
  system?: readonly string[];
  /** Instead of Tau's own words, and behind them; what is found of the project stays. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  /** After all of this, for an agent: who it is and what is expected of it. */
  agentWords?: string;
  hooks?: readonly GivenHooks[];
  ask?: Asker;
  budget?: Budget;
  maxTurns?: number;
  /**
   * Whether mail that comes while nothing runs starts a run; it does where absent. `while_pending`: as long
   * as something goes on for the session, whose end it is to hear of.
   */
  wakes?: boolean | "while_pending";
  /** The terminal's device, to find its own last session again. */
  tty?: string;
  /** Asks whoever is there; without it, a session of another directory is refused. */
  whenElsewhere?: SessionStoreOptions["whenElsewhere"];
}

export interface CreatedSession {
  session: Session;
  store: SessionStore;
  /** What it shares with the other sessions of its directory: settings, trust, services. */
  project: Project;
  /** Those that it was made of; what they offer is asked for with `session.part(KEY)`. */
  features: readonly Feature[];
  /** Why some were left out: they bring a name that is another's. The notices say so, too. */
  clashes: readonly FeatureClash[];
  /** What the model is told before anything else, by part. */
  prompt: readonly PromptPart[];
  /** What was repaired, passed over or chosen otherwise than asked, a sentence each. */
  notices: readonly string[];
}

export function createSession(options: CreateSessionOptions = {}): Promise<CreatedSession> {
  return openSession(options, { projectGoesWith: "session" });
}

/** `projectGoesWith`: who disposes of a project that was opened for it. */
export async function openSession(
  options: CreateSessionOptions,
  { projectGoesWith }: { projectGoesWith: "session" | "caller" },
): Promise<CreatedSession> {
  const {
    cwd = currentDirectory(),
    env = ownEnvironment(),
    session: wish = { kind: "new" },
    tty,
  } = options;
  const { whenElsewhere } = options;
  const store = new SessionStore({ env, cwd, tty, whenElsewhere });
  // The disk works while a model is chosen; an earlier session is read first, because it
  // says which model it was with.
  const opening = store.open(wish);
  // Its failure is told where it is awaited; on a slow machine it may come before that.
  opening.catch(() => {});
  const { assembleSession } = await import("./assemble-session.ts");
  const earlier = wish.kind === "new" || wish.kind === "memory" ? undefined : await opening;
  const given = { opening, earlier, projectGoesWith };
  const created = await assembleSession({ ...options, cwd, env }, store, given);
  return announced(created, earlier ? "resume" : "new");
}

/** For a log that is open already: a session that another one goes over into. */
export async function createSessionOn(
  log: SessionLog,
  store: SessionStore,
  options: CreateSessionOptions & { reason: StartReason; previous?: string },
): Promise<CreatedSession> {
  const { cwd = currentDirectory(), env = ownEnvironment() } = options;
  const opening = Promise.resolve(log);
  const { assembleSession } = await import("./assemble-session.ts");
  const given = { opening, earlier: log, projectGoesWith: "session" as const };
  const created = await assembleSession({ ...options, cwd, env }, store, given);
  return announced(created, options.reason, options.previous);
}

async function announced(
  created: CreatedSession,
  reason: StartReason,
  previous?: string,
): Promise<CreatedSession> {
  await created.session.announce(reason, previous);
  created.session.part(EXTENSIONS)?.settled();
  return created;
}
