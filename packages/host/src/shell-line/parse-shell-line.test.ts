// The tree of a line: what the parts are, and that what a line would run is in it.

import { describe, expect, test } from "bun:test";
import { parseShellLine } from "./parse-shell-line.ts";
import { programsOfLine } from "./programs-of-line.ts";
import { literalText, type ShellCommand, type SimpleCommand } from "./syntax-tree.ts";

function only(text: string): ShellCommand {
  const { items } = parseShellLine(text).body;
  expect(items).toHaveLength(1);
  return items[0]!.command;
}

function simple(text: string): SimpleCommand {
  const command = only(text);
  if (command.type !== "simple") throw new Error(`${text} is a ${command.type}`);
  return command;
}

const words = (text: string) => simple(text).words.map(literalText);

describe("words", () => {
  test.each([
    ["echo a  b\tc", ["echo", "a", "b", "c"]],
    ["echo 'a b' \"c d\"", ["echo", "a b", "c d"]],
    ["r''m \"-\"r'f'", ["rm", "-rf"]],
    ["\\rm a\\ b", ["rm", "a b"]],
    ["echo $'a\\tb\\x41\\u00e9\\101\\''", ["echo", "a\tbAéA'"]],
    ['echo "a\\"b\\$c\\d"', ["echo", 'a"b$c\\d']],
    ["echo a\\\nb \\\n c", ["echo", "ab", "c"]],
    ["echo a#b # c", ["echo", "a#b"]],
    ['echo $ a$ "$"', ["echo", "$", "a$", "$"]],
    ["echo a\u00a0b", ["echo", "a\u00a0b"]],
    ["echo if then }", ["echo", "if", "then", "}"]],
    ["echo \\(\\) '|' \"&\"", ["echo", "()", "|", "&"]],
  ])("%j", (text, expected) => expect(words(text)).toEqual(expected));

  test("values, with their operators", () => {
    const [, ...args] = simple('echo $x "${y%.js}" ${#z} $(ls) `pwd` $((1+2)) <(cat)').words;
    expect(args.map(({ parts }) => parts.find(({ type }) => type !== "literal"))).toMatchObject([
      { type: "parameter", name: "x", operator: "", isQuoted: false },
      { type: "parameter", name: "y", operator: "%", isQuoted: true },
      { type: "parameter", name: "z", operator: "#" },
      { type: "substitution", isQuoted: false },
      { type: "substitution", isQuoted: false },
      { type: "arithmetic" },
      { type: "process", direction: "<" },
    ]);
  });

  test("assignments, with arrays", () => {
    expect(simple("a=1 b+=x c[0]=y d=(1 2) ls").assignments).toMatchObject([
      { name: "a", isAppended: false },
      { name: "b", isAppended: true },
      { name: "c", isElement: true },
      { name: "d", elements: [{}, {}] },
    ]);
    expect(simple("echo a=1").assignments).toEqual([]);
  });
});

describe("redirections", () => {
  test.each([
    ["ls >a", [[undefined, ">", "a"]]],
    [
      "ls 2>>a <b",
      [
        ["2", ">>", "a"],
        [undefined, "<", "b"],
      ],
    ],
    [
      "ls &>a 2>&1 >|b <>c",
      [
        [undefined, "&>", "a"],
        ["2", ">&", "1"],
        [undefined, ">|", "b"],
        [undefined, "<>", "c"],
      ],
    ],
    [
      "ls {fd}>a <<<b",
      [
        ["{fd}", ">", "a"],
        [undefined, "<<<", "b"],
      ],
    ],
    ["ls 2 >a", [[undefined, ">", "a"]]],
  ] as const)("%s", (text, expected) => {
    const { redirects } = simple(text);
    expect(
      redirects.map(({ descriptor, operator, target }) => [
        descriptor,
        operator,
        literalText(target),
      ]),
    ).toEqual(expected.map((row) => [...row]));
  });

  test("here documents, several, quoted or not", () => {
    const { items } = parseShellLine("cat <<A <<-'B' | wc\n$(ls)\nA\n\t$x\n\tB\nls").body;
    expect(items).toHaveLength(2);
    const pipeline = items[0]!.command;
    if (pipeline.type !== "pipeline") throw new Error("no pipeline");
    const first = pipeline.commands[0] as SimpleCommand;
    expect(first.redirects[0]!.document!.parts.map(({ type }) => type)).toContain("substitution");
    expect(first.redirects[1]!.document!.parts).toEqual([
      { type: "literal", text: "$x\n", isQuoted: true },
    ]);
  });
});

describe("commands of commands", () => {
  test.each([
    ["a | b |& c", "pipeline"],
    ["! a", "pipeline"],
    ["a && b || c", "and-or"],
    ["(a; b)", "group"],
    ["{ a; }", "group"],
    ["if a; then b; elif c; then d; else e; fi", "if"],
    ["while a; do b; done", "loop"],
    ["until a; do b; done >x", "loop"],
    ["for x in a b; do c; done", "for"],
    ["for x; do c; done", "for"],
    ["for x\ndo c; done", "for"],
    ["select x in a; do c; done", "for"],
    ["for ((i=0;i<3;i++)); do c; done", "arithmetic-for"],
    ["case x in (a|b) c;; d) ;; *) e; esac", "case"],
    ["f() { a; }", "function"],
    ["f () ( a )", "function"],
    ["function f { a; }", "function"],
    ["[[ -f a && ( b == c* || ! d =~ ^(e|f)$ ) ]]", "test"],
    ["((a + b))", "arithmetic"],
  ])("%s", (text, type) => expect(only(text).type).toBe(type as ShellCommand["type"]));

  test.each([
    "if",
    "a |",
    "a && ",
    "(a",
    "a)",
    "{ a }",
    "f() a",
    "[[ a b ]]",
    "a ( b",
    "'",
    '"',
    "`",
    "$(",
    "${",
    "<<A",
    "a <",
    "for 1 in a; do b; done",
    "a;;",
    "\0",
  ])("what is none ends the tree: %j", (text) => {
    const last = parseShellLine(`ls\n${text}`).body.items;
    expect(last[0]!.command).toMatchObject({ type: "simple", text: "ls" });
    expect(last.at(-1)!.command).toMatchObject({ type: "unknown", reason: expect.any(String) });
  });

  test("places are those of the text", () => {
    const text = "cd a && ls -l | wc";
    const command = only(text);
    if (command.type !== "and-or") throw new Error("no list");
    const { command: pipeline, at } = command.rest[0]!;
    expect(text.slice(at.from, at.to)).toBe("&&");
    expect(text.slice(pipeline.from, pipeline.to)).toBe("ls -l | wc");
    expect(text.slice(command.first.from, command.first.to)).toBe("cd a");
  });
});

test("the programs of a line, looked through what only runs them", () => {
  const line = parseShellLine(
    "cd x && FOO=1 env A=b timeout -k 1 60 npm test | tee log; if a; then /usr/bin/make; fi; $x y",
  );
  expect(programsOfLine(line).map(({ name, args }) => [name, ...args].join(" "))).toEqual([
    "cd x",
    "npm test",
    "tee log",
    "a",
    "make",
  ]);
});
