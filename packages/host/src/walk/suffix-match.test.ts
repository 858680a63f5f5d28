import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { findBySuffix } from "./suffix-match.ts";

test("finds the one path that ends in what was typed", async () => {
  await using scratch = await createScratchDirectory();
  const { root } = scratch;
  await scratch.write("packages/host/src/walk.ts", "x");
  await scratch.write("packages/tui/src/main.ts", "x");
  await scratch.write("packages/host/src/main.ts", "x");
  await scratch.write("packages/host/src/domain.ts", "x");
  const unique = { kind: "unique", path: scratch.path("packages/host/src/walk.ts") } as const;
  for (const path of [
    "walk.ts",
    "src/walk.ts",
    "./src/walk.ts",
    "/src/walk.ts",
    "../src/walk.ts",
  ]) {
    expect(await findBySuffix({ root, path })).toEqual(unique);
  }
  expect(await findBySuffix({ root, path: `${root}/host/src/walk.ts` })).toEqual(unique);
  expect(await findBySuffix({ root, path: "src/main.ts" })).toEqual({
    kind: "ambiguous",
    paths: [scratch.path("packages/host/src/main.ts"), scratch.path("packages/tui/src/main.ts")],
  });
  // Only whole parts of a path count, and nothing that leaves it.
  expect(await findBySuffix({ root, path: "ain.ts" })).toEqual({ kind: "none" });
  expect(await findBySuffix({ root, path: "src/../walk.ts" })).toEqual({ kind: "none" });
  expect(await findBySuffix({ root, path: "/" })).toEqual({ kind: "none" });
});

test("a directory is found too, what is ignored is not", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write(".gitignore", "dist\n");
  await scratch.write("a/lib/x", "x");
  await scratch.write("dist/y", "x");
  const { root } = scratch;
  expect(await findBySuffix({ root, path: "lib" })).toEqual({
    kind: "unique",
    path: scratch.path("a/lib"),
  });
  expect(await findBySuffix({ root, path: "y" })).toEqual({ kind: "none" });
});

test("says that the time was too short, and stops at once when aborted", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a/b", "x");
  const { root } = scratch;
  expect(await findBySuffix({ root, path: "b", timeoutMs: 0 })).toEqual({ kind: "timeout" });
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(findBySuffix({ root, path: "b", signal })).rejects.toThrow("enough");
});
