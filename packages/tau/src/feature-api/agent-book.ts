// The agents of a conversation, for whoever shows them to a person: who there is, what each does, its
// transcript, and the few things that a person can do with one. The user's own session offers this part.

import { partKey } from "../base/part.ts";
import type { BlockChange } from "../session/projection/block.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { AgentView } from "./agent-view.ts";

export interface AgentBook {
  /** In the order in which they came to be. */
  views(): readonly AgentView[];
  /** How many are at work or wait for their turn. */
  readonly atWork: number;
  /** Told of every change, a few times a second at most. Returns the way to stop listening. */
  subscribe(listener: (agents: readonly AgentView[]) => void): () => void;
  /** What it has done so far; of one that sleeps from its log, without waking it. */
  openTranscript(id: string): Promise<AgentTranscript>;
  /** Into its run, or as a run of its own; one that sleeps comes back for it. Rejects if it cannot be reached. */
  say(id: string, text: string): Promise<void>;
  /** What it does now ends, and its task with it; it can be spoken to. */
  interrupt(id: string): Promise<void>;
  /** It and all that it has started, for good. */
  stop(id: string): Promise<void>;
  /** Brings back one that sleeps, to be spoken to. Rejects if it cannot come back. */
  revive(id: string): Promise<void>;
}

export interface AgentTranscript extends AsyncDisposable {
  readonly log: Pick<SessionLog, "branch">;
  /** What is seen and not over, and from then on every change. Returns the way to stop. */
  follow(follower: (change: BlockChange) => void): () => void;
}

export const AGENT_BOOK = partKey<AgentBook>("agent book");
