// The context of a running session, kept up to date entry by entry: appending costs the same
// at any length. Only a compaction, a pruning or a move in the tree builds it anew, and a
// compaction lets go of the entries that nothing needs any more. It always equals what
// buildContext makes of the same branch.

import type { SessionEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";
import {
  assembleContext,
  EMPTY_BASE,
  latestCut,
  prunedIn,
  type Context,
  type ContextBase,
  type ContextDraft,
} from "./build-context.ts";
import { foldState } from "./fold-state.ts";
import { INITIAL_STATE, type RuntimeState } from "./runtime-state.ts";

/** `needs_branch`: the view has let go of what the position needs; `reset` it with the branch. */
export type ViewStatus = "current" | "needs_branch";

export class ContextView {
  #entries: SessionEntry[] = [];
  /** What the entries before `#entries` said. */
  #base: ContextBase = EMPTY_BASE;
  #draft: ContextDraft = assembleContext([], EMPTY_BASE);
  /** Whether `#entries` begins at the root. */
  #isWhole = true;
  #status: ViewStatus = "current";

  /** `before`: what was set on the way to a branch that does not begin at the root. */
  constructor(branch: readonly SessionEntry[] = [], before: RuntimeState = INITIAL_STATE) {
    this.reset(branch, before);
  }

  get status(): ViewStatus {
    return this.#status;
  }

  get leafId(): string | null {
    return this.#entries.at(-1)?.id ?? null;
  }

  get state(): RuntimeState {
    return this.#draft.state;
  }

  /** The entries at hand, up to the leaf: at least what the context was made of. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  /** A copy of the lists, so that a request under way does not grow; the messages are shared. */
  context(): Context {
    this.#mustBeCurrent();
    const { messages, sources, state, sinceCompaction, prunedSinceReply } = this.#draft;
    return {
      messages: messages.slice(),
      sources: sources.slice(),
      state,
      sinceCompaction,
      prunedSinceReply,
    };
  }

  /** The lists themselves, for looking at: they grow with the next append. */
  get live(): Context {
    this.#mustBeCurrent();
    return this.#draft;
  }

  /** After a restart or a move: the branch from the root, or from what the leaf needs. */
  reset(branch: readonly SessionEntry[], before: RuntimeState = INITIAL_STATE): void {
    this.#entries = branch.filter(movesLeaf);
    this.#isWhole = isChain(this.#entries);
    this.#base = { ...EMPTY_BASE, state: before };
    this.#status = "current";
    this.#rebuild();
    for (const entry of branch) if (entry.type === "title") this.#takeTitle(entry);
    this.#letGo();
  }

  /** Takes every entry in the order the log acknowledged it, also those that only say where. */
  append(entry: SessionEntry): ViewStatus {
    if (entry.type === "leaf") return this.#moveTo(entry.leafId);
    if (entry.type === "title") this.#takeTitle(entry);
    if (!movesLeaf(entry) || this.#status !== "current") return this.#status;
    if (entry.parentId !== this.leafId) return this.#lose();
    this.#entries.push(entry);
    if (entry.type === "compaction") {
      const cut = latestCut(this.#entries)!;
      if (cut.keptFrom === cut.at && !this.#isWhole) return this.#lose();
      this.#rebuild();
      this.#letGo();
    } else if (entry.type === "prune") this.#rebuild();
    else {
      this.#draft.state = foldState(this.#draft.state, entry);
      this.#draft.push(entry);
    }
    return this.#status;
  }

  #moveTo(leafId: string | null): ViewStatus {
    if (leafId === null) {
      this.#entries = [];
      this.#base = EMPTY_BASE;
      this.#isWhole = true;
      this.#status = "current";
      this.#rebuild();
      return this.#status;
    }
    if (this.#status !== "current") return this.#status;
    if (leafId === this.leafId) return this.#status;
    const at = this.#entries.findLastIndex((entry) => entry.id === leafId);
    // Before the latest compaction, the context is made of what that compaction let go.
    const isInReach = this.#isWhole || at >= (latestCut(this.#entries)?.at ?? Infinity);
    if (at < 0 || !isInReach) return this.#lose();
    this.#entries.length = at + 1;
    this.#rebuild();
    return this.#status;
  }

  #rebuild(): void {
    const { title, titleSource } = this.#draft.state;
    this.#draft = assembleContext(this.#entries, this.#base);
    // A title is the session's, wherever in the tree it stands.
    if (title !== undefined) this.#draft.state = { ...this.#draft.state, title, titleSource };
  }

  #letGo(): void {
    const cut = latestCut(this.#entries);
    if (!cut || cut.keptFrom === 0) return;
    const gone = this.#entries.splice(0, cut.keptFrom);
    this.#base = {
      state: gone.reduce(foldState, this.#base.state),
      prunedIds: prunedIn(gone, this.#base.prunedIds),
    };
    this.#isWhole = false;
  }

  #takeTitle(entry: SessionEntry): void {
    this.#draft.state = foldState(this.#draft.state, entry);
  }

  #lose(): ViewStatus {
    this.#status = "needs_branch";
    return this.#status;
  }

  #mustBeCurrent(): void {
    if (this.#status !== "current") throw new Error("The context view needs its branch first.");
  }
}

function isChain(entries: readonly SessionEntry[]): boolean {
  return entries.every((entry, at) => entry.parentId === (at === 0 ? null : entries[at - 1]!.id));
}
