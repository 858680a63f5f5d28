// `patch` is the judge of the patch mode: what it applies without fuzz is applied here to the same
// bytes, or it is refused; and `git apply` is one for what only git says about files. `TAU_PATCH_ROUNDS=2000 npm test -- patch-oracle` for as many diffs.

import { expect, test } from "bun:test";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { FileProblem } from "../../files/file-problem.ts";
import { decodeUtf8 } from "../../files/read-text-file.ts";
import { Workspace } from "../workspace.ts";
import { applyEdit } from "./apply-edit.ts";

const ROUNDS = Number(process.env["TAU_PATCH_ROUNDS"] ?? 60);
const SOURCES = ["apply-edit.ts", "prompt-patch.md", "tool.ts", "render.ts"];
const texts = await Promise.all(
  SOURCES.map((name) => readFile(join(import.meta.dir, name), "utf8")),
);
const hasPrograms = ["patch", "diff", "git"].every((name) => Bun.which(name));

interface Case {
  /** Undefined where the diff says that there is nothing. */
  old: Buffer | undefined;
  made: Buffer | undefined;
  /** What is really there, which may have changed since. */
  there: Buffer | undefined;
  form: "git" | "mail" | "plain" | "orig" | "dotted" | "narrow" | "returns";
}

type Change = (lines: string[]) => void;

const place = fc.nat();
const change: fc.Arbitrary<Change> = fc.oneof(
  place.map(
    (at): Change =>
      (lines) =>
        void lines.splice(at % lines.length, 2),
  ),
  place.map(
    (at): Change =>
      (lines) =>
        void lines.splice(at % lines.length, 0, "new", "-- \n1.0", "--- a/x", "+++ b/x"),
  ),
  place.map(
    (at): Change =>
      (lines) =>
        void (lines[at % lines.length] += " changed"),
  ),
  place.map(
    (at): Change =>
      (lines) =>
        void (lines[at % lines.length] += "\r"),
  ),
  fc.tuple(place, place).map(
    ([at, from]): Change =>
      (lines) =>
        void lines.splice(at % lines.length, 0, lines[from % lines.length] ?? ""),
  ),
);

const cases: fc.Arbitrary<Case> = fc
  .record({
    text: fc.constantFrom(...texts),
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    drift: fc.option(change, { freq: 2 }),
    kind: fc.constantFrom("update", "update", "update", "create", "delete", "fill"),
    encoding: fc.constantFrom("utf8" as const, "utf8" as const, "latin1" as const),
    hasReturns: fc.boolean(),
    ends: fc.tuple(fc.boolean(), fc.boolean()),
    form: fc.constantFrom<Case["form"]>(
      "git",
      "mail",
      "plain",
      "orig",
      "dotted",
      "narrow",
      "returns",
    ),
  })
  .map(
    ({
      text,
      changes,
      drift,
      kind,
      encoding,
      hasReturns,
      ends: [isOldEnded, isMadeEnded],
      form,
    }) => {
      const ending = hasReturns && form !== "returns" ? "\r\n" : "\n";
      const base = text.trimEnd().replaceAll("…", "é").split("\n");
      const render = (steps: readonly Change[], isEnded: boolean) => {
        const lines = [...base];
        for (const step of steps) step(lines);
        const written = lines.map((line) => (form === "returns" ? line.replace(/\r$/, "") : line));
        return Buffer.from(written.join(ending) + (isEnded ? ending : ""), encoding);
      };
      const old = kind === "fill" ? Buffer.alloc(0) : render([], isOldEnded);
      const there = kind === "fill" ? old : render(drift ? [drift] : [], isOldEnded);
      return {
        old: kind === "create" ? undefined : old,
        made: kind === "delete" ? undefined : render(changes, isMadeEnded),
        there: kind === "create" ? undefined : there,
        form,
      };
    },
  );

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

function run(cwd: string, ...command: string[]): { code: number; out: Buffer } {
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd, env: ENVIRONMENT });
  return { code: exitCode, out: Buffer.from(stdout) };
}

async function put(folder: string, content: Buffer | undefined): Promise<void> {
  await rm(join(folder, "src/f"), { force: true });
  await mkdir(join(folder, "src"), { recursive: true });
  if (content) await writeFile(join(folder, "src/f"), content);
}

async function get(folder: string): Promise<string | undefined> {
  const file = Bun.file(join(folder, "src/f"));
  return (await file.exists()) ? Buffer.from(await file.bytes()).toString("latin1") : undefined;
}

