import { expect, test } from "bun:test";
import { checkedSpans } from "@tau/tui/markdown/code-highlighter";
import { builtInTheme } from "@tau/tui/theme/built-in-theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import fc from "fast-check";
import {
  findHighlightRow,
  HIGHLIGHT_ROWS,
  languageOfPath,
  type HighlightRow,
} from "./highlight-languages.ts";
import { SyntaxHighlighter } from "./syntax-highlighter.ts";

const theme = builtInTheme("dark", { depth: "truecolor" });

async function highlighterFor(...languages: string[]): Promise<SyntaxHighlighter> {
  const highlighter = new SyntaxHighlighter({ theme });
  await highlighter.preload(languages);
  return highlighter;
}

/** The pieces of the lines that have the colour of a token. */
async function painted(language: string, token: ThemeToken, ...lines: string[]) {
  const highlighter = await highlighterFor(language);
  const line = highlighter.start(language)!;
  return lines
    .flatMap((text) => checkedSpans(text, line))
    .filter(({ paint }) => paint === theme.style(token))
    .map(({ text }) => text);
}

test("code gets the colours of its language", async () => {
  const source = ["const a = f(1); // why", 'let b = "x";', "/* over", "two lines */ return"];
  expect(await painted("ts", "syntaxKeyword", ...source)).toEqual(["const", "let", "return"]);
  expect(await painted("ts", "syntaxComment", ...source)).toEqual([
    "// why",
    "/* over",
    "two lines */",
  ]);
  expect(await painted("ts", "syntaxString", ...source)).toEqual(['"x"']);
  expect(await painted("ts", "syntaxNumber", ...source)).toEqual(["1"]);
  expect(await painted("ts", "syntaxFunction", ...source)).toEqual(["f"]);
  expect(await painted("py", "syntaxKeyword", "def f(x):", "    return x")).toEqual([
    "def",
    "return",
  ]);
  expect(await painted("py", "syntaxString", '"""open', "still", 'end"""')).toHaveLength(3);
  expect(await painted("php", "syntaxKeyword", "<?php echo $a;")).toContain("echo");
  expect(await painted("elixir", "syntaxKeyword", "def f(x), do: :ok # why")).toEqual(["def"]);
  expect(await painted("elixir", "syntaxComment", "def f(x), do: :ok # why")).toEqual(["# why"]);
  expect(await painted("make", "syntaxFunction", "\t$(CC) -o $@ main.c")).toEqual(["$(CC"]);
  expect(await painted("md", "syntaxKeyword", "# Title", "no # title", "text **bold**")).toEqual([
    "# Title",
    "**bold**",
  ]);
  expect(await painted("diff", "toolDiffAdded", "+new", "-old")).toEqual(["+new"]);
});

test("languages are known by what people call them", () => {
  for (const [word, name] of [
    ["ts", "typescript"],
    ["TSX", "typescript"],
    ["bash", "shell"],
    ["yml", "yaml"],
    ["rs", "rust"],
    ["c++", "cpp"],
    ["ts title=a.ts", "typescript"],
    ["{.python}", "python"],
  ]) {
    expect(findHighlightRow(word!)?.name).toBe(name!);
  }
  expect(findHighlightRow("")).toBeUndefined();
  expect(findHighlightRow("no-such")).toBeUndefined();
  expect(languageOfPath("/a/b/main.rs")).toBe("rust");
  expect(languageOfPath("C:\\x\\Dockerfile")).toBe("dockerfile");
  expect(languageOfPath("README")).toBeUndefined();
  const names = HIGHLIGHT_ROWS.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("what is not loaded yet is plain, and the loading says when it is done", async () => {
  let told = 0;
  const highlighter = new SyntaxHighlighter({ theme, onLoaded: () => void told++ });
  const line = highlighter.start("go")!;
  expect(line("/* a comment that")).toEqual([{ text: "/* a comment that" }]);
  expect(highlighter.start("no-such")).toBeUndefined();
  await highlighter.settled();
  expect(told).toBe(1);
  // What was plain is read again, so that the rest is coloured by where it stands.
  expect(line("goes on */ return")).toEqual([
    { text: "goes on */", paint: theme.style("syntaxComment") },
    { text: " " },
    { text: "return", paint: theme.style("syntaxKeyword") },
  ]);
});

/** What parsers turn on, a piece a word. */
const PIECES = [
  "' \" ` /* */ // # < > </ { } ( ) $ ${ \\ <<EOF EOF `${ = : - [ ] @ % & | ; ! ~ ?",
  "if function class def end begin 0x1F 1e5 日本 é \u0000",
].flatMap((words) => [...words.split(" "), " "]);

test("law: every language reads any lines, and never changes their text", async () => {
  const names = HIGHLIGHT_ROWS.map(({ name }) => name);
  const highlighter = await highlighterFor(...names);
  for (const name of names)
    expect([name, typeof highlighter.start(name)]).toEqual([name, "function"]);
  const piece = fc.constantFrom(...PIECES);
  const anyLine = fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(anyLine, { maxLength: 8 }), (name, lines) => {
      const line = highlighter.start(name);
      // One that gave up in an earlier run is a language that cannot read something.
      expect([name, typeof line]).toEqual([name, "function"]);
      for (const text of lines) {
        const spans = line!(text);
        expect(spans.map((span) => span.text).join("")).toBe(text);
      }
    }),
    { numRuns: 1500 },
  );
});

test("a language that throws or stands still turns itself off; the others go on", async () => {
  const rows: HighlightRow[] = [
    { name: "throws", aliases: [], load: async () => ({ token: () => fail("no") }) },
    { name: "stands", aliases: [], load: async () => ({ token: () => null }) },
    { name: "missing", aliases: [], load: () => Promise.reject(new Error("no module")) },
    {
      name: "bad-start",
      aliases: [],
      load: async () => ({ startState: () => fail("no"), token: () => null }),
    },
    {
      name: "sound",
      aliases: [],
      load: async () => ({
        token: (stream) => {
          stream.skipToEnd();
          return "keyword";
        },
      }),
    },
  ];
  const highlighter = new SyntaxHighlighter({ theme, languages: rows });
  await highlighter.preload(rows.map(({ name }) => name));
  for (const name of ["throws", "stands"]) {
    const line = highlighter.start(name)!;
    expect(line("some code")).toEqual([{ text: "some code" }]);
    expect(highlighter.start(name)).toBeUndefined();
  }
  expect(highlighter.start("missing")).toBeUndefined();
  expect(highlighter.start("bad-start")).toBeUndefined();
  const long = "x".repeat(10_000_000);
  expect(highlighter.start("sound")!(long)).toEqual([{ text: long }]);
  expect(highlighter.start("sound")!("code")).toEqual([
    { text: "code", paint: theme.style("syntaxKeyword") },
  ]);
});

function fail(message: string): never {
  throw new Error(message);
}
