// Extensions that others have published: each registers here what it registers in the program that it was
// written for. The facts were taken down there, once.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages, type PackageRow } from "./support/extension-packages.ts";
import { isolatedHome, root, runTau } from "./support/run-tau.ts";

const KEYS = ["tools", "commands", "flags", "shortcuts", "handlers", "renderers"] as const;
type Facts = PackageRow & Record<(typeof KEYS)[number], string[]>;

/** Of 43: one may disappear from the registry, which is not ours to mend. */
const BAR = 40;

const ROWS = readFileSync(join(root, "test/fixtures/extension-packages.jsonl"), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Facts);

// Before the tests are named: one that cannot be had is skipped, and its name says why.
const places = await installPackages(ROWS);
const agreed: string[] = [];

for (const [at, { name, version, path, missing }] of places.entries()) {
  const facts = ROWS[at]!;
  const title = `${name}@${version} registers what it registers at home`;
  test.skipIf(path === undefined)(
    missing === undefined ? title : `${title} (${missing})`,
    async () => {
      await using home = await isolatedHome();
      const { stdout, stderr } = await runTau(["extension", "inspect", path!, "--json"], {
        cwd: home.root,
        home,
      });
      expect(stderr).toBe("");
      const found = JSON.parse(stdout) as Facts & { failures: string[] };
      expect(found.failures).toEqual([]);
      const sorted = (given: Facts) =>
        Object.fromEntries(KEYS.map((key) => [key, given[key].toSorted()]));
      expect(sorted(found)).toEqual(sorted(facts));
      agreed.push(name);
    },
  );
}

const reason = places.find(({ missing }) => missing?.startsWith("the registry"))?.missing;
test.skipIf(reason !== undefined)(
  `at least ${BAR} of ${ROWS.length} agree${reason === undefined ? "" : ` (${reason})`}`,
  () => expect(agreed.length).toBeGreaterThanOrEqual(BAR),
);
