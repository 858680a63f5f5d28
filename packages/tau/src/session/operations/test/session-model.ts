// The simplest thing that a session could be: a list of entries that each know their parent,
// and a few variables. What the operations do to files is compared with what they do to this.

import { expect } from "bun:test";
import type { SessionEntry } from "../../entry.ts";
import { movesLeaf } from "../../entry-kinds.ts";
import type { SessionLog } from "../../session-log.ts";

export class SessionModel {
  /** Positions of the tree, in the order they were made. */
  readonly nodes: { id: string; parentId: string | null }[] = [];
  readonly labels = new Map<string, string>();
  leafId: string | null = null;
  title: string | undefined;

  static of(other: SessionModel): SessionModel {
    const copy = new SessionModel();
    copy.nodes.push(...other.nodes);
    for (const [id, label] of other.labels) copy.labels.set(id, label);
    copy.leafId = other.leafId;
    copy.title = other.title;
    return copy;
  }

  add(entry: Pick<SessionEntry, "id">): void {
    this.nodes.push({ id: entry.id, parentId: this.leafId });
    this.leafId = entry.id;
  }

  parentOf(id: string): string | null {
    return this.nodes.find((node) => node.id === id)!.parentId;
  }

  pathTo(id: string | null): string[] {
    const path: string[] = [];
    for (let at = id; at !== null; at = this.parentOf(at)) path.unshift(at);
    return path;
  }

  /** Only the way to `leafId`, as a branch has it. */
  branchedAt(leafId: string | null): SessionModel {
    const way = new Set(this.pathTo(leafId));
    const branch = new SessionModel();
    branch.nodes.push(...this.nodes.filter(({ id }) => way.has(id)));
    for (const [id, label] of this.labels) if (way.has(id)) branch.labels.set(id, label);
    branch.leafId = leafId;
    branch.title = this.title;
    return branch;
  }
}

export async function expectModel(log: SessionLog, model: SessionModel): Promise<void> {
  expect(log.leafId).toBe(model.leafId);
  expect(log.title).toBe(model.title);
  expect(new Map(await log.labels())).toEqual(model.labels);
  const entries = await Array.fromAsync(log.entries());
  const positions = entries.filter(movesLeaf);
  expect(positions.map(({ id, parentId }) => ({ id, parentId }))).toEqual(model.nodes);
  expect((await log.branch()).map(({ id }) => id)).toEqual(model.pathTo(model.leafId));
}