async function makeDiff(root: string, { old, made, form }: Case): Promise<Buffer> {
  if (form === "git" || form === "mail" || form === "returns") {
    const repository = join(root, "repository");
    await put(repository, old);
    run(repository, "git", "init", "-q");
    run(repository, "git", "add", "-A");
    run(repository, "git", "commit", "-qm", "one", "--allow-empty");
    await put(repository, made);
    run(repository, "git", "add", "-A");
    run(repository, "git", "commit", "-qm", "two\n\n- a list\n+ of things\n");
    const command =
      form === "mail" ? ["format-patch", "-1", "--stdout"] : ["diff", "HEAD~1", "HEAD"];
    const { out } = run(repository, "git", ...command);
    if (form !== "returns") return out;
    return Buffer.from(out.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
  }
  await put(join(root, "a"), old);
  await put(join(root, "b"), made);
  const { out } = run(root, "diff", form === "narrow" ? "-U1" : "-u", "-N", "a/src/f", "b/src/f");
  const [from, to] = { orig: ["x-1.orig/", "x-1/"], dotted: ["./", "./"] }[form as string] ?? [
    "a/",
    "b/",
  ];
  const named = out
    .toString("latin1")
    .replace("--- a/", `--- ${from}`)
    .replace("+++ b/", `+++ ${to}`);
  return Buffer.from(`Description: a change\n - of something\n\nIndex: src/f\n${named}`, "latin1");
}

async function judge(root: string, one: Case): Promise<"same" | "refused" | "neither" | "other"> {
  const diff = await makeDiff(root, one);
  const [theirs, ours] = [join(root, "theirs"), join(root, "ours")];
  await put(theirs, one.there);
  await put(ours, one.there);
  await writeFile(join(root, "diff"), diff);
  const binary = one.form === "returns" ? [] : ["--binary"];
  const { code } = run(theirs, "patch", "-p1", "-F0", "-fsN", ...binary, "-r-", "-i", "../diff");
  await using workspace = new Workspace({
    cwd: ours,
    env: { ...process.env, HOME: root },
    settings: { editMode: "patch", blockAutoGenerated: false },
  });
  const input = decodeUtf8(diff);
  const request =
    input === undefined
      ? { mode: "patch" as const, input: diff.toString("latin1"), isBytes: true }
      : { mode: "patch" as const, input };
  const edit = await applyEdit(request, workspace).catch((error) => {
    if (error instanceof FileProblem) return { kind: "refused" as const };
    throw error;
  });
  if (edit.kind !== "applied") {
    expect(await get(ours)).toBe(one.there?.toString("latin1"));
    return code === 0 ? "refused" : "neither";
  }
  if (code !== 0) return "other";
  expect(await get(ours)).toBe((await get(theirs))!);
  return "same";
}

test.skipIf(!hasPrograms)(
  "a diff does what `patch -p1` does without fuzz, or nothing",
  async () => {
    await using scratch = await createScratchDirectory();
    const counts = { same: 0, refused: 0, neither: 0, other: 0 };
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const isSame = one.old && one.made && Buffer.compare(one.old, one.made) === 0;
        fc.pre(!isSame);
        await rm(join(scratch.root, "repository"), { recursive: true, force: true });
        counts[await judge(scratch.root, one)]++;
      }),
      { numRuns: ROUNDS },
    );
    console.log(counts);
    // Refusing everything would keep the law too.
    expect(counts.refused).toBeLessThan(ROUNDS / 10);
    expect(counts.same).toBeGreaterThan(ROUNDS / 2);
  },
  900_000,
);

/** One step of a commit, on files that are named by numbers. */
type Step =
  | { do: "change" | "rename" | "copy"; at: number; change: Change }
  | { do: "remove" | "allow" | "empty"; at: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("change", "rename", "copy"), at: fc.nat(5), change }),
  fc.record({ do: fc.constantFrom("remove", "allow", "empty"), at: fc.nat(5) }),
);

async function commit(root: string, steps: readonly Step[]): Promise<void> {
  const taken = new Set<number>();
  for (const one of steps) {
    if (taken.has(one.at)) continue;
    taken.add(one.at);
    const path = join(root, `d/${one.at}`);
    if (one.do === "remove") await rm(path);
    else if (one.do === "allow") await chmod(path, 0o755);
    else if (one.do === "empty") await writeFile(join(root, `new ${one.at}`), "");
    else if ("change" in one) {
      const lines = (await readFile(path, "utf8")).split("\n");
      if (one.do !== "rename" || one.at % 2 === 0) one.change(lines);
      if (one.do === "rename") await rm(path);
      const target = one.do === "change" ? path : join(root, `ä/${one.at}`);
      await mkdir(join(root, "ä"), { recursive: true });
      await writeFile(target, lines.join("\n"));
    }
  }
}

/** What git would keep of a folder: contents and whether a file can be run. */
function treeOf(folder: string): string {
  run(folder, "git", "init", "-q");
  run(folder, "git", "add", "-A");
  return run(folder, "git", "ls-files", "-s").out.toString();
}

test.skipIf(!hasPrograms)(
  "a diff of git does what `git apply` does: files move, are copied, empty, and can be run",
  async () => {
    await using scratch = await createScratchDirectory();
    let applied = 0;
    const rounds = Math.ceil(ROUNDS / 4);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const [from, theirs, ours] = ["from", "theirs", "ours"].map((name) =>
          join(scratch.root, name),
        ) as [string, string, string];
        for (const folder of [from, theirs, ours]) {
          await rm(folder, { recursive: true, force: true });
          await mkdir(join(folder, "d"), { recursive: true });
          for (let at = 0; at <= 5; at++) {
            const text = texts[at % texts.length]!.replaceAll("const", `const${at}`);
            await writeFile(join(folder, `d/${at}`), text);
          }
        }
        treeOf(from);
        run(from, "git", "commit", "-qm", "one");
        await commit(from, steps);
        run(from, "git", "add", "-A");
        const diff = run(from, "git", "diff", "--cached", "-M", "-C", "--find-copies-harder").out;
        fc.pre(diff.length > 0);
        await writeFile(join(scratch.root, "diff"), diff);
        expect(run(theirs, "git", "apply", "--whitespace=nowarn", "../diff").code).toBe(0);
        await using workspace = new Workspace({
          cwd: ours,
          env: { ...process.env, HOME: scratch.root },
          settings: { editMode: "patch", blockAutoGenerated: false },
        });
        const edit = await applyEdit({ mode: "patch", input: diff.toString() }, workspace);
        if (edit.kind === "applied") applied++;
        const want = edit.kind === "applied" ? treeOf(theirs) : undefined;
        if (want !== undefined) expect(treeOf(ours)).toBe(want);
        else expect(edit).toMatchObject({ failures: [{ code: "overlap" }] });
      }),
      { numRuns: rounds },
    );
    expect(applied).toBeGreaterThan(rounds / 2);
  },
  900_000,
);
