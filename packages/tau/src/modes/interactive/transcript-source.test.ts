// The viewer's conversation: all of the branch, and what comes while somebody looks.

import { expect, test } from "bun:test";
import { createAnimationClock } from "@tau/tui/components/animation-clock";
import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import { createMemorySession } from "../../session/log/open-session.ts";
import { reply, result, user } from "../../session/log/test/support.ts";
import type { Block, BlockChange } from "../../session/projection/block.ts";
import { plainToolView } from "./blocks/plain-tool-view.ts";
import { FollowedTranscript } from "./transcript-source.ts";

const place = {
  surface: { theme: colourlessTheme(), clock: createAnimationClock(() => {}) },
  cwd: "/",
  viewOf: () => plainToolView,
};

async function opened() {
  await using log = createMemorySession({ cwd: "/" });
  for (const entry of [user("begin"), reply("Looking.", ["c"]), result("c", "seen")]) {
    await log.append(entry);
  }
  const branch = await log.branch();
  const source = new FollowedTranscript(branch, place);
  const rows = (): string[] =>
    Array.from({ length: source.length }, (_, at) =>
      Bun.stripANSI(source.block(at, 60).join("\n")),
    );
  return { source, rows, branch };
}

const answer = (key: string, text: string, isGrowing?: true): Block => ({
  kind: "answer",
  key,
  text,
  isGrowing,
});

test("has every block of the branch, in full", async () => {
  const { rows } = await opened();
  expect(rows()).toEqual(["› begin\n", "Looking.\n", "✓ read  c\n"]);
});

test("follows what comes, and says which block is another one", async () => {
  const { source, rows } = await opened();
  let changes = 0;
  source.onChange = () => (changes += 1);
  source.follow({ type: "added", block: answer("preview 1", "It", true) });
  const first = source.revision(3);
  source.follow({ type: "changed", key: "preview 1", block: answer("preview 1", "It is", true) });
  expect(source.revision(3)).toBeGreaterThan(first);
  expect(rows()[3]).toBe("It is\n");
  source.follow({ type: "changed", key: "preview 1", block: answer("e9.0", "It is so.") });
  expect(rows().slice(3)).toEqual(["It is so.\n"]);
  expect([source.revision(0), changes]).toEqual([0, 3]);
});

test("what comes while the branch is read is neither missed nor shown twice", async () => {
  await using log = createMemorySession({ cwd: "/" });
  const { id } = await log.append(reply("It is so."));
  const note = { kind: "note", tone: "plain", text: "!" } as const;
  let tell: (change: BlockChange) => void = () => {};
  const follow = (follower: (change: BlockChange) => void) => {
    tell = follower;
    // What is on the screen and in no entry yet.
    tell({ type: "added", block: answer("preview 1", "It is", true) });
    return () => {};
  };
  const opening = FollowedTranscript.open(log, follow, place);
  tell({ type: "changed", key: "preview 1", block: answer(`${id}.0`, "It is so.") });
  tell({ type: "added", block: { ...note, key: "preview 2" } });
  const { source } = await opening;
  tell({ type: "changed", key: "preview 2", block: { ...note, key: "e9.0" } });
  const rows = Array.from({ length: source.length }, (_, at) => source.block(at, 60)[0]);
  expect(rows).toEqual(["It is so.", "!"]);
});

test("what the branch has already is not shown twice, and what is void goes away", async () => {
  const { source, rows, branch } = await opened();
  const before = rows();
  source.follow({ type: "added", block: answer("preview 1", "Wrong", true) });
  source.follow({
    type: "added",
    block: { kind: "note", key: "preview 2", tone: "plain", text: "!" },
  });
  source.follow({ type: "removed", key: "preview 1" });
  expect(rows()).toEqual([...before, "!\n"]);
  // The entry was read with the branch, and is told a moment later.
  const known = answer(`${branch[1]!.id}.0`, "Looking.");
  source.follow({ type: "changed", key: "preview 3", block: known });
  source.follow({ type: "added", block: known });
  expect(rows()).toEqual([...before, "!\n"]);
});
