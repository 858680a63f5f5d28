// Agents that are made up, for tests of their screens.

import type { AgentBook } from "../../../../feature-api/agent-book.ts";
import type { AgentView } from "../../../../feature-api/agent-view.ts";

export function agentView(id: string, changes: Partial<AgentView> = {}): AgentView {
  return {
    id,
    parent: "Main",
    kind: "explore",
    description: "where sessions are locked",
    state: "running",
    isIsolated: false,
    model: "ollama/some-model",
    doing: "read: src/lock.ts",
    requests: 3,
    tokens: 45_000,
    costUsd: 0.031,
    startedAt: 0,
    lastActiveAt: 0,
    unread: 0,
    ...changes,
  };
}

export type ScreenBook = Pick<AgentBook, "views" | "subscribe" | "say" | "stop" | "revive">;

export interface FakeBook extends ScreenBook {
  /** What was done with them, in order. */
  readonly done: string[];
  set(agents: readonly AgentView[]): void;
}

export function fakeBook(first: readonly AgentView[]): FakeBook {
  const listeners = new Set<(agents: readonly AgentView[]) => void>();
  let agents = first;
  const done: string[] = [];
  return {
    done,
    views: () => agents,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async say(id, text) {
      done.push(`say ${id}: ${text}`);
    },
    async stop(id) {
      done.push(`stop ${id}`);
    },
    async revive(id) {
      done.push(`revive ${id}`);
    },
    set(now) {
      agents = now;
      for (const listener of listeners) listener(now);
    },
  };
}
