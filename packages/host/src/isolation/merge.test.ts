// Merging into a parent's tree: all or nothing, one at a time, and nobody's work lost.

import { chmod, readdir, rm, stat } from "node:fs/promises";
import { expect, test } from "bun:test";
import {
  createScratchDirectory,
  createScratchRepository,
  type ScratchDirectory,
  type ScratchRepository,
} from "@tau/testkit/scratch";
import { IsolationRefused, type TreePatch } from "./isolated-tree.ts";
import { mergeBranch } from "./merge-branch.ts";
import { mergePatch } from "./merge-patch.ts";
import { inTree, isolated, testEach } from "./test/mechanisms.ts";
import { snapshotOf } from "./test/tree-snapshot.ts";

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
const changedLine = (at: number, text: string): string =>
  LINES.map((line, index) => (index === at ? `${text}\n` : line)).join("");

const newRepository = () =>
  createScratchRepository({
    files: { "a.txt": LINES.join(""), "b.txt": "b\n", ".gitignore": "*.log\n" },
  });

/** What an agent makes of the repository by a script, and its tree for as long as it is needed. */
async function agentWork(
  repository: ScratchRepository,
  place: ScratchDirectory,
  {
    id,
    script,
    mechanism = "auto",
  }: { id: string; script: string; mechanism?: "auto" | "overlay" | "worktree" },
): Promise<{ patch: TreePatch } & AsyncDisposable> {
  const tree = await isolated(repository, place.root, { mechanism, id });
  await inTree(tree, repository.gitEnv, script);
  const { patches } = await tree.changes();
  return { patch: patches[0]!, [Symbol.asyncDispose]: () => tree.remove() };
}

const placeOf = (repository: ScratchRepository, place: ScratchDirectory) => ({
  root: repository.root,
  directory: place.root,
  env: repository.gitEnv,
});

testEach("of two that conflict one is merged, and nothing of the other", async (mechanism) => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  await repository.write("b.txt", "b, not committed\n");
  const work = (id: string, word: string) =>
    agentWork(repository, place, {
      id,
      mechanism,
      script: `sed -i 's/^line 7$/${word}/' a.txt; echo ${word} > ${word}.txt; echo ${word} >> b.txt`,
    });
  await using one = await work("one", "eins");
  await using two = await work("two", "zwei");
  const merging = placeOf(repository, place);
  const outcomes = await Promise.all([
    mergePatch(merging, one.patch),
    mergePatch(merging, two.patch),
  ]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["applied", "conflict"]);
  const [won, lost] = outcomes[0]!.kind === "applied" ? ["eins", "zwei"] : ["zwei", "eins"];
  expect(outcomes.find(({ kind }) => kind === "conflict")).toEqual({
    kind: "conflict",
    files: ["a.txt", "b.txt"],
  });
  expect(await snapshotOf(repository.root)).toEqual({
    ".gitignore": "file *.log\n",
    "a.txt": `file ${changedLine(7, won!)}`,
    "b.txt": `file b, not committed\n${won}\n`,
    [`${won}.txt`]: `file ${won}\n`,
  });
  // The patch of the other is good for whoever resolves it.
  const kept = [one, two].find(({ patch }) => patch.files.includes(`${lost}.txt`))!.patch;
  await repository.write("kept.log", kept.patch);
  await repository.git("stash", "-qu");
  await repository.write("b.txt", "b, not committed\n");
  await repository.git("apply", "kept.log").catch(async () => {
    await repository.write("kept.log", kept.patch);
    await repository.git("apply", "kept.log");
  });
  expect(await repository.read("a.txt")).toBe(changedLine(7, lost!));
});

test("different places of one file merge, and what both did alike is done once", async () => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  const script = "sed -i 's/^line 3$/both/; s/^line 20$/agent/' a.txt";
  await using work = await agentWork(repository, place, { id: "x", script });
  await repository.write("a.txt", changedLine(3, "both"));
  expect(await mergePatch(placeOf(repository, place), work.patch)).toEqual({
    kind: "applied",
    files: ["a.txt"],
  });
  expect(await repository.read("a.txt")).toBe(
    changedLine(3, "both").replace("line 20\n", "agent\n"),
  );
});

test("from its text alone a patch is merged if it fits", async () => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  const script = "sed -i 's/^line 3$/agent/' a.txt; git mv b.txt c.txt";
  let patch: TreePatch;
  {
    await using work = await agentWork(repository, place, { id: "x", script });
    patch = work.patch;
  }
  const text = { repository: "", patch: patch.patch };
  await repository.write("a.txt", changedLine(3, "parent"));
  const before = await snapshotOf(repository.root);
  const conflict = await mergePatch(placeOf(repository, place), text);
  expect(conflict).toEqual({ kind: "conflict", files: ["a.txt", "c.txt"] });
  expect(await snapshotOf(repository.root)).toEqual(before);
  await repository.write("a.txt", changedLine(25, "parent"));
  expect((await mergePatch(placeOf(repository, place), text)).kind).toBe("applied");
  expect(await repository.read("a.txt")).toBe(
    changedLine(25, "parent").replace("line 3\n", "agent\n"),
  );
  expect(
    await mergePatch(placeOf(repository, place), { repository: "", patch: Buffer.of() }),
  ).toEqual({
    kind: "nothing",
  });
});

