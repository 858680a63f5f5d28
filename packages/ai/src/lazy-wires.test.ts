import { expect, test } from "bun:test";
import { join } from "node:path";

test("importing the package loads no wire, no dialect and no catalog", async () => {
  const script = `
    for (const name of ["call", "providers", "wire", "failure-policy", "catalog/catalog"]) {
      await import("@tau/ai/" + name);
    }
    const ours = Object.keys(require.cache).filter((path) => path.includes("packages/ai/src"));
    console.log(JSON.stringify(ours.map((path) => path.split("packages/ai/src/")[1])));
  `;
  const cwd = join(import.meta.dir, "..", "..", "tau");
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd,
    stdout: "pipe",
    stderr: "pipe",
  });
  const loaded = JSON.parse(await child.stdout.text()) as string[];
  expect(loaded).toContain("call.ts");
  const heavy = /^(?:wires\/[^/]+\/|dialects\/|oauth\/|catalog\/generated\/.*\.json)/;
  expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
});
