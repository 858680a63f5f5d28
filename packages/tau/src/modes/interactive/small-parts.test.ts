// The small parts of the interactive mode, each by itself.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { createAnimationClock } from "@tau/tui/components/animation-clock";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { displayWidth } from "@tau/tui/width";
import { Attachments, droppedPicture } from "./attachments.ts";
import { ThinkingBlock } from "./blocks/thinking-block.ts";
import { CancelStack } from "./cancel-stack.ts";
import { copyBytes } from "./clipboard.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { ALL_COMMANDS as EVERY } from "../commands/all-commands.ts";
import { findCommand, looksLikeCommand, unknownCommand } from "../commands/find-command.ts";
import { readStatus } from "./git-state.ts";
import { seconds } from "../../tools/render/seconds.ts";

test("the topmost scope takes Esc, until its work has ended", () => {
  const stack = new CancelStack();
  const stopped: string[] = [];
  expect(stack.cancel()).toBe(false);
  const outer = stack.push("outer", () => stopped.push("outer"));
  const inner = stack.push("inner", () => stopped.push("inner"));
  expect(stack.cancel()).toBe(true);
  expect(stack.cancel()).toBe(true);
  inner[Symbol.dispose]();
  stack.cancel();
  expect(stopped).toEqual(["inner", "inner", "outer"]);
  // In any order.
  outer[Symbol.dispose]();
  inner[Symbol.dispose]();
  expect(stack.top).toBeUndefined();
});

test("times are told in few signs", () => {
  expect([0, 400, 9_940, 9_960, 59_400, 61_000, 3_600_000, 7_845_000].map(seconds)).toEqual([
    "0.0s",
    "0.4s",
    "9.9s",
    "10s",
    "59s",
    "1m 01s",
    "1h 00m",
    "2h 10m",
  ]);
});

test("git's status is read, branches and detached heads", () => {
  const text = [
    "# branch.oid 1234567890abcdef",
    "# branch.head main",
    "1 M. N... 100644 100644 100644 a b staged.ts",
    "1 .M N... 100644 100644 100644 a b changed.ts",
    "? new.ts",
    "",
  ].join("\n");
  expect(readStatus(text)).toEqual({ branch: "main", staged: 1, changed: 1, untracked: 1 });
  expect(readStatus("# branch.oid 1234567890\n# branch.head (detached)\n")?.branch).toBe("1234567");
  expect(readStatus("")).toBeUndefined();
});

test.each([
  ["/home/a/b.png", "/home/a/b.png"],
  ["'/home/a/two words.JPG'", "/home/a/two words.JPG"],
  ["/home/a/two\\ words.png", "/home/a/two words.png"],
  ["file:///home/a/b%20c.webp", "/home/a/b c.webp"],
  ["C:\\\\pictures\\\\a.png", "C:\\pictures\\a.png"],
  ["/home/a/b.txt", undefined],
  ["look at /home/a/b.png", undefined],
  ["/a.png\n/b.png", undefined],
])("dropping %p is the picture %p", (pasted, picture) => {
  expect(droppedPicture(pasted)).toBe(picture);
});

test("pictures go along by label and by name, and too large ones are told", async () => {
  await using scratch = await createScratchDirectory();
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "base64",
  );
  await Bun.write(scratch.path("a b.png"), png);
  await Bun.write(scratch.path("not.png"), "text");
  await Bun.write(scratch.path("huge.png"), Buffer.concat([png, Buffer.alloc(22e6)]));
  const attachments = new Attachments();
  const label = attachments.add({ mimeType: "image/png", bytes: png });
  expect(label).toBe("[picture #1]");
  const text = `${label} and @"a b.png" and @not.png and @huge.png and @gone.png and @src/x.ts`;
  const { message, problems } = await attachments.message(text, scratch.root);
  expect(message.content.map(({ type }) => type)).toEqual(["image", "image", "text"]);
  expect(message.content.at(-1)).toEqual({ type: "text", text });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("huge.png");
  // The label belonged to that prompt.
  const again = await attachments.message("[picture #1]", scratch.root);
  expect(again.message.content).toHaveLength(1);
});

test("the clipboard gets what fits", () => {
  expect(copyBytes("hi")).toBe("\x1b]52;c;aGk=\x07");
  expect(copyBytes("x".repeat(200_000))).toBeUndefined();
});

test("commands are found by name and alias; paths and unknown words are not", () => {
  expect(findCommand(EVERY, "/usage")?.command.name).toBe("usage");
  expect(findCommand(EVERY, "/cost ")?.command.name).toBe("usage");
  expect(findCommand(EVERY, "/rename  a new name")).toMatchObject({ argument: "a new name" });
  expect(findCommand(EVERY, "/etc/hosts")).toBeUndefined();
  expect(looksLikeCommand("/etc/hosts is broken")).toBe(false);
  expect(looksLikeCommand("/usge")).toBe(true);
  expect(unknownCommand(EVERY, "/usge")).toBe("There is no command /usge; did you mean /usage?");
  const off = unknownCommand([], "/todo done 1", BUILT_IN);
  expect(off).toContain("/todo is off in this session");
  expect(off).toContain("prompt.profile");
});

test("no two commands share a name, and each says what it does in one row", () => {
  const names = EVERY.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(names).toEqual([...new Set(names)]);
  for (const { name, argument = "", help } of EVERY) {
    expect(`  /${name} ${argument}`.length).toBeLessThan(30);
    expect(help.length).toBeLessThan(60);
  }
});

test.each([
  ["words", ["\n\n", "one\n", "\n", "\n", "  two", " \n", "\n"]],
  ["one delta", ["\n one\n\n\n  two\n\n"]],
])("blank rows around a thought are not shown, those within are: %s", (_how, deltas) => {
  const clock = createAnimationClock(() => {});
  const block = new ThinkingBlock({ theme: colourlessTheme(), clock, isHidden: () => false });
  for (const delta of deltas) block.append(delta);
  block.finish();
  const { rows } = block.render(40);
  expect(rows.map((row) => displayWidth(row) > 0)).toEqual([true, false, false, true]);
});
