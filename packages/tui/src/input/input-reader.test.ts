import { expect, test } from "bun:test";
import fc from "fast-check";
import type { KeyInput, KeyPress } from "../key-input.ts";
import { InputReader } from "./input-reader.ts";
import { Probes } from "./probes.ts";

function reader(): {
  inputs: KeyInput[];
  sent: string[];
  probes: Probes;
  reader: InputReader;
  notices: string[];
} {
  const inputs: KeyInput[] = [];
  const sent: string[] = [];
  const notices: string[] = [];
  const probes = new Probes((bytes) => sent.push(bytes));
  return {
    inputs,
    sent,
    notices,
    probes,
    reader: new InputReader({
      probes,
      onInput: (input) => inputs.push(input),
      onAppearance: (appearance) => notices.push(appearance),
    }),
  };
}

function keysOf(bytes: string): string[] {
  const subject = reader();
  subject.reader.feed(Buffer.from(bytes));
  subject.reader.flush();
  return subject.inputs.map(describe);
}

function describe(input: KeyInput): string {
  if (input.type === "paste") return `paste:${input.text}`;
  const modifiers = (["ctrl", "alt", "shift", "meta"] as const).filter((name) => input[name]);
  return [...modifiers, input.key].join("+") + (input.text === "" ? "" : `=${input.text}`);
}

const KEYS: readonly [string, string][] = [
  ["a", "a=a"],
  ["A", "shift+a=A"],
  [" ", "space= "],
  ["é", "é=é"],
  ["日", "日=日"],
  ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦=👩‍👩‍👧‍👦"],
  ["\r", "enter"],
  ["\n", "ctrl+j"],
  ["\t", "tab"],
  ["\x7f", "backspace"],
  ["\x03", "ctrl+c"],
  ["\x1a", "ctrl+z"],
  ["\x00", "ctrl+space"],
  ["\x1f", "ctrl+_"],
  ["\x1b", "escape"],
  ["\x1ba", "alt+a"],
  ["\x1bA", "alt+shift+a"],
  ["\x1b\r", "alt+enter"],
  ["\x1b\x7f", "alt+backspace"],
  ["\x1b[A", "up"],
  ["\x1bOA", "up"],
  ["\x1b[1;3A", "alt+up"],
  ["\x1b[1;5C", "ctrl+right"],
  ["\x1b[1;2D", "shift+left"],
  ["\x1b[H", "home"],
  ["\x1b[4~", "end"],
  ["\x1b[3;5~", "ctrl+delete"],
  ["\x1b[Z", "shift+tab"],
  ["\x1bOP", "f1"],
  ["\x1b[15~", "f5"],
  ["\x1b[[A", "f1"],
  ["\x1b[1;2R", "shift+f3"],
  // modifyOtherKeys
  ["\x1b[27;5;13~", "ctrl+enter"],
  ["\x1b[27;6;68~", "ctrl+shift+d"],
  // Kitty
  ["\x1b[27u", "escape"],
  ["\x1b[13;5u", "ctrl+enter"],
  ["\x1b[13;2u", "shift+enter"],
  ["\x1b[97;5u", "ctrl+a"],
  ["\x1b[100:68;6u", "ctrl+shift+d"],
  ["\x1b[97:65;2u", "shift+a=A"],
  ["\x1b[49:33;2;33u", "shift+1=!"],
  ["\x1b[1089::99;5u", "ctrl+c"],
  ["\x1b[97;1;97u", "a=a"],
  ["\x1b[97;9u", "meta+a"],
  ["\x1b[57417;1u", "left"],
  ["\x1b[57400u", "1=1"],
  ["\x1b[57376u", "f13"],
  ["\x1b[1;1:2A", "up"],
];

test("keys are what the terminal meant, in every encoding", () => {
  for (const [bytes, expected] of KEYS) expect([bytes, keysOf(bytes)]).toEqual([bytes, [expected]]);
});

test("releases, mouse, lone modifiers and unknown sequences are no keys", () => {
  const silent = [
    "\x1b[97;1:3u",
    "\x1b[1;1:3A",
    "\x1b[<0;3;4M",
    "\x1b[M abc".slice(0, 6),
    "\x1b[57441u",
    "\x1b[?1;2c",
    "\x1b]52;c;aGk=\x07",
    "\x1bP1$r0m\x1b\\",
    "\x1b_Gi=1;OK\x1b\\",
    "\x1b[12;34t",
    "\x1b[99999999u",
  ];
  for (const bytes of silent) expect([bytes, keysOf(bytes)]).toEqual([bytes, []]);
});

test("any chunking of the bytes gives the same input", () => {
  const piece = fc.constantFrom(
    ...KEYS.map(([bytes]) => bytes).filter(
      (bytes) => bytes !== "\x1b" && !/^\p{M}|\p{Emoji}/u.test(bytes),
    ),
    "\x1b[200~a\r\nb\x1b[201~",
    "\x1b[200~\x1b[20\x1b[A日\x1b[201~",
    "\x1b]11;rgb:1/2/3\x1b\\",
    "\x1b[<0;3;4M",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 20 }),
      (pieces, sizes) => {
        const bytes = Buffer.from(pieces.join(""));
        const whole = reader();
        whole.reader.feed(bytes);
        whole.reader.flush();
        const split = reader();
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length]!;
          split.reader.feed(bytes.subarray(at, at + size));
          at += size;
        }
        split.reader.flush();
        expect(split.inputs.map(describe)).toEqual(whole.inputs.map(describe));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("random bytes never throw and never leave memory behind", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const subject = reader();
      subject.reader.feed(bytes);
      subject.reader.flush();
      subject.reader.dispose();
      expect(subject.inputs.length).toBeLessThanOrEqual(bytes.length);
    }),
  );
});

