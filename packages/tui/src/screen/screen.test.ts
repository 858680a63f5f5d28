import { expect, test } from "bun:test";
import { TerminalEmulator } from "@tau/testkit/terminal-emulator";
import type { Component } from "../component.ts";
import { imageRow } from "./row-image.ts";
import { Screen } from "./screen.ts";

const ED3 = "\x1b[3J";

function final(...rows: string[]): Component {
  return { state: "final", render: () => ({ rows, stableRows: rows.length }) };
}

function live(rows: () => string[], stableRows = (): number => 0): Component {
  return { state: "live", render: () => ({ rows: rows(), stableRows: stableRows() }) };
}

function emulator(columns: number, rows: number): TerminalEmulator {
  const terminal = new TerminalEmulator({ columns, rows, reply: () => {}, historyRows: 20_000 });
  terminal.write("\x1b[?7l");
  return terminal;
}

async function show(terminal: TerminalEmulator, bytes: string): Promise<string> {
  terminal.write(bytes);
  await terminal.flush();
  return bytes;
}

test("a tick of a spinner costs some tens of bytes and the same after 10,000 rows", () => {
  const cost = (transcript: number): number => {
    const screen = new Screen({ columns: 80, rows: 24 });
    let tick = 0;
    screen.setBottom([
      live(() => [`${"|/-\\"[tick % 4]} working`]),
      {
        state: "live",
        render: () => ({ rows: ["> "], stableRows: 0, caret: { row: 0, column: 2 } }),
      },
    ]);
    for (let row = 0; row < transcript; row += 1) screen.append(final(`row ${row}`));
    screen.frame();
    tick += 1;
    return screen.frame().length;
  };
  expect(cost(10)).toBeLessThan(60);
  expect(cost(10_000)).toBe(cost(10));
});

test("what is final is rendered once and forgotten once it is in history", () => {
  const screen = new Screen({ columns: 80, rows: 10 });
  let renders = 0;
  for (let row = 0; row < 1_000; row += 1) {
    const rows = [`row ${row}`];
    screen.append({ state: "final", render: () => ((renders += 1), { rows, stableRows: 1 }) });
  }
  for (let frame = 0; frame < 5; frame += 1) screen.frame();
  expect(renders).toBe(1_000);
  expect(screen.pendingComponents).toBe(10);
  expect(screen.committedRows).toBe(990);
  expect(screen.frame()).toBe("");
});

test("5,000 streamed rows are in history and on the screen once, in order", async () => {
  const terminal = emulator(40, 12);
  const screen = new Screen({ columns: 40, rows: 12 });
  const rows: string[] = [];
  let tick = 0;
  screen.append(
    live(
      () => rows.concat(`tick ${tick}`),
      () => rows.length,
    ),
  );
  while (rows.length < 5_000) {
    for (let count = 0; count < 7 && rows.length < 5_000; count += 1)
      rows.push(`row ${rows.length}`);
    tick += 1;
    terminal.write(screen.frame());
  }
  await terminal.flush();
  expect(terminal.scrollback()).toEqual([...rows, `tick ${tick}`]);
  terminal.dispose();
});

test("a block taller than the screen with a ticking foot gets its head into history", async () => {
  const terminal = emulator(40, 6);
  const screen = new Screen({ columns: 40, rows: 6 });
  let tick = 0;
  const head = Array.from({ length: 20 }, (_, index) => `head ${index}`);
  screen.append(
    live(
      () => head.concat(`a ${tick}`, `b ${tick}`),
      () => head.length,
    ),
  );
  for (; tick < 30; tick += 1) await show(terminal, screen.frame());
  expect(terminal.scrollback()).toEqual([...head, "a 29", "b 29"]);
  terminal.dispose();
});

test("an overlay is never in history, and what gathered behind it is there afterwards", async () => {
  const terminal = emulator(40, 6);
  const screen = new Screen({ columns: 40, rows: 6 });
  screen.setBottom([live(() => ["> "])]);
  screen.setOverlay({ component: live(() => ["┌──┐", "│OK│", "└──┘"]), columns: 4 });
  for (let row = 0; row < 50; row += 1) {
    screen.append(final(`row ${row}`));
    await show(terminal, screen.frame());
  }
  expect(terminal.screen().join("\n")).toContain("│OK│");
  expect(screen.committedRows).toBe(0);
  screen.setOverlay(undefined);
  await show(terminal, screen.frame());
  const rows = Array.from({ length: 50 }, (_, row) => `row ${row}`);
  expect(terminal.scrollback()).toEqual([...rows, ">"]);
  terminal.dispose();
});

