// The whole conversation for the viewer: every block of the branch in full, laid out when it is
// looked at. While the viewer is open it follows what goes on.

import { paintedRows } from "@tau/tui/components/text-block";
import type { SessionEntry } from "../../session/entry.ts";
import type { SessionLog } from "../../session/session-log.ts";
import { BlockList } from "../../session/projection/block-list.ts";
import type { Block, BlockChange } from "../../session/projection/block.ts";
import { consentWords } from "../../session/projection/consent-words.ts";
import { projectEntries } from "../../session/projection/project-entries.ts";
import {
  makeBlock,
  type BlockLook,
  type BlockPlace,
  type DrawnBlock,
} from "./blocks/make-block.ts";
import type { TranscriptSource } from "./screens/transcript-blocks.ts";

export class FollowedTranscript implements TranscriptSource {
  readonly #place: BlockPlace;
  readonly #list: BlockList;
  /** How often each block has changed, by its place. */
  readonly #revisions = new Map<number, number>();
  /** What draws the words that are still coming, by key: a letter must not cost a layout of all of them. */
  readonly #growing = new Map<string, DrawnBlock>();
  #changes = 0;
  onChange: () => void = () => {};

  constructor(branch: readonly SessionEntry[], place: BlockPlace) {
    this.#place = place;
    this.#list = new BlockList(projectEntries(branch));
  }

  /** Follows from the first moment on: what comes while the branch is read is not missed. */
  static async open(
    log: Pick<SessionLog, "branch">,
    follow: (follower: (change: BlockChange) => void) => () => void,
    place: BlockPlace,
  ): Promise<{ source: FollowedTranscript; unfollow: () => void }> {
    const early: BlockChange[] = [];
    let take = (change: BlockChange): void => void early.push(change);
    const unfollow = follow((change) => take(change));
    try {
      const source = new FollowedTranscript(await log.branch(), place);
      for (const change of early) source.follow(change);
      take = source.follow;
      return { source, unfollow };
    } catch (error) {
      unfollow();
      throw error;
    }
  }

  get length(): number {
    return this.#list.blocks.length;
  }

  readonly follow = (change: BlockChange): void => {
    const before = this.length;
    this.#grow(change);
    const at = this.#list.apply(change);
    if (at === undefined) return;
    this.#changes += 1;
    // What stood after a block that is gone has another place now.
    const last = this.length < before ? before : at;
    for (let place = at; place <= last; place += 1) this.#revisions.set(place, this.#changes);
    this.onChange();
  };

  revision(index: number): number {
    return this.#revisions.get(index) ?? 0;
  }

  block(index: number, columns: number): readonly string[] {
    const block = this.#list.blocks[index];
    if (!block) return [];
    const rows = this.#rows(block, columns);
    const next = this.#list.blocks[index + 1];
    // Calls of one reply stand close together, as in the conversation.
    const isClose = block.kind === "call" && next?.kind === "call" && block.reply === next.reply;
    return rows.length === 0 || isClose ? rows : [...rows, ""];
  }

  #rows(block: Block, columns: number): readonly string[] {
    const place = this.#place;
    const look: BlockLook = { hyperlinks: "off", detail: "full", hidesThinking: () => false };
    const muted = (text: string): string[] =>
      paintedRows(text, columns, place.surface.theme.style("muted"));
    const drawn = this.#drawn(block, look).component.render(columns).rows;
    if (block.kind === "call" && block.consent) {
      const { rules = [] } = block.consent;
      return [...drawn, ...muted(`  ${[consentWords(block.consent), ...rules].join(" · ")}`)];
    }
    if (block.kind !== "summary") return drawn;
    const text = makeBlock({ kind: "answer", key: block.key, text: block.text }, place, look);
    return [...drawn, ...text.component.render(columns).rows];
  }

  #drawn(block: Block, look: BlockLook): DrawnBlock {
    if (!isGrowing(block)) return makeBlock(withoutEdges(block), this.#place, look);
    const known = this.#growing.get(block.key);
    if (known) return known;
    const drawn = makeBlock({ ...block, text: block.text.trimStart() }, this.#place, look);
    this.#growing.set(block.key, drawn);
    return drawn;
  }

  #grow(change: BlockChange): void {
    if (change.type === "added") return;
    const drawn = this.#growing.get(change.key);
    if (!drawn) return;
    if (change.type === "changed" && isGrowing(change.block) && change.delta !== undefined) {
      return drawn.change(change.block, change.delta);
    }
    // It is whole, or another text: it is drawn as any other from now on.
    this.#growing.delete(change.key);
  }
}

type GrowingBlock = Extract<Block, { kind: "answer" | "thinking" }>;

function isGrowing(block: Block): block is GrowingBlock {
  return (block.kind === "answer" || block.kind === "thinking") && block.isGrowing === true;
}

/** Models begin and end thoughts with new lines. */
function withoutEdges(block: Block): Block {
  return block.kind === "thinking" ? { ...block, text: block.text.trim() } : block;
}
