// What runs of a trusted project is what was compared with the decision, even if other files are put in
// its place while Tau starts.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Script } from "@tau/testkit/model-server";
import { extended, type Extended } from "./support/extended.ts";
import { root } from "./support/run-tau.ts";

const STARTS = Number(process.env.TAU_SWAP_STARTS ?? 12);
const SAID: Script = Array.from({ length: STARTS + 2 }, () => ({ text: "Done." }));

const ran = (program: Extended, name: string): boolean => existsSync(program.home.path(name));

async function project(files: Readonly<Record<string, string>>): Promise<Extended> {
  const program = await extended({}, SAID);
  for (const [name, text] of Object.entries(files)) await program.home.write(`work/${name}`, text);
  await program.home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  return program;
}

test(`${STARTS} starts while the files of a trusted extension are swapped: the foreign ones never run`, async () => {
  const touch = (file: string): string =>
    `require("node:fs").writeFileSync(${JSON.stringify(file)}, "");\n`;
  await using program = await project({});
  const { home } = program;
  const good = {
    "a.ts": `import { words } from "./lib/helper.ts";\n${touch(home.path("good"))}export default () => words;\n`,
    "lib/helper.ts": `export const words = "good";\n`,
    "lib/index.cjs": `exports.words = "good";\n`,
    "b.ts": `import { words } from "./lib/index.cjs";\n${touch(home.path("good"))}export default () => words;\n`,
  };
  for (const [name, text] of Object.entries(good)) {
    await home.write(`work/.tau/extensions/${name}`, text);
  }
  await home.write("work/.tau/config.yml", "retry: { enabled: false }\n");
  await program.command("trust", "allow");
  const undisturbed = await program.run("-p", "Hi");
  expect({ stderr: undisturbed.stderr, good: ran(program, "good") }).toEqual({
    stderr: "",
    good: true,
  });
  const foreign = touch(home.path("foreign"));
  await home.write("foreign.ts", `${foreign}export const words = 1; export default () => {};\n`);
  // It cannot add a module either, by way of the settings.
  await home.write("work/added.ts", `${foreign}export default () => {};\n`);
  const settings = [
    join(program.cwd, ".tau/config.yml"),
    "retry: { enabled: false }\n",
    "extensions: [./added.ts]\n",
  ];
  const modules = Object.entries(good).map(([name, text]) => [
    join(program.cwd, ".tau/extensions", name),
    text,
    `${foreign}${text}`,
  ]);
  const swapper = Bun.spawn(
    [
      join(root, "node_modules/.tau/bun"),
      join(import.meta.dir, "support/swap-files.ts"),
      JSON.stringify([...modules, settings]),
      home.path("foreign.ts"),
    ],
    { stdout: "inherit", stderr: "inherit" },
  );
  const told: string[] = [];
  try {
    for (let start = 0; start < STARTS; start++) {
      told.push((await program.run("-p", "Hi")).stderr);
      expect(ran(program, "foreign")).toBe(false);
    }
  } finally {
    swapper.kill("SIGKILL");
    await swapper.exited;
  }
  if (process.env.TAU_SWAP_SHOW) console.log(told.join("---\n"));
  // Otherwise nothing was swapped at the right moment, and nothing was tried.
  expect(told.join("")).toMatch(/has changed since you allowed it|is not as you allowed it/);
}, 120_000);

test("a trusted extension imports, requires and throws as if nobody had looked", async () => {
  await using program = await project({
    ".tau/extensions/many/package.json": JSON.stringify({
      name: "many",
      tau: { extensions: ["./main.ts"] },
    }),
    ".tau/extensions/many/main.ts": `
import { writeFileSync } from "node:fs";
import all, { named } from "./common.cjs";
import callable from "./callable.js";
import data from "./data.json";
import marked, { two } from "./marked.js";
import { outside } from "../../../src/outside.ts";
import inner from "inner";
import outer from "outer";
const required = require("./callable.js");
let stack = "";
try { callable(); } catch (error) { stack = error.stack; }
enum Kind { One = 1 }
const lazy = await import("./lazy.ts?again=1");
writeFileSync("said", JSON.stringify([all.named, named, callable === required, data.a, marked, two, outside,
  inner, outer, Kind.One, lazy.where, import.meta.path, stack.split("\\n")[1]]));
export default () => {};
`,
    ".tau/extensions/many/lazy.ts": "export const where: string = import.meta.dir;\n",
    ".tau/extensions/many/common.cjs": `const other = require("./circle.cjs");\nexports.named = () => other.back();\nexports.named = exports.named();\n`,
    ".tau/extensions/many/circle.cjs": `const common = require("./common.cjs");\nexports.back = () => typeof common;\n`,
    ".tau/extensions/many/callable.js": `module.exports = function callable() {\n  throw new Error("here");\n};\n`,
    ".tau/extensions/many/marked.js": `Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = "marked";\nexports.two = 2;\n`,
    ".tau/extensions/many/data.json": `{ "a": 1 }`,
    ".tau/extensions/many/node_modules/inner/index.js": `module.exports = "inner";\n`,
    "node_modules/outer/index.js": `module.exports = "outer";\n`,
    "src/outside.ts": `export const outside = "outside";\n`,
  });
  await program.command("trust", "allow");
  const { stderr } = await program.run("-p", "Hi");
  expect(stderr).toBe("");
  const many = join(program.cwd, ".tau/extensions/many");
  const said = JSON.parse(await readFile(join(program.cwd, "said"), "utf8")) as unknown[];
  const words = ["object", "object", true, 1, "marked", 2, "outside", "inner", "outer", 1];
  expect(said.slice(0, -1)).toEqual([...words, many, `${many}/main.ts`]);
  expect(said.at(-1)).toContain(`${many}/callable.js:2:`);
});

test("a module that an extension loads later is not run if it has changed since, or only then appeared", async () => {
  await using program = await project({
    ".tau/extensions/late.ts": `
import { writeFileSync } from "node:fs";
export default (api) => {
  api.on("agent_end", async () => {
    for (const name of ["part/lazy.ts", "part/newer.ts"]) {
      writeFileSync(new URL(name, import.meta.url), "require('node:fs').writeFileSync('foreign', '')");
      await import("./" + name).then(() => {}, (error) => writeFileSync(name.slice(5) + ".why", error.message));
    }
  });
};
`,
    ".tau/extensions/part/lazy.ts": "export const lazy = 1;\n",
  });
  await program.command("trust", "allow");
  await program.run("-p", "Hi");
  expect(existsSync(join(program.cwd, "foreign"))).toBe(false);
  for (const name of ["lazy.ts", "newer.ts"]) {
    expect(await readFile(join(program.cwd, `${name}.why`), "utf8")).toBe(
      `.tau/extensions/part/${name} is not as you allowed it; \`tau trust\` shows the project as it is now`,
    );
  }
});
