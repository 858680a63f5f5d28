// Every tool that can change something × every guarded place × every spelling of it: all of them ask.
// And the paths of ordinary work: none of them does. The places come from the table of the guard.

import { mkdir, symlink } from "node:fs/promises";
import { expect, test } from "bun:test";
import type { CallAssessment, Tool } from "@tau/agent/tool";
import { CodeMemory } from "@tau/host/code-reading/code-memory";
import { GUARDED_ROWS } from "@tau/host/guard/guarded-places";
import { realPlace } from "@tau/host/guard/real-path";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { pathToFileURL } from "node:url";
import { KINDS } from "../../discovery/kinds.ts";
import { DISCOVERY_TABLE } from "../../discovery/table.ts";
import { assessCells } from "../../tools/assess-cells.ts";
import { assessPaths } from "../../tools/assess-path.ts";
import { createBashTool } from "../../tools/bash/tool.ts";
import { createEditTool } from "../../tools/edit/tool.ts";
import { Workspace } from "../../tools/workspace.ts";
import { createWriteTool } from "../../tools/write/tool.ts";
import { createResolveTool } from "../resolve/resolve-tool.ts";
import { decide } from "./decide.ts";
import type { ApprovalMode } from "./settings.ts";

interface World {
  home: IsolatedHome;
  workspace: Workspace;
  /** What a tool says of a call. */
  assess: Readonly<Record<string, (text: string) => Promise<CallAssessment>>>;
}

async function inWorld(check: (world: World) => Promise<void>): Promise<void> {
  await using home = await isolatedHome();
  await mkdir(home.path("work/sub"), { recursive: true });
  await home.write("work/a", "");
  const local = home.path(".tau/agent/sessions/x/local");
  await mkdir(local, { recursive: true });
  for (const directory of [home.path("work"), local]) {
    await symlink(home.root, `${directory}/home`);
    await symlink("/", `${directory}/root`);
    await symlink(home.path("work"), `${directory}/here`);
  }
  await symlink(home.root, home.path("work/h:x"));
  await using workspace = new Workspace({
    cwd: home.path("work"),
    env: { ...home.env, PATH: `${home.path(".local/bin")}:/usr/bin` },
    localRoot: local,
    settings: { editMode: "replace" },
  });
  const { previews } = workspace.files;
  const cells = {
    workspace,
    session: { python: new CodeMemory(), javascript: new CodeMemory() },
    directoryOf: () => workspace.cwd,
    isPythonForgetful: false,
  };
  const judgeCell = async (language: "py" | "js", code: string): Promise<CallAssessment> =>
    (await assessCells(cells, { cells: [{ language, code }] })).assessment;
  const resolve = createResolveTool(previews, { assess: (paths) => assessPaths(workspace, paths) });
  const [write, edit, bash] = [
    createWriteTool(workspace),
    createEditTool(workspace),
    createBashTool(workspace),
  ];
  const call = async (tool: Tool, params: object): Promise<CallAssessment> => tool.assess!(params);
  await check({
    home,
    workspace,
    assess: {
      write: (path) => call(write, { path, content: "x" }),
      edit: (path) => call(edit, { path, edits: [{ oldText: "a", newText: "b" }] }),
      resolve: async (path) => {
        previews.drop();
        const writes = [workspace.files.resolve(path)];
        const apply = () => Promise.reject(new Error("not here"));
        previews.push({ label: "x", sourceTool: "ast_edit", writes, apply });
        return call(resolve, { action: "apply", reason: "x" });
      },
      bash: (command) => call(bash, { command }),
      py: (code) => judgeCell("py", code),
      js: (code) => judgeCell("js", code),
    },
  });
}

/** Absolute. */
function guardedPaths(home: string, work: string): string[] {
  const named = (entry: string): string => entry.replaceAll("*", "3");
  const rows = GUARDED_ROWS.flatMap(
    ({ home: own = [], system = [], anywhere = [], project = [], files = [] }) => [
      ...own.map((entry) => `${home}/${named(entry)}`),
      ...system.map((entry) => `${named(entry)}/x`),
      ...anywhere.map((entry) => `${work}/${named(entry)}/x`),
      ...project.map((entry) => `${work}/${named(entry)}`),
      ...files.map((entry) => `${work}/${named(entry)}`),
    ],
  );
  const own = [`${home}/.tau/agent/config.yml`, `${home}/.tau/new`, `${home}/.local/bin/tool`];
  return [...new Set([...rows, ...own])];
}