test("history is erased only by the gesture that asks for it, and never in a multiplexer", () => {
  const bytes = (multiplexer: boolean, eraseHistory: boolean): string => {
    const screen = new Screen({ columns: 40, rows: 6, multiplexer });
    for (let row = 0; row < 30; row += 1) screen.append(final(`row ${row}`));
    let all = screen.frame();
    for (let size = 30; size > 5; size -= 3) {
      screen.resize({ columns: size, rows: size });
      all += screen.frame();
    }
    expect(all).not.toContain(ED3);
    screen.replace({ eraseHistory });
    screen.append(final("new"));
    return screen.frame();
  };
  expect(bytes(false, true)).toContain(ED3);
  expect(bytes(false, false)).not.toContain(ED3);
  expect(bytes(true, true)).not.toContain(ED3);
});

test("another session replaces what is on the screen", async () => {
  const terminal = emulator(40, 6);
  const screen = new Screen({ columns: 40, rows: 6 });
  for (let row = 0; row < 30; row += 1) screen.append(final(`old ${row}`));
  await show(terminal, screen.frame());
  screen.replace({ eraseHistory: true });
  screen.append(final("new 1", "new 2"));
  await show(terminal, screen.frame());
  expect(terminal.scrollback().filter((row) => row !== "")).toEqual(["new 1", "new 2"]);
  terminal.dispose();
});

test("the cursor is at the caret inside the frame's marks, hidden where there is none", async () => {
  const terminal = emulator(40, 6);
  const screen = new Screen({ columns: 40, rows: 6 });
  let caret: { row: number; column: number } | undefined = { row: 1, column: 5 };
  screen.setBottom([
    { state: "live", render: () => ({ rows: ["a", "> 日本x", "b"], stableRows: 0, caret }) },
  ]);
  const bytes = await show(terminal, screen.frame());
  expect(bytes).toStartWith("\x1b[?2026h");
  expect(bytes).toEndWith("\x1b[?2026l");
  expect(terminal.cursor()).toEqual({ row: 1, column: 5, visible: true });
  caret = undefined;
  await show(terminal, screen.frame());
  expect(terminal.cursor()).toEqual({ row: 2, column: 0, visible: false });
  caret = { row: 1, column: 6 };
  await show(terminal, screen.frame());
  expect(terminal.cursor()).toEqual({ row: 1, column: 6, visible: true });
  terminal.dispose();
});

test("rows that are too wide or carry commands are cut and cleaned, never thrown at", async () => {
  const terminal = emulator(10, 4);
  const screen = new Screen({ columns: 10, rows: 4 });
  screen.append(
    final("日本語日本語日本語", "a\x1b[2Jb\x1b[Hc", "\tx", "\x1b[31mred and more than fits"),
  );
  await show(terminal, screen.frame());
  expect(terminal.screen()).toEqual(["日本語日本", "abc", "    x", "red and mo"]);
  expect(terminal.cell(3, 0)?.foreground).toBe(1);
  terminal.dispose();
});

test("given back, the screen keeps what is settled and nothing else; going on continues below", async () => {
  const terminal = emulator(40, 8);
  const screen = new Screen({ columns: 40, rows: 8 });
  screen.append(final("one", "two"));
  screen.append(
    live(
      () => ["three", "…"],
      () => 1,
    ),
  );
  screen.setBottom([live(() => ["> "])]);
  await show(terminal, screen.frame());
  await show(terminal, screen.settle());
  await show(terminal, "shell\r\n");
  await show(terminal, screen.frame());
  expect(terminal.screen().slice(0, 6)).toEqual(["one", "two", "three", "shell", "…", ">"]);
  terminal.dispose();
});

test("a picture is sent when its row is painted and not again", () => {
  const screen = new Screen({ columns: 40, rows: 8 });
  screen.setImage("cat", { bytes: "<PIXELS>", rows: 3 });
  screen.append(final("", "", imageRow("cat"), imageRow("unknown")));
  let text = "a";
  screen.setBottom([live(() => [text])]);
  const first = screen.frame();
  expect(first).toContain("\x1b7\x1b[2A<PIXELS>\x1b8");
  text = "b";
  expect(screen.frame()).not.toContain("PIXELS");
});
