// A tree with folding. A path in it can be marked: the way to where one is.

import type { FocusableComponent, Rendered, RequestRender } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { displayWidth } from "../width.ts";
import { cleanLine } from "./clean-text.ts";
import { ScrollWindow } from "./scroll-window.ts";
import { SelectionKeys, type SelectionAction } from "./selection-actions.ts";
import { fitSpans, type Span } from "./spans.ts";

export interface TreeNode {
  id: string;
  label: string;
  detail?: string;
  children?: readonly TreeNode[];
}

export interface TreeViewOptions {
  roots: readonly TreeNode[];
  theme: Theme;
  requestRender: RequestRender;
  onChoose(node: TreeNode): void;
  onCancel?(): void;
  /** Ids from a root to where one is. */
  markedPath?: readonly string[];
  /** Ids that are folded at first. */
  folded?: Iterable<string>;
  maxRows?: number;
  bindings?: KeyBindings;
}

interface TreeRow {
  node: TreeNode;
  parent: number;
  guides: string;
}

const DEFAULT_MAX_ROWS = 15;
// Guides beyond this depth would leave no room for labels; deeper nodes stand at it.
const MAX_GUIDE_DEPTH = 24;

export class TreeView implements FocusableComponent {
  readonly state = "live";
  readonly #options: TreeViewOptions;
  readonly #keys: SelectionKeys;
  readonly #window = new ScrollWindow();
  readonly #folded: Set<string>;
  readonly #marked: ReadonlySet<string>;
  #rows: TreeRow[] = [];

  constructor(options: TreeViewOptions) {
    this.#options = options;
    this.#keys = new SelectionKeys(options.bindings);
    this.#folded = new Set(options.folded);
    this.#marked = new Set(options.markedPath);
    this.#flatten();
    const end = options.markedPath?.at(-1);
    if (end !== undefined) this.select(end);
  }

  get selected(): TreeNode | undefined {
    return this.#rows[this.#window.selected]?.node;
  }

  select(id: string): void {
    const index = this.#rows.findIndex(({ node }) => node.id === id);
    if (index >= 0) this.#window.select(index, this.#rows.length);
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    const { from, to } = this.#window.view(this.#rows.length, this.#maxRows);
    const rows = this.#rows
      .slice(from, to)
      .map((row, index) => this.#draw(row, from + index, width));
    if (this.#rows.length > to - from) {
      const text = `${this.#window.selected + 1} of ${this.#rows.length}`;
      rows.push(fitSpans([{ text, paint: this.#options.theme.style("muted") }], width));
    }
    return { rows, stableRows: 0 };
  }

  handleKey(input: KeyInput): boolean {
    if (input.type === "paste") return false;
    const action = this.#keys.actionOf(input);
    const taken = action !== undefined && this.#act(action);
    if (taken) this.#options.requestRender();
    return taken;
  }

  get #maxRows(): number {
    return Math.max(1, this.#options.maxRows ?? DEFAULT_MAX_ROWS);
  }

  #act(action: SelectionAction): boolean {
    const at = this.#window.selected;
    const row = this.#rows[at];
    const go = (index: number): boolean => {
      this.#window.select(index, this.#rows.length);
      return true;
    };
    if (action === "cancel" && this.#options.onCancel) {
      this.#options.onCancel();
      return true;
    }
    if (!row) return false;
    const hasChildren = (row.node.children?.length ?? 0) > 0;
    const isFolded = this.#folded.has(row.node.id);
    switch (action) {
      case "up":
        return go(at - 1);
      case "down":
        return go(at + 1);
      case "pageUp":
        return go(at - this.#maxRows);
      case "pageDown":
        return go(at + this.#maxRows);
      case "first":
        return go(0);
      case "last":
        return go(this.#rows.length - 1);
      case "left":
        if (hasChildren && !isFolded) return this.#fold(row.node.id, "fold");
        return go(row.parent < 0 ? at : row.parent);
      case "right":
        if (hasChildren && isFolded) return this.#fold(row.node.id, "unfold");
        return go(hasChildren ? at + 1 : at);
      case "accept":
        this.#options.onChoose(row.node);
        return true;
      default:
        return false;
    }
  }

  #fold(id: string, how: "fold" | "unfold"): boolean {
    if (how === "fold") this.#folded.add(id);
    else this.#folded.delete(id);
    this.#flatten();
    this.select(id);
    return true;
  }

  /** Without recursion: a conversation is a tree thousands deep. */
  #flatten(): void {
    const { treeBranch, treeLast, treeLine } = this.#options.theme.symbols;
    const rows: TreeRow[] = [];
    type Pending = {
      node: TreeNode;
      parent: number;
      before: string;
      depth: number;
      isLast: boolean;
    };
    const pendingOf = (
      nodes: readonly TreeNode[],
      parent: number,
      before: string,
      depth: number,
    ): Pending[] =>
      nodes
        .map((node, index) => ({ node, parent, before, depth, isLast: index === nodes.length - 1 }))
        .toReversed();
    const stack = pendingOf(this.#options.roots, -1, "", 0);
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, parent, before, depth, isLast } = next;
      const isRoot = depth === 0;
      rows.push({ node, parent, guides: isRoot ? "" : before + (isLast ? treeLast : treeBranch) });
      if (!node.children || this.#folded.has(node.id)) continue;
      const line = isLast ? " ".repeat(displayWidth(treeLine)) : treeLine;
      const inner = isRoot || depth > MAX_GUIDE_DEPTH ? before : before + line;
      const children = pendingOf(node.children, rows.length - 1, inner, depth + 1);
      for (const child of children) stack.push(child);
    }
    this.#rows = rows;
  }

  #draw({ node, guides }: TreeRow, index: number, columns: number): string {
    const { theme } = this.#options;
    const { folded, unfolded, pointer, marked } = theme.symbols;
    const isSelected = index === this.#window.selected;
    const hasChildren = (node.children?.length ?? 0) > 0;
    const fold = hasChildren ? (this.#folded.has(node.id) ? folded : unfolded) : " ";
    const isMarked = this.#marked.has(node.id);
    const paint = theme.style(isSelected ? "accent" : isMarked ? "success" : "text");
    const muted = theme.style("muted");
    const spans: Span[] = [
      { text: `${isSelected ? pointer : " ".repeat(displayWidth(pointer))} `, paint },
      { text: `${guides}${fold} `, paint: muted },
      { text: isMarked ? `${marked} ` : "", paint: theme.style("success") },
      { text: cleanLine(node.label), paint },
      { text: node.detail === undefined ? "" : `  ${cleanLine(node.detail)}`, paint: muted },
    ];
    return fitSpans(spans, columns);
  }
}
