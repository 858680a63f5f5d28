import { expect, test } from "bun:test";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { converse, realTools, scripted } from "../test/converse.ts";

const FILES = {
  "README.md":
    "# Pear\n\n[![badge](x)](y)\n\nPear keeps **lists** of [fruit](http://x).\nAnd sorts them.\n\nMore.\n",
  "package.json": '{\n  "name": "pear",\n  "scripts": {\n    "test": "x"\n  }\n}\n',
  "src/a.ts": "export {};\n",
  "src/deep/b.ts": "export {};\n",
  "src/deep/c.ts": "export {};\n",
  "docs/über uns.md": "x\n",
  ".gitignore": "node_modules\n",
};

const seen = `**pear**GIT

Pear keeps lists of fruit. And sorts them. (from \`README.md\`)

| Entry          | Files | Likely           |
| -------------- | ----: | ---------------- |
| \`docs/\`        |     1 | documentation    |
| \`src/\`         |     3 | source code      |
| \`package.json\` |       | manifest         |
| \`README.md\`    |       | introduction     |
| \`.gitignore\`   |       | settings for git |

Mostly TypeScript (3 files), then Markdown (2 files), JSON (1 file).
COMMITS
Next, try:

- \`explain README.md\`
- \`run npm test\``;

test.each([
  "look around",
  "Please look around!",
  "what is this repository?",
  "explain this project",
  "Can you give me an overview of the codebase?",
  "list files",
  "what files are here",
  "what does this project do?",
  "overview",
])("%p looks around", async (text) => {
  const { calls } = await converse(text, scripted("a.bin", ""));
  expect(calls.map((call) => call.name)).toEqual(["read", "bash"]);
  expect(calls[0]!.arguments).toEqual({ path: "." });
});

test("a git repository, for real", async () => {
  await using scratch = await createScratchRepository({ files: FILES, branch: "trunk" });
  const { answer, calls } = await converse("look around", realTools(scratch.root));
  const hash = (await scratch.git("rev-parse", "--short", "HEAD")).trim();
  expect(calls.map((call) => call.arguments.path ?? "bash")).toEqual([
    ".",
    "bash",
    "README.md:1-80",
    "package.json:1-200",
  ]);
  expect(answer).toBe(
    seen
      .replace("GIT", " · git branch `trunk` · 7 tracked files")
      .replace("COMMITS", `\nLast commits:\n\n- \`${hash}\` 2024-01-01 Initial commit\n`),
  );
  expect(await scratch.status()).toEqual([]);
});

test("outside git, for real", async () => {
  await using scratch = await createScratchDirectory();
  for (const [name, text] of Object.entries(FILES)) await scratch.write(name, text);
  const { answer } = await converse("look around", realTools(scratch.root));
  expect(answer).toBe(seen.replace("GIT", " · not a git repository").replace("COMMITS", ""));
});

test("a repository without a commit, and without anything to introduce it", async () => {
  await using scratch = await createScratchRepository();
  await scratch.write("main.go", "package main\n");
  const { answer } = await converse("look around", realTools(scratch.root));
  expect(answer).toContain("git branch `main` · 0 tracked files");
  expect(answer).toContain("Nothing here says what it is");
  expect(answer).toContain("Mostly Go (1 file).");
});

test("an empty directory", async () => {
  await using scratch = await createScratchDirectory();
  const { answer } = await converse("look around", realTools(scratch.root));
  expect(answer).toContain("The directory is empty.");
});

test("a tree as a listing, and no bash", async () => {
  const tree = "¶ .\n.\n├── src/  3 files\n│   └── a.py\n└── pyproject.toml  1.2 KB";
  const manifest = 'name = "plum"\ndescription = "A plum."';
  const { answer, calls } = await converse("look around", scripted(tree, manifest), {
    offered: ["read"],
  });
  expect(calls.map((call) => call.arguments.path)).toEqual([".", "pyproject.toml:1-200"]);
  expect(answer).toStartWith("**plum**\n\nA plum. (from `pyproject.toml`)");
  expect(answer).toContain("`src/`");
  expect(answer).not.toContain("a.py");
  expect(answer).toContain("run python3 -m pytest");
});

test("every line fits 80 columns", async () => {
  const files = {
    [`${"long".repeat(20)}.md`]: "x",
    "README.md": `# ${"N".repeat(30)}\n\n${"word ".repeat(200)}`,
  };
  await using scratch = await createScratchRepository({ files });
  const { answer } = await converse("look around", realTools(scratch.root));
  for (const line of answer.split("\n")) expect(Bun.stringWidth(line)).toBeLessThan(80);
});

test("a directory that cannot be listed is one sentence", async () => {
  const { answer, calls } = await converse(
    "look around",
    scripted({ text: ". may not be read.", isError: true }),
  );
  expect(calls).toHaveLength(1);
  expect(answer).toStartWith("I could not list this directory: . may not be read.");
});
