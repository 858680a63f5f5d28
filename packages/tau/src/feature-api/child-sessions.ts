// How a feature comes by a session that works for the one it is in: an agent. Only the assembly can put
// a session together, so that it brings the way; what the child is to be like is said here.

import type { Budget } from "@tau/agent/budget";
import type { ThinkingLevel } from "@tau/ai/model";
import { partKey } from "../base/part.ts";
import type { Session } from "../session/session.ts";
import type { FeatureWishes } from "./feature.ts";
import type { WorkspaceTree } from "./workspace-tree.ts";

/** `new`: there is nothing at the path yet. `open`: it is there, and is gone on with. */
export type ChildLog =
  | { readonly kind: "new" | "open"; readonly path: string }
  /** Its parent keeps nothing, either. */
  | { readonly kind: "memory" };

/** What is not said is the parent's: project, model, rules of consent, extensions, whoever is asked. */
export interface ChildWish extends FeatureWishes {
  /** Its name: its events and questions carry it. */
  readonly agent: string;
  readonly log: ChildLog;
  /** If it works in a tree of its own. */
  readonly cwd?: string;
  readonly tree?: WorkspaceTree;
  /** A selector; of a log that is gone on with, that one's model if absent. */
  readonly model?: string;
  readonly thinking?: ThinkingLevel;
  readonly toolNames: readonly string[];
  /** `read` shows it files as they are, and never as an outline. */
  readonly readsWhole?: boolean;
  /** After everything that the parent is told, too. */
  readonly agentWords?: string;
  readonly budget?: Budget;
}

/** A `UserError` if there is no such model, or no key for it; `SessionLocked` if the log is in use. */
export type OpenChild = (wish: ChildWish) => Promise<Session>;

/** Of every session. */
export const OPEN_CHILD = partKey<OpenChild>("child sessions");
