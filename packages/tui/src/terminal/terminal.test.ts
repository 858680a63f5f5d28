import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { TerminalEmulator } from "@tau/testkit/terminal-emulator";
import type { Component } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import { appearanceOf } from "./appearance.ts";
import { PictureBox, type Picture } from "./images.ts";
import { notificationBytes, titleBytes } from "./messages.ts";
import { Modes } from "./modes.ts";
import { terminalKind } from "./terminal-kind.ts";
import { TerminalScreen } from "./terminal-screen.ts";
import type { TerminalInput, TerminalOutput } from "./terminal.ts";

/** A terminal in memory whose reading can be held up, as over a slow line. */
class SlowTerminal extends EventEmitter implements TerminalOutput {
  readonly emulator: TerminalEmulator;
  readonly keys = new EventEmitter();
  columns: number;
  rows: number;
  held = false;
  bytes = "";
  #waiting: (() => void)[] = [];

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
    const reply = (text: string): void => void this.keys.emit("data", Buffer.from(text));
    this.emulator = new TerminalEmulator({ columns, rows, reply, keyboard: "kitty" });
  }

  write(text: string, done: (error?: Error | null) => void): boolean {
    const pass = (): void => {
      this.bytes += text;
      this.emulator.write(text, () => done());
    };
    if (this.held) this.#waiting.push(pass);
    else pass();
    return !this.held;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  release(): void {
    this.held = false;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  get input(): TerminalInput {
    return Object.assign(this.keys, { resume: () => {}, pause: () => {} });
  }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!holds() && performance.now() < deadline) await Bun.sleep(5);
  expect(holds()).toBe(true);
}

function rowsOf(count: () => number): Component {
  return {
    state: "live",
    render: () => ({
      rows: Array.from({ length: count() }, (_, index) => `row ${index}`),
      stableRows: count(),
    }),
  };
}

test("a terminal that does not read gets no further frames, and then every row once", async () => {
  const output = new SlowTerminal(40, 8);
  const ui = new TerminalScreen({ input: output.input, output, env: {}, onInput: () => {} });
  let count = 1;
  ui.screen.append(rowsOf(() => count));
  await ui.start();
  await until(() => output.emulator.screen()[0] === "row 0");
  output.held = true;
  for (; count < 2_000; count += 1) {
    ui.requestRender();
    if (count % 100 === 0) await Bun.sleep(2);
  }
  expect(output.waiting).toBeLessThanOrEqual(1);
  output.release();
  await until(() => output.emulator.screen().includes(`row ${count - 1}`));
  const expected = Array.from({ length: count }, (_, index) => `row ${index}`);
  expect(output.emulator.scrollback()).toEqual(expected);
  await ui.stop();
});

test("starting finds out what the terminal can do, stopping leaves it as it was", async () => {
  const output = new SlowTerminal(40, 8);
  const inputs: KeyInput[] = [];
  const ui = new TerminalScreen({
    input: output.input,
    output,
    env: {},
    onInput: (input) => inputs.push(input),
  });
  const features = await ui.start();
  expect(features).toMatchObject({ kittyKeyboard: true, appearance: "dark", synchronized: true });
  expect(output.emulator.bracketedPaste).toBe(true);
  await until(() => output.emulator.keyModes.disambiguate);
  await ui.stop();
  await until(() => !output.emulator.bracketedPaste);
  expect(output.emulator.keyModes.disambiguate).toBe(false);
  expect(output.emulator.cursor().visible).toBe(true);
  expect(inputs).toEqual([]);
});

test("a storm of resizes ends in one repaint with every row once", async () => {
  const output = new SlowTerminal(60, 20);
  const ui = new TerminalScreen({
    input: output.input,
    output,
    env: { TERM_PROGRAM: "vscode" },
    onInput: () => {},
  });
  let count = 200;
  ui.screen.append(rowsOf(() => count));
  await ui.start();
  await until(() => output.emulator.screen().includes("row 199"));
  for (let step = 0; step < 12; step += 1) {
    output.rows = 6 + ((step * 5) % 14);
    output.emulator.resize(output.columns, output.rows);
    output.emit("resize");
    await Bun.sleep(3);
  }
  count += 50;
  ui.requestRender();
  await until(() => output.emulator.screen().includes("row 249"));
  const expected = Array.from({ length: count }, (_, index) => `row ${index}`);
  expect(output.emulator.scrollback().filter((row) => row !== "")).toEqual(expected);
  expect(output.bytes).not.toContain("\x1b[3J");
  await ui.stop();
});

test("who has borrowed the terminal keeps it when the processes are woken", async () => {
  const output = new SlowTerminal(40, 8);
  const inputs: KeyInput[] = [];
  const onInput = (input: KeyInput): void => void inputs.push(input);
  const ui = new TerminalScreen({ input: output.input, output, env: {}, onInput });
  ui.screen.append(rowsOf(() => 3));
  await ui.start();
  await until(() => output.emulator.screen().includes("row 2"));
  await ui.lend(async () => {
    const woken = new Promise((resolve) => process.once("SIGCONT", resolve));
    const before = output.bytes;
    process.kill(process.pid, "SIGCONT");
    await woken;
    output.keys.emit("data", Buffer.from("x"));
    await Bun.sleep(50);
    expect(output.bytes).toBe(before);
  });
  output.keys.emit("data", Buffer.from("y"));
  await until(() => inputs.length > 0);
  expect(inputs).toMatchObject([{ type: "key", text: "y" }]);
  await ui.stop();
});

