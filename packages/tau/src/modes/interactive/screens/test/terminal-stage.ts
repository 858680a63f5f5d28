// A stage on a real terminal, for programs of tests: what is shown stands over a few lines of
// transcript, each thing over the one that opened it.

import type { FocusableComponent, Rendered } from "@tau/tui/component";
import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { EDITOR_ACTIONS } from "@tau/tui/editor/editor-actions";
import type { KeyInput } from "@tau/tui/key-input";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import { compose, type Window } from "@tau/tui/screen/overlay";
import { TerminalScreen } from "@tau/tui/terminal/terminal-screen";
import { builtInTheme } from "@tau/tui/theme/built-in-theme";
import type { Theme } from "@tau/tui/theme/theme";
import type { Close, Stage } from "../../stage.ts";
import { SCREEN_ACTIONS } from "../screen-actions.ts";

export class TerminalStage implements Stage {
  readonly theme: Theme = builtInTheme("dark", { depth: "truecolor" });
  readonly bindings = new KeyBindings([...EDITOR_ACTIONS, ...SELECTION_ACTIONS, ...SCREEN_ACTIONS]);
  readonly #open: { component: FocusableComponent; cancel: () => void }[] = [];
  readonly #ui = new TerminalScreen({ onInput: (input) => this.#send(input) });

  constructor(lines: readonly string[]) {
    const rows = [...lines];
    this.#ui.screen.append({ state: "final", render: () => ({ rows, stableRows: rows.length }) });
  }

  get size(): { columns: number; rows: number } {
    return this.#ui.terminal.size;
  }

  start(): void {
    void this.#ui.start();
  }

  async stop(): Promise<void> {
    this.#ui.screen.setOverlay(undefined);
    await this.#ui.stop();
  }

  requestRender(): void {
    this.#ui.requestRender();
  }

  show<T>(open: (close: Close<T>) => FocusableComponent): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const close: Close<T> = (answer) => {
      const at = this.#open.indexOf(shown);
      if (at >= 0) this.#open.splice(at, 1);
      this.#lay();
      resolve(answer);
    };
    const shown = { component: open(close), cancel: () => close() };
    this.#open.push(shown);
    this.#lay();
    return promise;
  }

  note(): void {
    this.requestRender();
  }

  #lay(): void {
    const component = { state: "live" as const, render: (columns: number) => this.#stack(columns) };
    this.#ui.screen.setOverlay(this.#open.length === 0 ? undefined : { component });
    this.requestRender();
  }

  #stack(columns: number): Rendered {
    const size = { columns, rows: this.size.rows };
    const bare: Window = { rows: [] };
    const { rows, caret } = this.#open.reduce(
      (window, { component }) => compose(window, { component }, size),
      bare,
    );
    return { rows, stableRows: 0, ...(caret ? { caret } : {}) };
  }

  #send(input: KeyInput): void {
    const shown = this.#open.at(-1);
    if (!shown || shown.component.handleKey(input) || input.type === "paste") return;
    if (input.key === "escape" || (input.ctrl && input.key === "c")) shown.cancel();
  }
}
