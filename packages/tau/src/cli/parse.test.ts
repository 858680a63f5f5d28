import { expect, test } from "bun:test";
import fc from "fast-check";
import { UsageError } from "../user-error.ts";
import { parseCommandLine } from "./parse.ts";

const parse = (...argv: string[]) => {
  const { command, args } = parseCommandLine(argv);
  return { command: command.name, flags: args.flags, positionals: args.positionals };
};

test("flags in any spelling, words in their order", () => {
  const expected = {
    command: "",
    flags: { print: true as const, model: "a/b" },
    positionals: ["fix", "the bug", "@src/a.ts"],
  };
  expect(parse("-p", "fix", "--model", "a/b", "the bug", "@src/a.ts")).toEqual(expected);
  expect(parse("fix", "the bug", "--model=a/b", "@src/a.ts", "--print")).toEqual(expected);
  expect(parse("-pma/b", "fix", "the bug", "@src/a.ts")).toEqual(expected);
  expect(parse("-p", "-m=a/b", "fix", "the bug", "@src/a.ts")).toEqual(expected);
});

test("a value may begin with a dash, and may be empty", () => {
  expect(parse("--cwd", "-odd", "hi").flags).toEqual({ cwd: "-odd" });
  expect(parse("--api-key=", "hi").flags).toEqual({ "api-key": "" });
});

test("a number below 0 is a word", () => {
  const { positionals } = parse("config", "set", "temperature", "-1");
  expect(positionals).toEqual(["set", "temperature", "-1"]);
});

test("nothing behind -- is a flag or a command", () => {
  expect(parse("--", "help", "-p", "--nope")).toEqual({
    command: "",
    flags: {},
    positionals: ["help", "-p", "--nope"],
  });
});

test("a command is a command only as the first word", () => {
  expect(parse("completions", "zsh").command).toBe("completions");
  expect(parse("-p", "completions").command).toBe("");
  expect(parse("please", "help").command).toBe("");
});

test("a lone dash is a word", () => {
  expect(parse("-p", "-").positionals).toEqual(["-"]);
});

test("any line is parsed or refused with a sentence, never broken", () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--model", "-m", "-p", "--", "-", "--print=1", "help", "@x", "-pm", "--cwd="),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      try {
        const { args } = parseCommandLine(argv);
        expect(args.positionals.length).toBeLessThanOrEqual(argv.length);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        expect((error as Error).message).not.toBe("");
      }
    }),
  );
});
