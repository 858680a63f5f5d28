// The house rules that a reader of one file cannot see: the arrow between packages, how programs are
// started, and the size of files.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** package → what it may import of ours. Nothing depends on tau; only tests on testkit. */
const ALLOWED: Record<string, readonly string[]> = {
  ai: [],
  hashline: [],
  tui: [],
  host: [],
  agent: ["ai"],
  testkit: ["ai", "host"],
  tau: ["ai", "agent", "hashline", "tui", "host"],
};

const MAX_LINES = 500;
const GENERATED = /(^|\/)(generated|fixtures)\//;

async function sources(pattern: string): Promise<string[]> {
  const paths = await Array.fromAsync(new Glob(pattern).scan({ cwd: root }));
  return paths.filter((path) => !path.includes("node_modules/") && !path.startsWith("dist/"));
}

async function importsOf(path: string): Promise<string[]> {
  return importsIn(await Bun.file(join(root, path)).text());
}

/** Type-only imports vanish in transpilation, but they are dependencies all the same. */
const TYPED = [
  /^\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"/gm,
  // `import("…").Name`, and modules whose interfaces are declared again.
  /\bimport\(\s*"([^"]+)"\s*\)/g,
  /^declare module "([.@][^"]+)"/gm,
];

function importsIn(text: string): string[] {
  const names = new Bun.Transpiler({ loader: "ts" }).scanImports(text).map((found) => found.path);
  const typed = TYPED.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
  return [...new Set([...names, ...typed])];
}

test("an import is seen however it is written", () => {
  const text = `
    import { a } from "./a.ts";
    export type { B } from "./b.ts";
    type C = import("./c.ts").C;
    let d: typeof import("./d.ts");
    const e = async () => (await import("@tau/tau/e")).e;
declare module "./f.ts" { interface F {} }
  `;
  const found = importsIn(text).toSorted();
  expect(found).toEqual(["./a.ts", "./b.ts", "./c.ts", "./d.ts", "./f.ts", "@tau/tau/e"]);
});

function isTestCode(path: string): boolean {
  return /\.test\.ts$|\/(?:test|fixtures)\//.test(path);
}

