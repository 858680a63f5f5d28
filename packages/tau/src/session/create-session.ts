// The way to a session, for every front-end and every embedding program: what its caller may
// wish, and the log that it is about. The log is being opened while the rest of Tau is loaded;
// nothing is shared between two sessions of one process.

import type { Budget } from "@tau/agent/budget";
import type { HookHandlers, HookOwner } from "@tau/agent/hooks";
import type { Asker } from "@tau/agent/judge-call";
import type { ModelCaller } from "@tau/agent/model-caller";
import type { Tool } from "@tau/agent/tool";
import type { Environment } from "@tau/ai/environment";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import type { Approval } from "../features/approval/approval-behaviour.ts";
import type { ApprovalMode } from "../features/approval/settings.ts";
import type { CellHome } from "../tools/eval/tool.ts";
import type { SecretVault } from "../features/secrets/secret-vault.ts";
import type { TodoList } from "../features/todo/todo-list.ts";
import type { Settings } from "../config/settings.ts";
import type { AvailableInstructions } from "../context/available-instructions.ts";
import type { PromptPart } from "../context/system-prompt.ts";
import type { ModelSettings } from "../model/model-settings.ts";
import type { FileToolSettings } from "../tools/file-tool-settings.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { Session, StartReason } from "./session.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionSettings } from "./session-settings.ts";
import { SessionStore, type SessionStoreOptions, type SessionWish } from "./session-store.ts";

export interface CreateSessionOptions {
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
  /** Patterns to choose a model from, where none is named. */
  scope?: readonly string[];
  /** Settings of the caller's own: the user's files are then not read. */
  settings?: IsolatedSettings;
  /** Settings files on top of the user's own. */
  overlays?: readonly string[];
  /** Names of built-in tools; all where absent. */
  toolNames?: readonly string[];
  /** Besides the built-in ones. */
  tools?: readonly Tool[];
  /** Instead of everything that is told by itself. */
  system?: readonly string[];
  /** Instead of Tau's own words, and behind them; what is found of the project stays. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  hooks?: readonly { owner: HookOwner; handlers: HookHandlers }[];
  ask?: Asker;
  /** Instead of the user's setting. */
  approvalMode?: ApprovalMode;
  budget?: Budget;
  maxTurns?: number;
  /** Whether a model names the session; off where absent. */
  titles?: "on" | "off";
  /** Whether mail that comes while nothing runs starts a run; it does where absent. */
  wakes?: boolean;
  /** The terminal's device, to find its own last session again. */
  tty?: string;
  /** Asks whoever is there; without it, a session of another directory is refused. */
  whenElsewhere?: SessionStoreOptions["whenElsewhere"];
}

export interface IsolatedSettings {
  session?: Partial<SessionSettings>;
  tools?: Partial<FileToolSettings>;
  models?: Partial<ModelSettings>;
}

export interface CreatedSession {
  session: Session;
  store: SessionStore;
  /** What is kept from models, where anything is. */
  vault?: SecretVault;
  /** What the session's tools share: the agent's shells, jobs and artifacts. */
  workspace: Workspace;
  /** For cells of the user's own; absent where there are none. */
  cells?: CellHome;
  /** What may run, and what the user has allowed. */
  approval: Approval;
  /** The settings it was made with. */
  settings: Settings;
  /** What can be called by name; absent where the caller brings settings of its own. */
  instructions?: AvailableInstructions;
  /** What the model works through; absent where it has no list. */
  todos?: TodoList;
  /** What the model is told before anything else, by part. */
  prompt: readonly PromptPart[];
  /** What was repaired, passed over or chosen otherwise than asked, a sentence each. */
  notices: readonly string[];
}

export async function createSession(options: CreateSessionOptions = {}): Promise<CreatedSession> {
  const { cwd = process.cwd(), env = process.env, session: wish = { kind: "new" }, tty } = options;
  const { whenElsewhere } = options;
  const store = new SessionStore({
    env,
    cwd,
    ...(tty === undefined ? {} : { tty }),
    ...(whenElsewhere ? { whenElsewhere } : {}),
  });
  // The disk works while a model is chosen; an earlier session is read first, because it
  // says which model it was with.
  const opening = store.open(wish);
  // Its failure is told where it is awaited; on a slow machine it may come before that.
  opening.catch(() => {});
  const { assembleSession } = await import("./assemble-session.ts");
  const earlier = wish.kind === "new" || wish.kind === "memory" ? undefined : await opening;
  const created = await assembleSession({ ...options, cwd, env }, store, { opening, earlier });
  await created.session.announce(earlier ? "resume" : "new");
  return created;
}

/** For a log that is open already: a session that another one goes over into. */
export async function createSessionOn(
  log: SessionLog,
  store: SessionStore,
  options: CreateSessionOptions & { reason: StartReason },
): Promise<CreatedSession> {
  const { cwd = process.cwd(), env = process.env } = options;
  const opening = Promise.resolve(log);
  const { assembleSession } = await import("./assemble-session.ts");
  const created = await assembleSession({ ...options, cwd, env }, store, { opening, earlier: log });
  await created.session.announce(options.reason);
  return created;
}
