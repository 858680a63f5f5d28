// Real programs in the view: what is seen of them, what they get, and that nothing of theirs gets
// through to the terminal around.

import { describe, expect, test } from "bun:test";
import { openPty, type PtyOptions } from "@tau/host/pty/pty";
import { TerminalEmulator } from "@tau/testkit/terminal-emulator";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import type { KeyPress } from "@tau/tui/key-input";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { displayWidth } from "@tau/tui/width";
import { TerminalView } from "./terminal-view.ts";

const TIMEOUT_MS = 30_000;
const ENV = { PATH: process.env.PATH, HOME: "/", LANG: "C.UTF-8", PS1: "$ " };
const SIZE = { columns: 60, rows: 14 };

async function show(command: string | string[], options: Partial<PtyOptions> = {}) {
  const abort = new AbortController();
  let renders = 0;
  const view = await TerminalView.open({
    terminal: {
      title: "a program",
      signal: abort.signal,
      open: (size, onOutput) =>
        openPty(command, {
          cwd: "/",
          env: ENV,
          ...options,
          ...size,
          onOutput,
          signal: abort.signal,
        }),
    },
    theme: colourlessTheme(),
    size: SIZE,
    requestRender: () => void (renders += 1),
  });
  const press = (key: string, held: Partial<KeyPress> = {}) =>
    view.handleKey({
      type: "key",
      key,
      text: [...key].length === 1 && !held.ctrl ? key : "",
      ctrl: false,
      alt: false,
      shift: false,
      meta: false,
      ...held,
    });
  return {
    view,
    press,
    abort,
    renders: () => renders,
    type(text: string) {
      for (const key of text) {
        if (key === "\n") press("enter");
        else if (key === " ") press("space", { text: " " });
        else press(key, { shift: key !== key.toLowerCase() });
      }
    },
    screen: () => view.render(SIZE.columns).rows.map((row) => Bun.stripANSI(row)),
    async until(text: string): Promise<string[]> {
      const deadline = performance.now() + 20_000;
      for (;;) {
        const rows = view.render(SIZE.columns).rows.map((row) => Bun.stripANSI(row));
        if (rows.join("\n").includes(text)) return rows;
        if (performance.now() > deadline) throw new Error(`no ${text} in\n${rows.join("\n")}`);
        await Bun.sleep(10);
      }
    },
    async [Symbol.asyncDispose]() {
      abort.abort();
      await view.closed;
    },
  };
}

