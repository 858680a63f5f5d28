// The general parts: diffs, tables, lists, trees, tabs, bars, panels and hints.

import { createAnimationClock } from "@tau/tui/components/animation-clock";
import { DiffView, type DiffLine } from "@tau/tui/components/diff-view";
import { KeyHints } from "@tau/tui/components/key-hints";
import { ListView } from "@tau/tui/components/list-view";
import { Panel } from "@tau/tui/components/panel";
import { ProgressBar } from "@tau/tui/components/progress-bar";
import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { Spinner } from "@tau/tui/components/spinner";
import { TableView } from "@tau/tui/components/table-view";
import { Tabs } from "@tau/tui/components/tabs";
import { TextBlock } from "@tau/tui/components/text-block";
import { TreeView, type TreeNode } from "@tau/tui/components/tree-view";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import {
  captioned,
  type GalleryItem,
  type GalleryLook,
  type GallerySection,
} from "./gallery-section.ts";

const nothing = (): void => undefined;

const DIFF: readonly DiffLine[] = [
  { kind: "context", text: "function total(prices) {", oldLine: 8, newLine: 8 },
  { kind: "removed", text: "  let sum = 0;", oldLine: 9 },
  { kind: "added", text: "  let sum = start;", newLine: 9 },
  {
    kind: "context",
    text: "  for (const price of prices) sum += price;",
    oldLine: 10,
    newLine: 10,
  },
  { kind: "gap" },
  { kind: "added", text: "// one price a line", newLine: 120 },
];

const FILES: readonly TreeNode[] = [
  {
    id: "src",
    label: "src",
    children: [
      { id: "a", label: "lexer.ts", detail: "120 lines" },
      { id: "b", label: "printer", children: [{ id: "c", label: "layout.ts" }] },
      { id: "d", label: "folded", children: [{ id: "e", label: "unseen" }] },
    ],
  },
  { id: "readme", label: "README.md" },
];

const ITEMS = [
  { value: 1, label: "claude-opus", detail: "anthropic, 200k" },
  { value: 2, label: "gpt-5", detail: "openai, 400k" },
  { value: 3, label: "a-model-with-a-name-that-goes-on", detail: "somewhere" },
];

const list = ({ theme }: GalleryLook, maxRows = 10): ListView<number> =>
  new ListView({ items: ITEMS, theme, requestRender: nothing, onChoose: nothing, maxRows });

/** A clock that stands still, so that a picture of it does, too. */
const still = () => ({
  ...createAnimationClock(nothing),
  keepGoing: nothing,
  frame: 0,
  running: false,
});

const items: readonly GalleryItem[] = [
  {
    name: "diff",
    rows: ({ theme, columns }) => new DiffView({ lines: DIFF, theme }).render(columns).rows,
  },
  {
    name: "table",
    rows(look) {
      const view = new TableView({
        theme: look.theme,
        header: ["model", "context", "price"],
        rows: [
          ["claude-opus", "200k", "15.00"],
          ["a model whose name is much longer than any table would like it to be", "8k", "0"],
        ],
        alignments: ["left", "right", "right"],
      });
      return captioned(look, [
        ["as wide as it needs", view.render(look.columns).rows],
        ["narrow", view.render(Math.min(40, look.columns)).rows],
        ["folded", view.render(Math.min(16, look.columns)).rows],
      ]);
    },
  },
  {
    name: "list",
    rows(look) {
      const filtered = list(look);
      filtered.handleKey({ type: "paste", text: "gp" });
      const empty = list(look);
      empty.handleKey({ type: "paste", text: "zzz" });
      return captioned(look, [
        ["all", list(look).render(look.columns).rows],
        ["filtered", filtered.render(look.columns).rows],
        ["nothing matches", empty.render(look.columns).rows],
        ["longer than its window", list(look, 2).render(look.columns).rows],
      ]);
    },
  },
  {
    name: "tree",
    rows: ({ theme, columns }) =>
      new TreeView({
        roots: FILES,
        theme,
        requestRender: nothing,
        onChoose: nothing,
        markedPath: ["src", "b", "c"],
        folded: ["d"],
      }).render(columns).rows,
  },
  {
    name: "tabs",
    rows: (look) =>
      new Tabs({
        theme: look.theme,
        requestRender: nothing,
        tabs: [
          { title: "Models", content: list(look) },
          { title: "Themes", content: new TextBlock({ text: "unseen" }) },
        ],
      }).render(look.columns).rows,
  },
  {
    name: "progress",
    rows(look) {
      const bar = (fraction: number | undefined): readonly string[] => {
        const view = new ProgressBar({ clock: still(), theme: look.theme, label: "indexing" });
        view.set(fraction);
        return view.render(look.columns).rows;
      };
      const spinner = new Spinner({ clock: still(), theme: look.theme, label: "thinking" });
      const going = spinner.render(look.columns).rows;
      spinner.finish("error", "gave up");
      return captioned(look, [
        ["unknown end", bar(undefined)],
        ["a third", bar(1 / 3)],
        ["done", bar(1)],
        ["spinner", going],
        ["spinner, ended badly", spinner.render(look.columns).rows],
      ]);
    },
  },
  {
    name: "panel",
    rows: ({ theme, columns }) =>
      new Panel({
        title: "A title",
        theme,
        content: new TextBlock({ text: "Some words in a frame.\nAnd a second line of them." }),
      }).render(columns).rows,
  },
  {
    name: "key-hints",
    rows: ({ theme, columns }) =>
      new KeyHints({
        theme,
        bindings: new KeyBindings(SELECTION_ACTIONS),
        hints: [
          { action: "selection.accept", label: "choose" },
          { action: "selection.cancel", label: "leave" },
          { action: "selection.next", label: "next" },
        ],
      }).render(columns).rows,
  },
];

export const componentsSection: GallerySection = {
  name: "components",
  about: "diffs, tables, lists, trees, tabs, bars, panels and hints",
  items,
};