test("a file that git ignores is not overwritten, and rights of a file are kept", async () => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  await using work = await agentWork(repository, place, {
    id: "x",
    script: "echo '!mine.log' >> .gitignore; echo agent > mine.log; echo more >> b.txt",
  });
  await repository.write("mine.log", "of the user\n");
  const before = await snapshotOf(repository.root);
  expect((await mergePatch(placeOf(repository, place), work.patch)).kind).toBe("conflict");
  expect(await snapshotOf(repository.root)).toEqual(before);
  await rm(repository.path("mine.log"));
  // A directory of that name with something in it is no better.
  await repository.write("mine.log/inside", "of the user\n");
  expect((await mergePatch(placeOf(repository, place), work.patch)).kind).toBe("conflict");
  expect(await repository.read("mine.log/inside")).toBe("of the user\n");
  await rm(repository.path("mine.log"), { recursive: true });
  await chmod(repository.path("b.txt"), 0o600);
  expect((await mergePatch(placeOf(repository, place), work.patch)).kind).toBe("applied");
  expect((await stat(repository.path("b.txt"))).mode & 0o777).toBe(0o600);
});

const COMMIT = { id: "BoldFox", message: "What the agent did" };

test("as a branch it is a commit, and uncommitted work stays what it was", async () => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  await repository.write("a.txt", changedLine(3, "staged"));
  await repository.git("add", "a.txt");
  await repository.write("a.txt", changedLine(3, "staged").replace("line 12\n", "unstaged\n"));
  await repository.write("untracked.txt", "untracked\n");
  await using work = await agentWork(repository, place, {
    id: "x",
    script: "sed -i 's/^line 25$/agent/' a.txt; echo new > new.txt; rm b.txt",
  });
  const outcome = await mergeBranch(placeOf(repository, place), work.patch, COMMIT);
  expect(outcome).toMatchObject({ kind: "committed", files: ["a.txt", "b.txt", "new.txt"] });
  expect(await repository.git("log", "--format=%s")).toBe("What the agent did\nInitial commit\n");
  expect(await repository.git("show", "HEAD:a.txt")).toBe(changedLine(25, "agent"));
  expect(await repository.git("show", ":a.txt")).toBe(
    changedLine(25, "agent").replace("line 3\n", "staged\n"),
  );
  expect(await repository.status()).toEqual(["MM a.txt", "?? untracked.txt"]);
  expect(await repository.read("a.txt")).toBe(
    changedLine(25, "agent").replace("line 3\n", "staged\n").replace("line 12\n", "unstaged\n"),
  );
  expect(await repository.git("branch", "--list")).toBe("* main\n");
  await repository.git("fsck", "--strict");
});

test("as a branch that conflicts: the branch has it, and nothing else was changed", async () => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  await repository.write("a.txt", changedLine(7, "not committed"));
  await using work = await agentWork(repository, place, {
    id: "x",
    script: "sed -i 's/^not committed$/agent/' a.txt; echo new > new.txt",
  });
  const before = await snapshotOf(repository.root);
  const status = await repository.status();
  const outcome = await mergeBranch(placeOf(repository, place), work.patch, COMMIT);
  expect(outcome).toEqual({ kind: "conflict", branch: "tau/task/BoldFox", files: ["a.txt"] });
  expect(await snapshotOf(repository.root)).toEqual(before);
  expect(await repository.status()).toEqual(status);
  expect(await repository.git("log", "--format=%s", "main")).toBe("Initial commit\n");
  expect(await repository.git("log", "--format=%s", "tau/task/BoldFox")).toBe(
    "What the agent did\nUncommitted work\nInitial commit\n",
  );
  const again = mergeBranch(placeOf(repository, place), work.patch, COMMIT);
  await expect(again).rejects.toBeInstanceOf(IsolationRefused);
  await repository.git("fsck", "--strict");
});

test("an index that somebody else has locked: refused, and everything as it was", async () => {
  await using repository = await newRepository();
  await using place = await createScratchDirectory();
  await using work = await agentWork(repository, place, { id: "x", script: "echo new > new.txt" });
  await repository.write(".git/index.lock", "");
  const before = await snapshotOf(repository.root);
  const merging = mergeBranch(placeOf(repository, place), work.patch, COMMIT);
  await expect(merging).rejects.toThrow("busy");
  expect(await snapshotOf(repository.root)).toEqual(before);
  await rm(repository.path(".git/index.lock"));
  expect(await repository.git("log", "--format=%s")).toBe("Initial commit\n");
  const outcome = await mergeBranch(placeOf(repository, place), work.patch, COMMIT);
  expect(outcome.kind).toBe("committed");
  expect(await readdir(place.root)).toEqual(expect.arrayContaining(["locks", "x"]));
});