describe("programs", () => {
  test(
    "a shell: what is typed, where the caret is, and how it ends",
    async () => {
      await using t = await show(["bash", "--norc", "-i"]);
      await t.until("\n$\n");
      t.type("echo $((6*7)) x\n");
      await t.until("42 x");
      t.type("abc");
      await t.until("$ abc");
      const { rows, caret } = t.view.render(SIZE.columns);
      expect(rows).toHaveLength(SIZE.rows);
      expect(Bun.stripANSI(rows[caret!.row]!)).toBe("$ abc");
      expect(caret!.column).toBe(5);
      t.press("u", { ctrl: true });
      t.type("exit 7\n");
      const seen = await t.until("exit code 7");
      expect(seen[0]).toBe("a program");
      t.press("escape");
      await t.view.closed;
      expect(t.view.state).toBe("final");
      expect(t.press("a")).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "Ctrl+C and Esc are the program's",
    async () => {
      await using t = await show(
        `trap 'echo caught' INT; echo up; read -rsn1 k; printf 'got %q\\n' "$k"`,
      );
      await t.until("up");
      t.press("c", { ctrl: true });
      await t.until("caught");
      t.press("escape");
      await t.view.closed;
      expect(t.screen().join("\n")).toContain("got $'\\E'");
    },
    TIMEOUT_MS,
  );

  testWith(
    { program: "vim", proves: "that an editor works in the view" },
    "an editor: text goes in, the file comes out",
    async (vim) => {
      await using scratch = await createScratchDirectory();
      await using t = await show([vim, "-u", "NONE", "-N", "note.txt"], { cwd: scratch.root });
      await t.until("note.txt");
      t.type("ihello");
      await t.until("INSERT");
      t.view.handleKey({ type: "paste", text: "\nsecond" });
      await t.until("second");
      t.press("escape");
      t.press("up");
      t.type(":wq\n");
      await t.view.closed;
      expect(await Bun.file(scratch.path("note.txt")).text()).toBe("hello\nsecond\n");
    },
    TIMEOUT_MS,
  );

  testWith(
    { program: "less", proves: "that a pager works in the view" },
    "a pager: its own keys and arrows, and a size that changes",
    async (less) => {
      await using scratch = await createScratchDirectory();
      await scratch.write(
        "long",
        Array.from({ length: 300 }, (_, at) => `line ${at + 1}`).join("\n"),
      );
      await using t = await show([less, "long"], { cwd: scratch.root });
      await t.until("line 11");
      t.press("down");
      await t.until("line 12");
      t.press("pagedown");
      await t.until("line 23");
      t.view.resize({ columns: SIZE.columns, rows: 24 });
      await t.until("line 33");
      expect(t.view.render(SIZE.columns).rows).toHaveLength(24);
      t.type("q");
      await t.view.closed;
    },
    TIMEOUT_MS,
  );

  testWith(
    { program: "python3", proves: "that a language's own prompt works in the view" },
    "a language's own prompt",
    async (python) => {
      await using t = await show([python, "-q"]);
      await t.until("\n>>>\n");
      t.type("print(21*2, 'ok')\n");
      await t.until("42 ok");
      t.press("d", { ctrl: true });
      await t.view.closed;
      expect(t.view.state).toBe("final");
    },
    TIMEOUT_MS,
  );

  testWith(
    { program: "top", proves: "that a screen that draws itself again works in the view" },
    "a screen full of figures",
    async (top) => {
      await using t = await show([top]);
      expect((await t.until("PID")).length).toBe(SIZE.rows);
      t.type("q");
      await t.view.closed;
    },
    TIMEOUT_MS,
  );
});

describe("the way out", () => {
  test(
    "one chord ends a program that heeds nothing",
    async () => {
      await using t = await show("trap '' INT TERM HUP QUIT; echo up; while :; do sleep 1; done");
      await t.until("up");
      t.press("c", { ctrl: true });
      t.press("]", { ctrl: true });
      await t.view.closed;
      expect(t.view.state).toBe("final");
    },
    TIMEOUT_MS,
  );

  test(
    "a call that is stopped takes the view with it",
    async () => {
      await using t = await show("echo up; sleep 100");
      await t.until("up");
      t.abort.abort();
      await t.view.closed;
      expect(t.view.state).toBe("final");
    },
    TIMEOUT_MS,
  );
});

describe("only cells are drawn", () => {
  const HOSTILE = [
    "\\033]0;stolen title\\007",
    "\\033]52;c;c3RvbGVu\\007",
    "\\033]8;;file:///etc/passwd\\033\\\\link\\033]8;;\\033\\\\",
    "\\033Pq#0;2;0;0;0#0~~\\033\\\\",
    "\\033_Gf=24;AAAA\\033\\\\",
    "\\033[?1049h\\033[?1000h\\033[?2004h\\033[6n",
    "\\xe2\\x80\\xaeturned",
    "\\033[31mred\\033[48;2;1;2;3mdeep\\033[0m \\033[1;4;38;5;200mfancy\\033[m",
  ].join("");

  test(
    "of a program that tries everything, SGR and text come out",
    async () => {
      await using t = await show(`printf '${HOSTILE}'; read x`);
      await t.until("fancy");
      const raw = t.view.render(SIZE.columns).rows.join("");
      // oxlint-disable-next-line no-control-regex -- those are what is looked for
      const rest = raw.replaceAll(/\u001b\[[\d;]*m/g, "");
      expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(rest).not.toContain("stolen");
      expect(rest).toContain("turned");
      expect(raw).toContain("\u001b[0;31mred");
      expect(raw).toContain("48;2;1;2;3m");
      expect(raw).toContain("1;4;38;5;200m");
    },
    TIMEOUT_MS,
  );

  test(
    "drawn once more, it looks the same, and no row is wider than asked",
    async () => {
      const lines = [
        "wide 漢字 and 👍 and e\u0301",
        "\u001b[7minverse\u001b[m plain \u001b[32mgreen",
      ];
      await using scratch = await createScratchDirectory();
      await scratch.write("shown", `${lines.join("\n")}\n\u001b[0m${"x".repeat(70)}`);
      await using t = await show("cat shown; read x", { cwd: scratch.root });
      await t.until("xxxx");
      const { rows } = t.view.render(SIZE.columns);
      for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(SIZE.columns);
      const again = new TerminalEmulator({ ...SIZE, reply: () => {} });
      again.write(rows.map((row, at) => `\u001b[${at + 1};1H${row}`).join(""));
      await again.flush();
      expect(again.screen().slice(1, 3)).toEqual([
        "wide 漢字 and 👍 and e\u0301",
        "inverse plain green",
      ]);
      expect(again.cell(2, 0)).toMatchObject({ inverse: true });
      expect(again.cell(2, 14)).toMatchObject({ foreground: 2, inverse: false });
      again.dispose();
    },
    TIMEOUT_MS,
  );

  test(
    "a flood asks for few frames and keeps taking keys",
    async () => {
      await using t = await show("yes flood | head -c 30000000; echo; echo over; read x; exit 3");
      await t.until("over");
      const asked = t.renders();
      expect(asked).toBeGreaterThan(0);
      t.press("enter");
      await t.until("exit code 3");
      // At most one a frame: far fewer than the pieces that came.
      expect(asked).toBeLessThan(2000);
    },
    TIMEOUT_MS,
  );
});