test("a window that was written over while the process was stopped is painted whole", async () => {
  const output = new SlowTerminal(40, 8);
  const ui = new TerminalScreen({ input: output.input, output, env: {}, onInput: () => {} });
  ui.screen.setBottom([rowsOf(() => 3)]);
  await ui.start();
  await until(() => output.emulator.screen().includes("row 2"));
  await new Promise<void>((done) => {
    output.emulator.write("\x1b[2J\x1b[Hshell> fg\r\n", done);
  });
  process.kill(process.pid, "SIGCONT");
  await until(() => output.emulator.screen().join().includes("row 0,row 1,row 2"));
  await ui.stop();
});

test("what is enabled is disabled, the last first", () => {
  const modes = new Modes();
  expect(modes.enable("bracketedPaste", "kittyKeyboard", "bracketedPaste")).toBe(
    "\x1b[?2004h\x1b[>5u",
  );
  expect(modes.disableAll()).toStartWith("\x1b[<u\x1b[?2004l");
  expect(modes.enabled).toEqual([]);
});

test("the environment tells the kind of terminal", () => {
  expect(terminalKind({ TERM: "xterm-256color" }).hyperlinks).toBe(false);
  expect(terminalKind({ TERM: "xterm-256color", VTE_VERSION: "7006" }).hyperlinks).toBe(true);
  expect(terminalKind({ TERM: "linux" }).hyperlinks).toBe(false);
  expect(terminalKind({ STY: "1" }).hyperlinks).toBe(false);
  expect(terminalKind({ TMUX: "/tmp/x", KITTY_WINDOW_ID: "1" })).toEqual({
    hyperlinks: false,
    multiplexer: "tmux",
    synchronized: false,
    reflow: "tracks",
    images: undefined,
  });
  expect(terminalKind({ TERM: "xterm-kitty" })).toMatchObject({
    synchronized: true,
    images: "kitty",
  });
  expect(terminalKind({ TERM_PROGRAM: "vscode" })).toMatchObject({
    reflow: "drifts",
    images: "iterm2",
  });
  expect(terminalKind({ XTERM_VERSION: "x" }).reflow).toBe("none");
  expect(terminalKind({ TERM: "screen-256color" }).multiplexer).toBe("screen");
});

test.each([
  ["3.4", true],
  ["3.5a", true],
  ["next-3.6", true],
  ["4.0", true],
  ["3.3a", false],
  ["2.9", false],
  [undefined, false],
])("tmux %s shows links: %p", (version, shows) => {
  const env = { TMUX: "/tmp/x", TERM_PROGRAM: "tmux", TERM_PROGRAM_VERSION: version };
  expect(terminalKind(env).hyperlinks).toBe(shows);
});

test("dark or light from the background, else from the environment", () => {
  expect(appearanceOf({ red: 1, green: 1, blue: 0.9 }, {})).toBe("light");
  expect(appearanceOf({ red: 0.1, green: 0.1, blue: 0.1 }, { COLORFGBG: "0;15" })).toBe("dark");
  expect(appearanceOf(undefined, { COLORFGBG: "0;15" })).toBe("light");
  expect(appearanceOf(undefined, { COLORFGBG: "15;0" })).toBe("dark");
  expect(appearanceOf(undefined, {})).toBe("dark");
});

test("titles and notifications cannot break out of their sequence", () => {
  expect(titleBytes("a\x07\x1b]52;c;x\x07b")).toBe("\x1b]0;ab\x07");
  expect(notificationBytes("done\nnow", "osc9")).toBe("\x1b]9;done ⏎ now\x1b\\");
  expect(notificationBytes("done", "osc99")).toContain("\x1b]99;");
});

const picture: Picture = { png: new Uint8Array(9_000).fill(7), width: 800, height: 400 };

test("a Kitty picture is transmitted once and is plain text rows of its size", async () => {
  const box = new PictureBox({ protocol: "kitty", cell: { width: 10, height: 20 }, budget: 2 });
  const placed = box.place(picture, { columns: 40, rows: 10 })!;
  expect(placed.rows).toHaveLength(10);
  expect(placed.transmit).toContain("a=T,U=1,q=2,f=100");
  expect(placed.transmit.match(/\x1b_G/g)).toHaveLength(3);
  const emulator = new TerminalEmulator({ columns: 60, rows: 12, reply: () => {} });
  emulator.write(placed.rows.join("\r\n"));
  await emulator.flush();
  expect(emulator.cursor()).toMatchObject({ row: 9, column: 40 });
  box.place(picture, { columns: 40, rows: 10 });
  // The third is one too many: the pixels of the first go, its rows stay.
  expect(box.place(picture, { columns: 40, rows: 10 })!.transmit).toStartWith("\x1b_Ga=d,d=I");
});

test("other protocols reserve the same height, and none gives nothing", () => {
  const limits = { columns: 40, rows: 10 };
  const iterm = new PictureBox({ protocol: "iterm2" }).place(picture, limits)!;
  expect(iterm.rows).toHaveLength(iterm.drawn!.image.rows);
  expect(iterm.drawn!.image.bytes).toStartWith("\x1b]1337;File=size=9000;inline=1;");
  const sixel = new PictureBox({
    protocol: "sixel",
    sixel: (_picture, size) => `SIXEL ${size.height}`,
  });
  expect(sixel.place(picture, limits)!.drawn!.image.bytes).toBe("SIXEL 160");
  expect(new PictureBox({ protocol: "sixel" }).place(picture, limits)).toBeUndefined();
  expect(new PictureBox({ protocol: undefined }).place(picture, limits)).toBeUndefined();
});
