// A program for tests: prints numbered rows through the engine, some each tick, above a status
// that changes and an editor with the caret; ends by itself, or with what it is told.
// Arguments: number of rows, milliseconds between ticks, how it ends, a file for its pid.

import { writeFileSync } from "node:fs";
import type { Component, Rendered } from "../../component.ts";
import { TerminalScreen } from "../terminal-screen.ts";

const [count = "500", tickMs = "5", ending = "stop", pidFile] = process.argv.slice(2);
if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
const ROWS_PER_BLOCK = 20;

class Rows implements Component {
  readonly lines: string[] = [];
  state: "live" | "final" = "live";
  render(): Rendered {
    return { rows: this.lines, stableRows: this.lines.length };
  }
}

let ticks = 0;
const status: Component = {
  state: "live",
  render: () => ({ rows: [`status ${ticks}`], stableRows: 0 }),
};
const editor: Component = {
  state: "live",
  render: (columns) => ({
    rows: ["-".repeat(columns), "> ", "-".repeat(columns)],
    stableRows: 0,
    caret: { row: 1, column: 2 },
  }),
};

const ui = new TerminalScreen({
  onInput: (input) => {
    if (input.type !== "key") return;
    if (input.key === "z" && input.ctrl) void ui.suspend();
    if (input.key === "q") void finish();
  },
});

async function finish(): Promise<void> {
  ui.screen.setBottom([]);
  await ui.stop();
  process.exit(0);
}

ui.screen.setBottom([status, editor]);
void ui.start();
let block = new Rows();
ui.screen.append(block);
let printed = 0;
const timer = setInterval(() => {
  ticks += 1;
  if (printed < Number(count)) {
    printed += 1;
    block.lines.push(`line-${printed}.`);
    if (block.lines.length === ROWS_PER_BLOCK) {
      block.state = "final";
      block = new Rows();
      ui.screen.append(block);
    }
  } else {
    block.state = "final";
    if (ending === "stop") {
      clearInterval(timer);
      void finish();
    } else if (ending === "throw") throw new Error("as told");
    else if (ending === "reject") void Promise.reject(new Error("as told"));
  }
  ui.requestRender();
}, Number(tickMs));
