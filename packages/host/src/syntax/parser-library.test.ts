import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { LANGUAGES } from "./language-table.ts";
import { localSyntax } from "./local-syntax.ts";
import { parseSource } from "./parse-source.ts";
import { findLibrary, probe } from "./parser-library.ts";

test("a library that cannot be loaded is found out before the engine sees it", async () => {
  await using scratch = await createScratchDirectory();
  const empty = await scratch.write("empty.so", "");
  const text = await scratch.write("text.so", "this is no library");
  for (const path of [scratch.path("missing.so"), empty, text]) {
    expect(await probe(path, "tree_sitter_python")).toBeString();
  }
});

test("a library without the grammar it is named for is found out too", async () => {
  const grammar = LANGUAGES.find(({ name }) => name === "python")!.grammar;
  if ("builtIn" in grammar) throw new Error("Python is packaged.");
  const library = await findLibrary(grammar);
  expect(library.ok).toBe(true);
  if (library.ok) expect(await probe(library.path, "tree_sitter_klingon")).toContain("klingon");
});

test("a package that is not installed is a language without syntax", async () => {
  const grammar = {
    package: "@ast-grep/lang-klingon",
    symbol: "tree_sitter_klingon",
    expando: "$",
  };
  expect(await findLibrary(grammar)).toEqual({
    ok: false,
    why: "@ast-grep/lang-klingon is not installed",
  });
});

test("the directory Tau works in brings no parsers", async () => {
  await using scratch = await createScratchDirectory();
  const planted = "node_modules/@ast-grep/lang-klingon";
  await scratch.write(`${planted}/package.json`, "{}");
  const script = await scratch.write(
    "look.ts",
    `import { findLibrary } from ${JSON.stringify(`${import.meta.dir}/parser-library.ts`)};
    const grammar = { package: "@ast-grep/lang-klingon", symbol: "x", expando: "$" };
    console.log((await findLibrary(grammar)).why);`,
  );
  const run = Bun.spawn([process.execPath, script], { cwd: scratch.root, stdout: "pipe" });
  expect(await new Response(run.stdout).text()).toBe("@ast-grep/lang-klingon is not installed\n");
});

test("every language of the table has a parser or says why not, and those parse", async () => {
  const status = await localSyntax.ask("languages", {});
  if (!status.ok) throw new Error(status.failure.message);
  expect(status.value.map(({ name }) => name)).toEqual(LANGUAGES.map(({ name }) => name));
  for (const { name, missing } of status.value) {
    const parsed = await parseSource("x", name);
    if (missing === undefined) expect(parsed.ok).toBe(true);
    else expect(parsed).toMatchObject({ ok: false, failure: { code: "language_unavailable" } });
  }
});

test("what cannot be parsed is refused with a reason", async () => {
  expect(await parseSource("x", "klingon")).toMatchObject({
    ok: false,
    failure: { code: "unknown_language" },
  });
  expect(await parseSource("a".repeat(5_000_000), "javascript")).toMatchObject({
    ok: false,
    failure: { code: "too_large" },
  });
});
