// A stage on a real terminal, for programs of tests: what is shown stands over a few lines of
// transcript, each thing over the one that opened it.

import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { EDITOR_ACTIONS } from "@tau/tui/editor/editor-actions";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import { TerminalScreen } from "@tau/tui/terminal/terminal-screen";
import { builtInTheme } from "@tau/tui/theme/built-in-theme";
import type { Theme } from "@tau/tui/theme/theme";
import { Overlays } from "../../overlays.ts";
import { REAL_CLOCK } from "../../guard-clock.ts";
import type { Stage } from "../../stage.ts";
import { SCREEN_ACTIONS } from "../screen-actions.ts";

export class TerminalStage implements Stage {
  readonly theme: Theme = builtInTheme("dark", { depth: "truecolor" });
  readonly bindings = new KeyBindings([...EDITOR_ACTIONS, ...SELECTION_ACTIONS, ...SCREEN_ACTIONS]);
  readonly #ui = new TerminalScreen({ onInput: (input) => this.#overlays.handleKey(input) });
  readonly #overlays = new Overlays({
    theme: this.theme,
    bindings: () => this.bindings,
    size: () => this.#ui.terminal.size,
    requestRender: () => this.requestRender(),
    clock: REAL_CLOCK,
    prompt: { handleKey: () => {}, isInUse: () => false },
  });

  constructor(lines: readonly string[]) {
    const rows = [...lines];
    this.#ui.screen.append({ state: "final", render: () => ({ rows, stableRows: rows.length }) });
  }

  get size(): { columns: number; rows: number } {
    return this.#overlays.size;
  }

  start(): void {
    void this.#ui.start();
  }

  async stop(): Promise<void> {
    this.#ui.screen.setOverlay(undefined);
    await this.#ui.stop();
  }

  requestRender(): void {
    this.#ui.screen.setOverlay(
      this.#overlays.isCovered ? { component: this.#overlays } : undefined,
    );
    this.#ui.requestRender();
  }

  readonly show: Stage["show"] = (open, options) => this.#overlays.show(open, options);

  readonly ask: Stage["ask"] = (open, options) => this.#overlays.ask(open, options);

  note(): void {
    this.requestRender();
  }
}