/** As tools for files take them. */
function fileSpellings(path: string, { home, workspace }: World): string[] {
  const found = [path, pathToFileURL(path).href, `"${path}"`, `${path}:10-20`, `${path}:member`];
  // Some directories of the system are links themselves, and lead to others.
  if (realPlace(path) === path) found.push(`root${path}`, `local://root${path}`);
  if (path.startsWith(`${workspace.cwd}/`)) {
    const inside = path.slice(workspace.cwd.length + 1);
    found.push(inside, `./sub/../${inside}`, `here/${inside}`, `local://here/${inside}`);
  }
  if (path.startsWith(`${home.root}/`)) {
    const inside = path.slice(home.root.length + 1);
    found.push(`~/${inside}`, `../${inside}`, `sub/../../${inside}`, `home/${inside}`);
    found.push(`h:x/${inside}`, `h:x/${inside}:member`, `local://home/${inside}`);
  }
  return found;
}

/** As a shell takes them. */
function shellSpellings(path: string, world: World): string[] {
  const isPath = (text: string): boolean => !/^file:|^local:|^"|:(?:10-20|member)$/.test(text);
  return fileSpellings(path, world).filter(isPath);
}

const LINES: readonly ((path: string) => string)[] = [
  (path) => `echo x > ${path}`,
  (path) => `echo x >> ${path}`,
  (path) => `cp a ${path}`,
  (path) => `cat a | tee -a ${path}`,
  (path) => `ln -sf a ${path}`,
];
const PYTHON: readonly ((path: string) => string)[] = [
  (path) => `open('${path}', 'a').write('x')`,
  (path) => `write('${path}', 'x')`,
  (path) => `!echo x > ${path}`,
  (path) => `%%bash\ncp a ${path}`,
];
const JAVASCRIPT: readonly ((path: string) => string)[] = [
  (path) => `fs.writeFileSync('${path}', 'x')`,
  (path) => `await append('${path}', 'x')`,
];

type Case = readonly [tool: string, text: string];

function casesOf(path: string, world: World): Case[] {
  const files = fileSpellings(path, world);
  const shells = shellSpellings(path, world);
  // Nobody expands a tilde in code, but the helpers and shells do.
  const inCode = shells.filter((spelling) => !spelling.startsWith("~"));
  const each = <T>(spellings: readonly string[], forms: readonly ((path: string) => T)[]): T[] =>
    spellings.map((spelling, at) => forms[at % forms.length]!(spelling));
  return [
    ...["write", "edit"].flatMap((tool) => files.map((text): Case => [tool, text])),
    // Whoever previews has found the files already.
    ...inCode.map((text): Case => ["resolve", text]),
    // Each form with some spelling, each spelling in some form: all of both for the first path.
    ...each(shells, LINES).map((text): Case => ["bash", text]),
    ...each(inCode, PYTHON).map((text): Case => ["py", text]),
    ...each(inCode, JAVASCRIPT).map((text): Case => ["js", text]),
  ];
}

function asks(tool: string, call: CallAssessment, mode: ApprovalMode): boolean {
  return decide(tool, call, { mode, policies: {}, rules: [] }).type === "ask";
}

test(
  "a change of a guarded place asks, by every tool and in every spelling",
  () =>
    inWorld(async (world) => {
      const paths = guardedPaths(world.home.root, world.workspace.cwd);
      expect(paths.length).toBeGreaterThan(150);
      const missed: string[] = [];
      for (const path of paths) {
        for (const [tool, text] of casesOf(path, world)) {
          const call = await world.assess[tool]!(text);
          const isAsked = asks(tool, call, "auto") && asks(tool, call, "always-ask");
          if (!isAsked || asks(tool, call, "yolo")) missed.push(`${tool} ${text}`);
        }
      }
      expect(missed).toEqual([]);
    }),
  { timeout: 120_000 },
);

