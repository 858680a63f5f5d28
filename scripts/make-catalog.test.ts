import { expect, test } from "bun:test";
import { join } from "node:path";
import { CATALOG_DIR, makeCatalog } from "./make-catalog.ts";

const root = join(import.meta.dir, "..", CATALOG_DIR);

test("the catalog is what the script makes; run scripts/make-catalog.ts after a change", async () => {
  const made = makeCatalog();
  const present = await Array.fromAsync(new Bun.Glob("*").scan({ cwd: root }));
  expect(present.toSorted()).toEqual([...made.keys()].toSorted());
  for (const [name, text] of made) {
    expect({ name, same: (await Bun.file(join(root, name)).text()) === text }).toEqual({
      name,
      same: true,
    });
  }
});

test("the same input gives the same bytes", () => {
  expect([...makeCatalog()]).toEqual([...makeCatalog()]);
});