test("an arrow split by 30 ms is one key; Esc alone is a key after a moment", async () => {
  const subject = reader();
  subject.reader.feed("\x1b");
  await Bun.sleep(30);
  subject.reader.feed("[A");
  expect(subject.inputs.map(describe)).toEqual(["up"]);
  subject.reader.feed("\x1b");
  expect(subject.inputs).toHaveLength(1);
  const deadline = performance.now() + 5_000;
  while (subject.inputs.length < 2 && performance.now() < deadline) await Bun.sleep(5);
  expect(subject.inputs.map(describe)).toEqual(["up", "escape"]);
});

test("a paste is one input, whatever is in it", () => {
  expect(keysOf("\x1b[200~one\r\ntwo\rthree\x1b[A\x1b[201~x")).toEqual([
    "paste:one\ntwo\nthree\x1b[A",
    "x=x",
  ]);
});

test("a paste of 5 MB in small chunks is taken in at once", () => {
  const text = "0123456789abcde\n".repeat((5 * 1024 * 1024) / 16);
  const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~`);
  const subject = reader();
  const start = performance.now();
  for (let at = 0; at < bytes.length; at += 4_096)
    subject.reader.feed(bytes.subarray(at, at + 4_096));
  const elapsed = performance.now() - start;
  expect(subject.inputs).toEqual([{ type: "paste", text }]);
  // Some 20 ms; quadratic work would take minutes.
  expect(elapsed).toBeLessThan(3_000);
});

const ANSWERS =
  "\x1b[?5u\x1b[?2026;2$y\x1b]11;rgb:ffff/8080/0000\x07\x1b[6;18;9t\x1b[7;12R\x1b[?62;4c";

test("answers reach who asked, byte by byte, and never the editor", async () => {
  const subject = reader();
  const asked = subject.probes.askAll([
    { kind: "kitty-keyboard" },
    { kind: "mode", mode: 2031 },
    { kind: "mode", mode: 2026 },
    { kind: "background" },
    { kind: "cell-size" },
    { kind: "cursor" },
  ]);
  expect(subject.sent.join("")).toEndWith("\x1b[c");
  for (const byte of Buffer.from(ANSWERS)) subject.reader.feed(Uint8Array.of(byte));
  expect(await asked).toEqual([
    { kind: "kitty-keyboard", flags: 5 },
    undefined,
    { kind: "mode", mode: 2026, state: "reset" },
    { kind: "background", color: { red: 1, green: 0x8080 / 0xffff, blue: 0 } },
    { kind: "cell-size", width: 9, height: 18 },
    { kind: "cursor", place: { row: 6, column: 11 } },
  ]);
  expect(subject.inputs).toEqual([]);
  expect(subject.probes.outstanding).toBe(false);
});

test("each sentinel releases only who asked before it", async () => {
  const subject = reader();
  const first = subject.probes.ask({ kind: "background" });
  const second = subject.probes.ask({ kind: "background" });
  subject.reader.feed("\x1b[?1c");
  subject.reader.feed("\x1b]11;#000\x1b\\\x1b]11;rgb:00/00/00\x1b\\\x1b[?1c");
  expect(await first).toBeUndefined();
  expect(await second).toEqual({ kind: "background", color: { red: 0, green: 0, blue: 0 } });
  expect(subject.inputs).toEqual([]);
});

test("a terminal that says nothing is given up, and keys typed meanwhile arrive", async () => {
  const inputs: KeyPress[] = [];
  const probes = new Probes(() => {}, 20);
  const input = new InputReader({
    probes,
    onInput: (key) => key.type === "key" && inputs.push(key),
  });
  const asked = probes.ask({ kind: "background" });
  input.feed("hi");
  expect(await asked).toBeUndefined();
  expect(inputs.map((key) => key.key)).toEqual(["h", "i"]);
});

test("notices of dark and light are told, not typed", () => {
  const subject = reader();
  subject.reader.feed("\x1b[?997;2n\x1b[?997;1n");
  expect(subject.notices).toEqual(["light", "dark"]);
  expect(subject.inputs).toEqual([]);
});

test("a paste whose end never comes is a paste, and keys are keys again", () => {
  const seen: unknown[] = [];
  const reader = new InputReader({
    probes: new Probes(() => {}),
    onInput: (input) => seen.push(input.type === "paste" ? input : input.key),
  });
  reader.feed("\x1b[200~half a paste\x1b[20");
  expect(seen).toEqual([]);
  reader.flush();
  reader.feed("x");
  expect(seen).toEqual([{ type: "paste", text: "half a paste\x1b[20" }, "x"]);
  reader.dispose();
});
