// The keys as they are now, by where they apply: remaps are marked, and what two actions both
// want is told first, with who gets it.

import { cleanLine } from "@tau/tui/components/clean-text";
import { SELECTION_CONTEXT } from "@tau/tui/components/selection-actions";
import { wrapSpans } from "@tau/tui/components/spans";
import { COMPLETION_CONTEXT, EDITOR_CONTEXT, SEARCH_CONTEXT } from "@tau/tui/editor/editor-actions";
import type { Binding } from "@tau/tui/keys/key-bindings";
import { printChord } from "@tau/tui/keys/key-stroke";
import { fitLine } from "@tau/tui/width";
import type { BoundShortcut } from "../extension-shortcuts.ts";
import type { Close, Stage } from "../stage.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import { QUESTION_CONTEXT } from "../question-actions.ts";
import { SCREEN_CONTEXTS } from "./screen-actions.ts";

export interface HotkeysDeps {
  /** What people call contexts that are not the screens' or the editor's. */
  contexts?: Readonly<Record<string, string>>;
  /** Keys that extensions have bound. */
  extensions?: readonly BoundShortcut[];
  /** Where remaps are written. */
  remapFile: string;
  /** What is wrong in it, one sentence each. */
  problems?: readonly string[];
  signal?: AbortSignal;
}

export async function openHotkeysScreen(stage: Stage, deps: HotkeysDeps): Promise<void> {
  const { signal } = deps;
  await stage.show<true>(
    (close) => new HotkeysScreen(stage, deps, close),
    signal ? { signal } : {},
  );
}

const CONTEXTS: Readonly<Record<string, string>> = {
  app: "Everywhere",
  [QUESTION_CONTEXT]: "While a question is waiting",
  [EDITOR_CONTEXT]: "Writing a prompt",
  [COMPLETION_CONTEXT]: "In the completion list",
  [SEARCH_CONTEXT]: "Searching earlier prompts",
  [SELECTION_CONTEXT]: "In lists",
  ...SCREEN_CONTEXTS,
};

const COLUMNS = [
  { title: "keys", least: 10 },
  { title: "what they do", least: 16 },
  { title: "", yields: 1 },
  { title: "action", isExtra: true },
] as const;
const NO_KEY = "none";

/** Undefined: it is not Tau's, but an extension's. */
class HotkeysScreen extends ListScreen<Binding | undefined> {
  readonly #deps: HotkeysDeps;

  constructor(stage: Stage, deps: HotkeysDeps, close: Close<true>) {
    super({
      stage,
      columns: COLUMNS,
      placeholder: "type to filter by key or by what it does",
      empty: "There are no keys.",
      onCancel: () => close(),
    });
    this.#deps = deps;
    this.#fill();
  }

  protected override view(columns: number): ListScreenView {
    const { theme } = this.stage;
    const troubles = this.#troubles();
    return {
      title: "Keys",
      aside: this.list.position,
      // The worst is read first; the rest is as many as can be mended at a time.
      head: troubles.slice(0, MAX_TROUBLES).flatMap((line) => {
        const text = `${theme.symbols.warning} ${cleanLine(line)}`;
        return wrapSpans([{ text, paint: theme.style("warning") }], columns);
      }),
      foot: this.#about(columns),
      hints: [
        { action: "selection.pageDown", label: "page" },
        { action: "selection.cancel", label: "close" },
      ],
    };
  }

  /** There is nothing to choose: it is a list to read. */
  protected override choose(): void {}

  #troubles(): string[] {
    return [
      ...(this.#deps.problems ?? []),
      ...this.stage.bindings.conflicts.map(({ message }) => message),
    ];
  }

  #fill(): void {
    const { bindings } = this.stage.bindings;
    const wanting = new Set(this.stage.bindings.conflicts.flatMap(({ actions }) => actions));
    const names = { ...CONTEXTS, ...this.#deps.contexts };
    const contexts = [...new Set(bindings.map(({ action }) => action.context))];
    const { marked, warning } = this.stage.theme.symbols;
    const { extensions = [] } = this.#deps;
    const foreignGroup = "Of extensions";
    const foreign = extensions.map(({ keys, help, extension }) => ({
      id: `extension ${keys}`,
      value: undefined,
      group: foreignGroup,
      cells: [keys, help, "", extension],
      texts: [keys, help, extension, foreignGroup],
    }));
    this.list.setRows([
      ...contexts.flatMap((context) =>
        bindings
          .filter(({ action }) => action.context === context)
          .map((binding) => {
            const { action, chords, remapped } = binding;
            const keys = chords.length === 0 ? NO_KEY : chords.map(printChord).join(", ");
            const group = names[context] ?? context;
            const mark = wanting.has(action.id) ? warning : remapped ? marked : undefined;
            return {
              id: action.id,
              value: binding,
              group,
              cells: [keys, action.description, remapped ? "yours" : "", action.id],
              texts: [keys, action.description, action.id, group],
              mark,
              tone: chords.length === 0 ? ("dim" as const) : undefined,
            };
          }),
      ),
      ...foreign,
    ]);
  }

  #about(columns: number): string[] {
    const binding = this.list.selected?.value;
    if (!binding) return [];
    const { action, remapped } = binding;
    const { theme } = this.stage;
    const defaults = action.defaultKeys.join(", ") || NO_KEY;
    const was = remapped ? `; without your remap: ${defaults}` : "";
    return [
      theme.style("muted")(fitLine(`${action.id}${was}`, columns)),
      theme.style("muted")(fitLine(`Change it in ${this.#deps.remapFile}`, columns)),
    ];
  }
}

const MAX_TROUBLES = 3;