test("every form of a change asks for every spelling of a place", () =>
  inWorld(async (world) => {
    const { root } = world.home;
    const missed: string[] = [];
    for (const path of [`${root}/.bash_profile`, `${world.workspace.cwd}/.git/hooks/pre-commit`]) {
      for (const spelling of shellSpellings(path, world)) {
        const cases = [
          ...LINES.map((line): Case => ["bash", line(spelling)]),
          ...PYTHON.map((code): Case => ["py", code(spelling)]),
          ...JAVASCRIPT.map((code): Case => ["js", code(spelling)]),
        ];
        for (const [tool, text] of cases) {
          if (!asks(tool, await world.assess[tool]!(text), "auto")) missed.push(`${tool} ${text}`);
        }
      }
    }
    expect(missed).toEqual([]);
  }));

/** An environment file runs nothing, and is ordinary work; everything else that discovery takes power from is not. */
const TAKEN = DISCOVERY_TABLE.filter(({ kind }) => KINDS[kind].executes && kind !== "env");

/** Paths that a pattern of discovery finds, each in one spelling. */
function foundBy(pattern: string): string[] {
  const [, before = "", inside, after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (inside !== undefined) {
    return inside.split(",").flatMap((word) => foundBy(`${before}${word}${after}`));
  }
  return [(before || pattern).replaceAll("**", "deep").replaceAll("*", "some")];
}

test("whatever discovery would run, start or obey at the next start asks before it is changed", () =>
  inWorld(async (world) => {
    const { home, workspace } = world;
    const ofProject = TAKEN.flatMap(({ project = [] }) => project.flatMap(foundBy));
    const ofUser = TAKEN.flatMap(({ user = [] }) => user.flatMap(foundBy));
    const paths = [
      ...ofProject.flatMap((one) => [`${workspace.cwd}/${one}`, `${workspace.cwd}/sub/${one}`]),
      ...ofUser.map((one) => one.replace(/^@\//, "~/.tau/agent/").replace("~", home.root)),
      // Where a module of the user finds packages.
      home.path("node_modules/zod/index.js"),
    ];
    expect(paths.length).toBeGreaterThan(100);
    const missed: string[] = [];
    for (const path of new Set(paths)) {
      for (const [tool, text] of [
        ["write", path],
        ["edit", path],
        ["bash", `cp a ${path}`],
      ] as const) {
        if (!asks(tool, await world.assess[tool]!(text), "auto")) missed.push(`${tool} ${text}`);
      }
    }
    expect(missed).toEqual([]);
  }));

const ORDINARY =
  `src/main.ts README.md package.json package-lock.json Makefile Dockerfile docker-compose.yml
.gitignore .gitattributes .github/workflows/ci.yml .editorconfig .prettierrc .env .env.example
tsconfig.json docs/guide.md test/a.test.ts dist/out.js build/x.o node_modules/.cache/x .tool-versions pyproject.toml
requirements.txt setup.cfg Cargo.toml go.mod .eslintrc.json scripts/release.sh .husky/pre-commit
src/git/hooks/x.ts .config/app.json .claude/notes.md src/profile .storybook/main.ts`.split(/\s+/);

test("a change of an ordinary file does not ask", () =>
  inWorld(async (world) => {
    const asked: string[] = [];
    for (const inside of ORDINARY) {
      const path = `${world.workspace.cwd}/${inside}`;
      const spellings = [inside, path, `./sub/../${inside}`, `here/${inside}`];
      const cases = spellings.flatMap((spelling): Case[] => [
        ["write", spelling],
        ["edit", spelling],
        ["resolve", spelling],
        ...LINES.map((line): Case => ["bash", line(spelling)]),
        ...PYTHON.map((code): Case => ["py", code(spelling)]),
        ...JAVASCRIPT.map((code): Case => ["js", code(spelling)]),
      ]);
      cases.push(["write", `local://${inside}`], ["write", `../other/${inside}`]);
      for (const [tool, text] of cases) {
        if (asks(tool, await world.assess[tool]!(text), "auto")) asked.push(`${tool} ${text}`);
      }
    }
    expect(asked).toEqual([]);
  }));