test("every package is in the plan", async () => {
  const manifests = await sources("packages/*/package.json");
  const names = manifests.map((path) => path.split("/")[1]!);
  expect(names.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

test("packages depend on one another only along the arrow", async () => {
  const wrong: string[] = [];
  for (const path of await sources("packages/*/**/*.ts")) {
    const own = path.split("/")[1]!;
    for (const name of await importsOf(path)) {
      const ours = /^@tau\/([^/]+)/.exec(name)?.[1];
      const isTestkit = ours === "testkit" && isTestCode(path);
      if (ours !== undefined && ours !== own && !isTestkit && !ALLOWED[own]!.includes(ours)) {
        wrong.push(`${path} imports ${name}`);
      }
      // The documentation is part of the program: `tau://` reads it.
      if (/^(\.\.\/)+docs\/[\w-]+\.md$/.test(name)) continue;
      if (name.startsWith(".") && !join("/", path, "..", name).startsWith(`/packages/${own}/`)) {
        wrong.push(`${path} reaches out of its package: ${name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

/**
 * The folders of the application, lowest first: one may import only what stands before it. `main.ts` and
 * `sdk.ts` stand above all; the other files beside them, and `base`, below all.
 */
const FOLDERS = [
  "base",
  "config",
  "looks",
  "highlight",
  "discovery",
  "trust",
  "credentials",
  "demo",
  "model",
  "project",
  "files",
  "resources",
  "context",
  "jobs",
  "session",
  "feature-api",
  "tools",
  "features",
  "extend",
  "assembly",
  "modes",
  "cli",
];
const APPLICATION = "packages/tau/src";

function folderOf(path: string): string {
  const [folder, ...rest] = path.slice(APPLICATION.length + 1).split("/");
  if (rest.length > 0) return folder!;
  return folder === "main.ts" || folder === "sdk.ts" ? "cli" : "base";
}

/** What files of the application import of one another, tests aside. */
async function applicationImports(): Promise<{ from: string; to: string }[]> {
  const found: { from: string; to: string }[] = [];
  for (const from of await sources(`${APPLICATION}/**/*.ts`)) {
    if (isTestCode(from) || from.endsWith(".fixture.ts")) continue;
    for (const name of await importsOf(from)) {
      const to = fileOf(name, from);
      if (to !== undefined) found.push({ from, to });
    }
  }
  return found.filter(({ to }) => to.startsWith(`${APPLICATION}/`) && to.endsWith(".ts"));
}

/** Its neighbours, and itself by the package's name; undefined for other packages. */
function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith(".")) return join(from, "..", name);
  const [, own, rest = "sdk"] = /^(@tau\/tau)(?:\/(.+))?$/.exec(name) ?? [];
  return own && `${APPLICATION}/${rest}.ts`;
}

test("the application imports itself by path, so that nothing is loaded twice or past the arrow", async () => {
  const wrong: string[] = [];
  for (const from of await sources(`${APPLICATION}/**/*.ts`)) {
    if (isTestCode(from)) continue;
    for (const name of await importsOf(from))
      if (/^@tau\/tau(?:\/|$)/.test(name)) wrong.push(`${from} imports ${name}`);
  }
  expect(wrong).toEqual([]);
});

test("a tool is made by its feature: no other tool, and nobody above, reaches for another's `tool.ts`", async () => {
  const toolOf = (path: string): string | undefined => /\/src\/tools\/([\w-]+)\//.exec(path)?.[1];
  const reached = (await applicationImports()).filter(
    ({ from, to }) =>
      to.endsWith("/tool.ts") && toolOf(to) !== undefined && toolOf(from) !== toolOf(to),
  );
  expect(reached.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("the folders of the application point one way", async () => {
  const imports = await applicationImports();
  const folders = new Set(imports.map(({ from }) => folderOf(from)));
  expect([...folders].filter((folder) => !FOLDERS.includes(folder))).toEqual([]);
  expect(FOLDERS.filter((folder) => !folders.has(folder) && folder !== "base")).toEqual([]);
  const rank = (path: string): number => FOLDERS.indexOf(folderOf(path));
  const upward = imports.filter(({ from, to }) => rank(to) > rank(from));
  expect(upward.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("a feature is named by the list of features, and by nobody else outside its folder", async () => {
  const feature = (path: string): string | undefined =>
    /\/src\/features\/([\w-]+)\//.exec(path)?.[1];
  const named = (await applicationImports()).filter(
    ({ from, to }) => feature(to) !== undefined && feature(from) !== feature(to),
  );
  const others = named.filter(({ from }) => !/\/(?:features\/built-in|sdk)\.ts$/.test(from));
  expect(others.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test("a package declares what it imports", async () => {
  const wrong: string[] = [];
  for (const own of Object.keys(ALLOWED)) {
    const manifest = await Bun.file(join(root, "packages", own, "package.json")).json();
    const declared = { ...manifest.dependencies, ...manifest.devDependencies, [`@tau/${own}`]: "" };
    for (const path of await sources(`packages/${own}/**/*.ts`)) {
      if (isTestCode(path)) continue;
      for (const name of await importsOf(path)) {
        if (/^(\.|bun$|bun:|node:)/.test(name)) continue;
        const [scope, rest] = name.split("/");
        const pack = name.startsWith("@") ? `${scope}/${rest}` : scope!;
        if (!(pack in declared)) wrong.push(`${path} imports ${pack}`);
      }
    }
  }
  // Generators of random data for tests are shared between the wires' tests.
  expect(wrong.filter((line) => !line.endsWith("imports fast-check"))).toEqual([]);
});

test("nothing is started by a bare name: a relative entry of the PATH leads into a stranger's clone", async () => {
  const bare: string[] = [];
  for (const path of await sources("packages/{ai,agent,hashline,tui,host,tau}/src/**/*.ts")) {
    if (isTestCode(path)) continue;
    const text = await Bun.file(join(root, path)).text();
    for (const [call] of text.matchAll(/spawn(?:Sync)?\(\s*\[\s*"[^/"]+"/g))
      bare.push(`${path}: ${call}`);
  }
  expect(bare).toEqual([]);
});

test(`no source file is longer than ${MAX_LINES} lines`, async () => {
  const long: string[] = [];
  for (const path of await sources("{packages,scripts,bench,test}/**/*.{ts,mjs,sh}")) {
    if (GENERATED.test(path)) continue;
    const lines = (await Bun.file(join(root, path)).text()).trimEnd().split("\n").length;
    if (lines > MAX_LINES) long.push(`${path}: ${lines}`);
  }
  expect(long).toEqual([]);
});

test("everything that is started carries Tau's mark, or is meant to go on without Tau", async () => {
  /** The reaper itself; a program that makes a pipe and is gone; the client of another Tau. */
  const others = /process\/reaper\.ts$|open-pipe\.ts$|rpc\/client\.ts$/;
  const unmarked: string[] = [];
  let found = 0;
  for (const path of await sources("packages/{host,tau}/src/**/*.ts")) {
    if (isTestCode(path) || others.test(path)) continue;
    const text = await Bun.file(join(root, path)).text();
    for (const { index } of text.matchAll(/\bBun\.spawn(?:Sync)?\(|from "node:child_process"/g)) {
      found++;
      const [options = ""] = text.slice(index).split(/\n\s*\}\);?\n/);
      const isMarked = /ownedEnvironment\(|freeVariables\(|markVariables\(|engineEnvironment\(/;
      if (!isMarked.test(options)) unmarked.push(`${path}: ${options.slice(0, 60)}`);
    }
  }
  expect(unmarked).toEqual([]);
  expect(found).toBeGreaterThan(10);
});
