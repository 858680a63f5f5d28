// The bytes that the engine really sends, in a real emulator, against a model of its own of
// what must then be on the tape (history and screen). Random operations, shapes and seeds.

import { expect, test } from "bun:test";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/headless";
import type { Component, Rendered } from "../component.ts";
import { Screen } from "./screen.ts";

interface Synchronous {
  _core: { _writeBuffer: { writeSync(text: string): void } };
}

class Tape {
  readonly #terminal: Terminal;

  constructor(columns: number, rows: number) {
    this.#terminal = new Terminal({
      cols: columns,
      rows,
      scrollback: 5000,
      allowProposedApi: true,
    });
    this.#terminal.loadAddon(
      new UnicodeGraphemesAddon() as unknown as { activate(): void; dispose(): void },
    );
    this.write("\x1b[?7l");
  }

  write(bytes: string): void {
    (this.#terminal as unknown as Synchronous)._core._writeBuffer.writeSync(bytes);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  get cursor(): { row: number; column: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  /** History, then screen; blank rows at the end left out. */
  rows(): string[] {
    const { active } = this.#terminal.buffer;
    const rows: string[] = [];
    for (let index = 0; index < active.length; index += 1) {
      rows.push(active.getLine(index)!.translateToString(true));
    }
    while (rows.at(-1) === "") rows.pop();
    return rows;
  }

  /** A reader scrolls up; what she sees is `view`. */
  scrollUp(rows: number): void {
    this.#terminal.scrollLines(-rows);
  }

  view(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      active.getLine(active.viewportY + row)!.translateToString(true),
    );
  }

  get top(): number {
    return this.#terminal.buffer.active.baseY;
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}

function randomOf(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// What settles is written in letters and digits, what changes in signs, so that either can be
// told from the other after a terminal has wrapped it.
const SIGNS = "~!#%&+";

class Block implements Component {
  readonly lines: string[] = [];
  live = 0;
  version = 0;
  state: "live" | "final" = "live";
  renders = 0;

  render(columns: number): Rendered {
    this.renders += 1;
    const rows = this.lines.flatMap((line) => cut(line, columns));
    const stableRows = rows.length;
    if (this.state === "live") {
      for (let index = 0; index < this.live; index += 1) {
        rows.push(
          SIGNS[(index + this.version) % SIGNS.length]!.repeat(
            1 + ((this.version * 7 + index) % Math.max(columns, 1)),
          ),
        );
      }
    }
    return { rows, stableRows };
  }
}

class Bottom implements Component {
  readonly state = "live";
  height = 2;
  version = 0;
  caret: { row: number; column: number } | undefined = { row: 0, column: 3 };

  render(columns: number): Rendered {
    const rows = Array.from({ length: this.height }, (_, index) =>
      `&${SIGNS[(this.version + index) % SIGNS.length]!}`.repeat(9).slice(0, columns),
    );
    return { rows, stableRows: 0, caret: this.caret };
  }
}

function cut(line: string, columns: number): string[] {
  const rows: string[] = [];
  for (let at = 0; at < line.length; at += columns) rows.push(line.slice(at, at + columns));
  return rows;
}

interface Situation {
  seed: number;
  columns: number;
  rows: number;
  shellRows: number;
  synchronized: boolean;
}

class Case {
  readonly random: (below: number) => number;
  readonly tape: Tape;
  readonly screen: Screen;
  readonly blocks: Block[] = [];
  readonly bottom = new Bottom();
  readonly log: string[] = [];
  overlay = 0;
  columns: number;
  rows: number;
  sent = "";
  #lines = 0;
  // The model's own ledger: rows that must be in history by now.
  committed: string[] = [];

  constructor(readonly situation: Situation) {
    this.random = randomOf(situation.seed);
    this.columns = situation.columns;
    this.rows = situation.rows;
    this.tape = new Tape(this.columns, this.rows);
    for (let index = 0; index < situation.shellRows; index += 1) this.tape.write(`$\r\n`);
    const multiplexer = situation.seed % 3 === 0;
    this.screen = new Screen({ ...situation, multiplexer, reflow: "drifts" });
    this.screen.setBottom([this.bottom]);
  }

  operate(kinds: readonly string[]): void {
    const kind = kinds[this.random(kinds.length)]!;
    this.log.push(kind);
    const live = this.blocks.filter((block) => block.state === "live");
    const block = live[this.random(live.length)];
    if (kind === "add" && live.length < 4) {
      const added = new Block();
      this.blocks.push(added);
      this.screen.append(added);
    } else if (kind === "lines" && block) {
      for (let count = 1 + this.random(this.rows * 2); count > 0; count -= 1) this.addLine(block);
    } else if (kind === "line" && block) this.addLine(block);
    else if (kind === "live" && block) {
      block.live = this.random(this.rows + 4);
      block.version += 1;
    } else if (kind === "tick" && block) block.version += 1;
    else if (kind === "finish" && block) block.state = "final";
    else if (kind === "bottom") {
      this.bottom.height = this.random(Math.max(2, Math.min(5, this.rows - 1)));
      this.bottom.version += 1;
      this.bottom.caret =
        this.random(4) === 0 ? undefined : { row: 0, column: this.random(this.columns) };
    } else if (kind === "overlay") this.#toggleOverlay();
  }

  addLine(block: Block): void {
    this.#lines += 1;
    const long = this.random(5) === 0 ? "x".repeat(this.random(this.columns * 2)) : "";
    block.lines.push(`L${this.#lines}${long}e`);
  }

  #toggleOverlay(): void {
    this.overlay = this.overlay > 0 ? 0 : 1 + this.random(4);
    const height = this.overlay;
    const rows = Array.from({ length: height }, () => "%".repeat(Math.min(7, this.columns)));
    const component: Component = { state: "live", render: () => ({ rows, stableRows: 0 }) };
    const columns = Math.min(7, this.columns);
    const isDocked = this.random(2) === 0;
    this.screen.setOverlay(height > 0 ? { component, columns, isDocked } : undefined);
  }

  paint(): void {
    const bytes = this.screen.frame();
    this.sent += bytes;
    this.tape.write(bytes);
  }

  /** Everything that would be on an endless screen, and how much of it is settled. */
  frame(): { rows: string[]; stable: number; caretRow: number } {
    const rows: string[] = [];
    let stable = 0;
    let settled = true;
    for (const block of this.blocks) {
      const rendered = block.render(this.columns);
      rows.push(...rendered.rows);
      if (settled) stable += block.state === "final" ? rendered.rows.length : rendered.stableRows;
      settled &&= block.state === "final";
    }
    const caretRow = rows.length;
    rows.push(...this.bottom.render(this.columns).rows);
    return { rows, stable, caretRow };
  }

  /** The law, where the size stays the same. */
  verify(): void {
    const { rows, stable, caretRow } = this.frame();
    const beyond = Math.max(rows.length - this.rows, 0);
    if (this.overlay === 0) {
      for (let next = this.committed.length; next < Math.min(stable, beyond); next += 1) {
        this.committed.push(rows[next]!);
      }
    }
    const top = Math.max(this.committed.length, rows.length - this.rows);
    const shell = Array.from({ length: this.situation.shellRows }, () => "$");
    const above = [...shell, ...this.committed];
    const seen = this.tape.rows();
    expect(seen.slice(0, above.length)).toEqual(above);
    const window = rows.slice(top);
    if (this.overlay === 0) {
      const expected = [...above, ...window];
      while (expected.at(-1) === "") expected.pop();
      expect(seen).toEqual(expected);
      const caret = this.bottom.caret;
      if (caret && this.bottom.height > 0 && caretRow >= top) {
        const tapeRow = this.tape.top + this.tape.cursor.row;
        expect(tapeRow).toBe(above.length + caretRow - top);
        expect(this.tape.cursor.column).toBe(caret.column);
      }
    } else expect(seen.slice(0, this.tape.top).join("")).not.toContain("%%%%%%%");
  }

  /** The law through changes of size: what settled is there once and in order. */
  settledText(): string {
    const joined = this.tape.rows().join("");
    return joined.replaceAll(/[^\w]/g, "");
  }

  finishAll(): void {
    if (this.overlay > 0) this.#toggleOverlay();
    for (const block of this.blocks) block.state = "final";
    this.bottom.height = 1;
    this.bottom.caret = undefined;
    this.paint();
  }
}

const SAME_SIZE = ["add", "line", "lines", "line", "live", "tick", "finish", "bottom", "overlay"];
const SHAPES = [
  { columns: 80, rows: 24 },
  { columns: 20, rows: 6 },
  { columns: 7, rows: 3 },
  { columns: 40, rows: 1 },
  { columns: 132, rows: 12 },
];
const SEEDS_PER_SHAPE = 1_000;
const OPERATIONS = 14;

for (const shape of SHAPES) {
  test(`${shape.columns}×${shape.rows}: every settled row is on the tape once, whatever happens`, () => {
    for (let seed = 1; seed <= SEEDS_PER_SHAPE; seed += 1) {
      const shellRows = seed % (shape.rows + 2);
      const subject = new Case({ ...shape, seed, shellRows, synchronized: seed % 2 === 0 });
      try {
        subject.operate(["add"]);
        for (let step = 0; step < OPERATIONS; step += 1) {
          subject.operate(SAME_SIZE);
          subject.paint();
          subject.verify();
        }
        subject.finishAll();
        subject.verify();
        expect(subject.sent).not.toContain("\x1b[3J");
        expect(subject.sent).not.toMatch(/\x1b\[2J|\x1b\[[0-9;]*H/);
      } catch (error) {
        throw new Error(`seed ${seed}: ${subject.log.join(" ")}`, { cause: error });
      } finally {
        subject.tape.dispose();
      }
    }
  });
}

const RESIZE_SEEDS = 2_000;

function resizeAtRandom(subject: Case, step: number): void {
  // One side at a time: when both change at once this emulator does not tell what it dropped.
  if (step % 2 === 0) subject.columns = 8 + subject.random(100);
  else subject.rows = 3 + subject.random(30);
  subject.log.push(`${subject.columns}x${subject.rows}`);
  subject.tape.resize(subject.columns, subject.rows);
  subject.screen.resize({ columns: subject.columns, rows: subject.rows }, subject.tape.cursor);
}

test("through changes of size, every settled row is on the tape once and in order", () => {
  let exact = 0;
  for (let seed = 1; seed <= RESIZE_SEEDS; seed += 1) {
    const shape = SHAPES[seed % 2]!;
    const subject = new Case({ ...shape, seed, shellRows: seed % 5, synchronized: true });
    try {
      subject.operate(["add"]);
      for (let step = 0; step < OPERATIONS; step += 1) {
        subject.operate([...SAME_SIZE, "resize", "resize"]);
        if (subject.log.at(-1) === "resize") resizeAtRandom(subject, subject.random(2));
        subject.paint();
      }
      subject.finishAll();
      expect(subject.sent).not.toContain("\x1b[3J");
      const lines = subject.blocks.flatMap((block) => block.lines);
      if (subject.screen.staleRows === 0) {
        exact += 1;
        expect(subject.settledText()).toBe(lines.join(""));
      } else {
        // The terminal pushed unsettled rows out by itself: a copy more, but nothing less.
        const text = subject.settledText();
        for (const line of lines) expect(text).toContain(/^L\d+./.exec(line)![0]);
      }
    } catch (error) {
      throw new Error(`seed ${seed}: ${subject.log.join(" ")}`, { cause: error });
    } finally {
      subject.tape.dispose();
    }
  }
  expect(exact).toBeGreaterThan(RESIZE_SEEDS / 2);
});

test("a reader who has scrolled up is not moved, and what she reads does not change", () => {
  const subject = new Case({ columns: 40, rows: 8, seed: 5, shellRows: 0, synchronized: true });
  subject.operate(["add"]);
  const block = subject.blocks[0]!;
  for (let line = 0; line < 60; line += 1) subject.addLine(block);
  subject.paint();
  subject.tape.scrollUp(20);
  const seen = subject.tape.view();
  for (let step = 0; step < 200; step += 1) {
    subject.operate(["line", "tick", "bottom", "live", "overlay"]);
    subject.paint();
    expect(subject.tape.view()).toEqual(seen);
  }
  subject.tape.dispose();
});

test("frames sent before the news of another height has arrived do no harm", () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const subject = new Case({
      columns: 40,
      rows: 20,
      seed,
      shellRows: seed % 4,
      synchronized: true,
    });
    const block = new Block();
    subject.blocks.push(block);
    subject.screen.append(block);
    subject.bottom.height = 3;
    subject.bottom.caret = { row: seed % 3, column: 3 };
    try {
      for (let step = 0; step < 12; step += 1) {
        for (let count = subject.random(9); count > 0; count -= 1) subject.addLine(block);
        subject.paint();
        subject.rows = 8 + subject.random(20);
        subject.tape.resize(subject.columns, subject.rows);
        for (let late = subject.random(3); late > 0; late -= 1) {
          subject.addLine(block);
          subject.bottom.version += 1;
          subject.paint();
        }
        subject.screen.resize(
          { columns: subject.columns, rows: subject.rows },
          subject.tape.cursor,
        );
        subject.paint();
      }
      subject.finishAll();
      expect(subject.screen.staleRows).toBe(0);
      expect(subject.settledText()).toBe(block.lines.join(""));
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    } finally {
      subject.tape.dispose();
    }
  }
});
