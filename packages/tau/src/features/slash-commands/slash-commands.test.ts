import { describe, expect, test } from "bun:test";
import { createScratchRepository } from "@tau/testkit/scratch";
import fc from "fast-check";
import { fillArguments, splitArguments } from "./fill-arguments.ts";
import { expandCommand } from "./slash-commands.ts";

describe("arguments", () => {
  test.each([
    ['a "b c" d', ["a", "b c", "d"]],
    ["it's one", ["its one"]],
    ['"unclosed runs on', ["unclosed runs on"]],
    ["'' x", ["", "x"]],
    ["  ", []],
  ])("%s", (text, words) => {
    expect(splitArguments(text)).toEqual(words);
  });

  test.each([
    ["Look at $1 and $2.", 'a "b c"', "Look at a and b c."],
    ["All: $ARGUMENTS; $@", "x y", "All: x y; x y"],
    ["$@[2] | $@[1:2] | $9", "a b c", "b c | a b | "],
    ["No place.", "a b", "No place.\n\na b"],
    ["No place.", "", "No place."],
    ["Costs $5", "", "Costs "],
    ["Now {{args}}, {{ ARGUMENTS }}.", "x y", "Now x y, x y."],
    ["{{other}} stays.", "", "{{other}} stays."],
  ])("%s with %s", (body, given, expected) => {
    expect(fillArguments(body, given)).toBe(expected);
  });

  test("what an argument brings along is not filled in again", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$1", "$@", "x", "$ARGUMENTS") }), (word) => {
        expect(fillArguments("<$1>", `"${word}"`)).toBe(`<${word}>`);
      }),
    );
  });
});

test("commands, prompts and skills by name; others are no commands", async () => {
  await using repository = await createScratchRepository({
    files: {
      ".tau/commands/review.md": "---\ndescription: Review\n---\nReview $1 carefully.\n",
      ".claude/commands/review.md": "Another one.\n",
      ".claude/commands/git/branch/new.md": "Make a branch $1.\n",
      ".tau/skills/release/SKILL.md": "---\ndescription: Release\n---\nStep one.\n",
    },
  });
  const place = { cwd: repository.root, env: { HOME: repository.path("home") } };
  expect(await expandCommand("/review src/a.ts", place)).toBe("Review src/a.ts carefully.");
  const skill = await expandCommand("/skill:release now please", place);
  expect(skill).toStartWith("Step one.\n\nSkill: ");
  expect(skill).toEndWith("User: now please");
  expect(await expandCommand("/init", place)).toContain("AGENTS.md");
  expect(await expandCommand("/git:branch:new x", place)).toBe("Make a branch x.");
  expect(await expandCommand("/unknown x", place)).toBeUndefined();
  expect(await expandCommand("/usr/bin/env is a path", place)).toBeUndefined();
  expect(await expandCommand("not one", place)).toBeUndefined();
});
