// `tau extension new`: a working extension with a test, to begin from.

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import TYPES from "./extension-types.txt" with { type: "text" };

const NAME = /^[a-z][a-z0-9-]*$/;

/** Returns the paths that it has written, from the directory. */
export async function makeExtension(
  name: string,
  cwd: string,
): Promise<{ directory: string; files: string[] }> {
  if (!NAME.test(name)) {
    throw new UserError(
      `"${name}" is no name for an extension; use letters, digits and "-"`,
      EXIT.usage,
    );
  }
  const directory = resolve(cwd, name);
  if (existsSync(directory))
    throw new UserError(`${directory} exists already; choose another name`, EXIT.usage);
  const files: Record<string, string> = {
    "package.json": `${JSON.stringify(
      {
        name,
        version: "0.1.0",
        private: true,
        type: "module",
        tau: { extensions: ["./index.ts"] },
      },
      null,
      2,
    )}\n`,
    "index.ts": source(name),
    "index.test.ts": TEST,
    "README.md": readme(name),
    "node_modules/@tau/extension/package.json": `${JSON.stringify(
      {
        name: "@tau/extension",
        version: "0.1.0",
        types: "./index.d.ts",
        exports: { ".": { types: "./index.d.ts" }, "./testing": { types: "./testing.d.ts" } },
      },
      null,
      2,
    )}\n`,
    "node_modules/@tau/extension/index.d.ts": part("index"),
    "node_modules/@tau/extension/testing.d.ts": part("testing"),
  };
  await mkdir(directory, { recursive: true });
  for (const [path, text] of Object.entries(files)) await Bun.write(join(directory, path), text);
  return { directory, files: Object.keys(files) };
}

function part(name: string): string {
  const [, text] = new RegExp(`^// --- ${name}\\n([\\s\\S]*?)(?=^// --- |$(?![\\s\\S]))`, "m").exec(
    TYPES,
  )!;
  return text!;
}

function source(name: string): string {
  return `import { defineExtension, defineTool } from "@tau/extension";

const wordCount = defineTool<{ text: string }>({
  name: "word_count",
  description: "Counts the words of a text.",
  parameters: {
    type: "object",
    properties: { text: { type: "string", description: "The text" } },
    required: ["text"],
  },
  tier: "read",
  execute: ({ text }) => \`\${text.split(/\\s+/).filter(Boolean).length} words\`,
});

export default defineExtension({
  name: "${name}",
  tools: [wordCount],
  commands: [
    {
      name: "${name}",
      help: "say hello",
      run: async (_place, whom) => \`Hello, \${whom || "world"}!\`,
    },
  ],
  setup: (host) => ({
    hooks: {
      // Who is asked before a call that deletes everything: nobody. It is refused.
      tool_call: ({ arguments: args }) =>
        /\\brm\\s+-rf\\b/.test(String(args.command)) ? { type: "block", reason: "Not with this extension." } : undefined,
      turn_end: ({ turn }) => host.ui.setStatus("turns", \`turn \${turn}\`),
    },
  }),
});
`;
}

const TEST = `import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

test("the tool counts", async () => {
  const { results } = await run({
    prompt: "How many words?",
    model: [{ calls: [{ name: "word_count", arguments: { text: "one two three" } }] }],
  });
  assert.deepEqual(results, ["3 words"]);
});

test("what deletes everything is refused", async () => {
  const { results, file } = await run({
    prompt: "Clean up.",
    files: { "kept/file.txt": "here" },
    model: [{ calls: [{ name: "bash", arguments: { command: "rm -rf kept" } }] }],
  });
  assert.deepEqual(results, ["Not with this extension."]);
  assert.equal(file("kept/file.txt"), "here");
});
`;

function readme(name: string): string {
  return `# ${name}

    tau -e .                  try it
    tau extension test .      run its tests
    tau extension inspect .   what it brings

For every session: put this directory into \`~/.tau/agent/extensions/\`, or name it in your settings:

    tau config set extensions '["${"~"}/path/to/${name}"]'
`;
}
