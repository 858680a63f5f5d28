// Code that only its tests call is code that nobody needs: whatever a module exports, the product
// uses. What is exported for embedding programs is in `sdk.ts`.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { unusedExports } from "./support/unused-exports.ts";

const root = join(import.meta.dir, "..");

/** The public API, what extensions import, the program itself, and what is run by hand. */
const ENTRY =
  /^(?:packages\/tau\/src\/(?:(?:sdk|main|extend\/author\/kit)\.ts$|extend\/shims\/)|scripts\/|bench\/)/;
/** Tests and what is made for them; wires keep their judges and generators beside the code. */
const TEST_CODE = [
  /\.test\.ts$|\.fixture\.ts$|\/test\/|\/fixtures\/|^test\/|^packages\/testkit\//,
  /-test-support\.ts$/,
  /^packages\/ai\/src\/(?:.+\/)?(?:arbitrary-[\w-]+|renamed-[\w-]+|scripted-[\w-]+)\.ts$/,
  /^packages\/ai\/src\/wires\/(?:.+\/)?(?:own-replies|[\w-]+-testing|stream-laws|validate-request)\.ts$/,
];

/**
 * What modules that are handed on whole are asked for: the members of `CommandModule`,
 * `CommandLineFeature`, `FeatureProtocol` and `TerminalFeature`.
 */
const CONTRACTS = ["run", "subcommands", "commands", "state", "views", "samples", "panel"];

const ALLOWED: Readonly<Record<string, string>> = {
  "packages/ai/src/wire.ts HTTP_WIRES": "laws over every wire take their list from the table",
  "packages/agent/src/hook-names.ts RUN_HOOK_NAMES": "the same for hook points of a run",
  "packages/agent/src/hook-names.ts SESSION_HOOK_NAMES": "the same for those of a session",
  "packages/ai/src/dialects/dialect.ts DIALECT_IDS": "the same for dialects",
  "packages/ai/src/catalog/catalog.ts catalogProviders": "the same for the catalog",
  "packages/tau/src/features/compaction/strategies.ts STRATEGY_NAMES": "the same for strategies",
  "packages/tau/src/discovery/reference.ts discoveryReference": "docs/discovery.md is held to it",
  "packages/tui/src/theme/built-in-theme.ts colourlessTheme": "views are compared without colours",
};

test("whatever is exported has a caller in the product", async () => {
  const paths = await Array.fromAsync(
    new Glob("{packages,scripts,bench,test}/**/*.{ts,mjs}").scan({ cwd: root }),
  );
  const files = await Promise.all(
    paths
      .filter((path) => !path.includes("node_modules/"))
      .map(async (path) => ({
        path,
        text: await Bun.file(join(root, path)).text(),
        isTest: TEST_CODE.some((pattern) => pattern.test(path)),
      })),
  );
  const unused = unusedExports(files, CONTRACTS).filter((line) => !ENTRY.test(line.split(" ")[0]!));
  expect(unused.filter((line) => ALLOWED[line] === undefined)).toEqual([]);
});

const file = (path: string, text: string, isTest = false) => ({ path, text, isTest });

test("a static import uses what it lists, and one that is handed on whole what its contract says", () => {
  const unused = unusedExports(
    [
      file("packages/a/src/x.ts", "export const one = 1;\nexport const two = 2;"),
      // It says the word, and means something else.
      file("packages/a/src/y.ts", 'import { one as first } from "./x.ts";\nconst two = first;'),
      file("packages/a/src/whole.ts", "export const run = 1;\nexport const other = 2;"),
      file("packages/a/src/rows.ts", 'const row = { load: () => import("./whole.ts") };'),
      file("packages/a/src/part.ts", "export const run = 1;\nexport const other = 2;"),
      file("packages/a/src/part-user.ts", '() => import("./part.ts").then((p) => p.other);'),
    ],
    ["run"],
  );
  expect(unused).toEqual([
    "packages/a/src/x.ts two",
    "packages/a/src/whole.ts other",
    "packages/a/src/part.ts run",
  ]);
});

test("a caller is another module or the rest of the same one, and no test", () => {
  const unused = unusedExports([
    file("packages/a/src/x.ts", "export const one = 1, two = 2;\nexport function three() {}"),
    file("packages/a/src/y.ts", 'import { one } from "./x.ts";\nconsole.log(one);'),
    file("packages/b/src/z.ts", 'const x = await import("@tau/a/x");\nx.two;'),
    file("packages/a/src/x.test.ts", 'import { three } from "./x.ts";\nthree();', true),
    file("packages/a/src/own.ts", "export const LIMIT = 1;\nconsole.log(LIMIT);"),
    file("packages/a/src/stranger.ts", "export const three = 3;\n// three\n"),
  ]);
  expect(unused).toEqual(["packages/a/src/x.ts three", "packages/a/src/stranger.ts three"]);
});
