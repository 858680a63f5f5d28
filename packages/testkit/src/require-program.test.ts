import { expect, test } from "bun:test";
import { join } from "node:path";
import { decide, findProgram, testWith } from "./require-program.ts";
import { createScratchDirectory } from "./scratch.ts";

const MISSING = "no-such-program-tau";

test("a program that is there runs, whatever is required", () => {
  expect(decide("git", "/usr/bin/git", {})).toEqual({ kind: "run", path: "/usr/bin/git" });
  const required = { TAU_TEST_REQUIRE: "all" };
  expect(decide("git", "/usr/bin/git", required)).toEqual({ kind: "run", path: "/usr/bin/git" });
});

test("a missing one skips with the way to get it, and fails where all are required", () => {
  const reason = "needs strace: npm run setup:system";
  expect(decide("strace", null, {})).toEqual({ kind: "skip", reason });
  expect(decide("strace", null, { TAU_TEST_REQUIRE: "" })).toEqual({ kind: "skip", reason });
  expect(decide("strace", null, { TAU_TEST_REQUIRE: "all" })).toEqual({ kind: "fail", reason });
  expect(decide(["chromium", "chrome"], null, {})).toMatchObject({
    reason: "needs chromium or chrome: npm run setup:system",
  });
});

test("any of several alternatives is enough", () => {
  expect(findProgram([MISSING, "git"])).toBe(Bun.which("git"));
  expect(findProgram([MISSING])).toBeNull();
});

testWith(
  { program: "git", proves: "the path is handed over" },
  "the body gets the path",
  (path) => {
    expect(path).toBe(Bun.which("git") ?? "");
  },
);

// The whole helper, as a test run sees it.
async function runTests(
  env: Record<string, string>,
): Promise<{ exitCode: number; output: string }> {
  await using dir = await createScratchDirectory();
  const helper = JSON.stringify(join(import.meta.dir, "require-program.ts"));
  await dir.write(
    "needy.test.ts",
    `import { testWith } from ${helper};
     testWith({ program: "${MISSING}", proves: "the moon" }, "works", () => {});`,
  );
  const child = Bun.spawn([process.execPath, "test", "needy.test.ts"], {
    cwd: dir.root,
    env: { PATH: process.env.PATH ?? "", HOME: dir.root, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, output: stdout + stderr };
}

test("a skip is visible in the run", async () => {
  const { exitCode, output } = await runTests({});
  expect(output).toContain(`works (needs ${MISSING}: npm run setup:system; unproved: the moon)`);
  expect(output).toContain("1 skip");
  expect(exitCode).toBe(0);
});

test("requiring all makes the same run fail", async () => {
  const { exitCode, output } = await runTests({ TAU_TEST_REQUIRE: "all" });
  expect(output).toContain(`needs ${MISSING}: npm run setup:system (TAU_TEST_REQUIRE=all)`);
  expect(output).toContain("1 fail");
  expect(exitCode).toBe(1);
});
