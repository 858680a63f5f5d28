import { mkdir, symlink } from "node:fs/promises";
import { expect, test } from "bun:test";
import { pathToFileURL } from "node:url";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { assessPaths } from "./assess-path.ts";
import { Workspace } from "./workspace.ts";

async function withWorkspace(
  check: (
    guardOf: (path: string) => Promise<string | undefined>,
    precious: string,
  ) => Promise<void>,
): Promise<void> {
  await using home = await isolatedHome();
  await home.write("work/own.txt", "");
  await home.write("precious.txt", "");
  await home.write("odd:name.txt", "");
  await using workspace = new Workspace({
    cwd: home.path("work"),
    env: home.env,
  });
  const guardOf = async (path: string) => (await assessPaths(workspace, [path])).guard;
  await check(guardOf, home.path("precious.txt"));
}

test("however what is outside is spelled, writing over it is guarded", () =>
  withWorkspace(async (guardOf, precious) => {
    const spellings = [
      precious,
      "../precious.txt",
      "~/precious.txt",
      `"${precious}"`,
      ` ${precious} `,
      pathToFileURL(precious).href,
      "foo://../../precious.txt",
      `${precious}:member.txt`,
      "../odd:name.txt",
    ];
    for (const path of spellings) {
      expect({ path, guard: await guardOf(path) }).toEqual({
        path,
        guard: expect.stringContaining("outside the project"),
      });
    }
  }));

test("what goes is said to go, and is guarded as what is overwritten", async () => {
  await withPlace(async ({ home, workspace }) => {
    const precious = home.path("precious.txt");
    const removed = new Set([precious]);
    const { guard, does } = await assessPaths(workspace, [precious, "own.txt"], { removed });
    expect(guard).toContain("removes ~/precious.txt, outside the project");
    expect(does).toContain(`removes ${precious}`);
  });
});

test("what is inside, the session's own, or not there yet is not", () =>
  withWorkspace(async (guardOf) => {
    for (const path of ["own.txt", "new.txt", "local://notes.md", "conflict://1", "../new.txt"]) {
      expect({ path, guard: await guardOf(path) }).toEqual({ path, guard: undefined });
    }
  }));

test("links, members and rows count by the file that they really lead to", () =>
  withPlace(async ({ home, assess }) => {
    await home.write("x/docs.zip", "PK");
    await home.write("x/data.sqlite", "");
    await symlink(home.path("x"), home.path("work/h:x"));
    await symlink(home.path("precious.txt"), home.path("local/notes.md"));
    await symlink(home.path(".bash_profile"), home.path("work/nowhere"));
    const paths = {
      "h:x/docs.zip:member": "overwrites ~/x/docs.zip, outside the project",
      "../x/docs.zip:a:b": "overwrites ~/x/docs.zip, outside the project",
      "../x/data.sqlite:users:1": "overwrites ~/x/data.sqlite, outside the project",
      "../x/data.sqlite?q=1": "overwrites ~/x/data.sqlite, outside the project",
      "local://notes.md": "overwrites ~/precious.txt, outside the project",
      nowhere: "creates ~/.bash_profile, a shell start-up file",
    };
    for (const [path, guard] of Object.entries(paths)) {
      expect({ path, guard: (await assess([path])).guard }).toEqual({ path, guard });
    }
  }));

test("guarded places are guarded before they exist, and inside the project as well", () =>
  withPlace(async ({ assess }) => {
    const paths = {
      "~/.bash_profile": "creates ~/.bash_profile, a shell start-up file",
      "~/.ssh/keys.zip:id": "creates ~/.ssh/keys.zip, a place for keys",
      ".git/hooks/pre-commit": "creates ~/work/.git/hooks/pre-commit, a git hook",
      ".git/config": "creates ~/work/.git/config, git's settings",
    };
    for (const [path, guard] of Object.entries(paths)) {
      expect((await assess([path])).guard).toContain(guard);
    }
    const both = await assess([...Object.keys(paths), "own.txt"]);
    for (const guard of Object.values(paths)) expect(both.guard).toContain(guard);
  }));

test("a conflict is its file's, whatever it is called", () =>
  withPlace(async ({ home, workspace, assess }) => {
    const conflict = { start: 1, middle: 2, end: 3, ours: "", theirs: "" } as never;
    workspace.files.conflicts.record(home.path("precious.txt"), "", [conflict]);
    workspace.files.conflicts.record(home.path("work/own.txt"), "", [conflict]);
    const guard = "overwrites ~/precious.txt, outside the project";
    expect((await assess(["conflict://1"])).guard).toBe(guard);
    expect((await assess(["conflict://*"])).guard).toBe(guard);
    expect((await assess(["conflict://2"])).guard).toBeUndefined();
  }));

test("if the home directory is the project, nothing in it is overwritten unasked", async () => {
  await using home = await isolatedHome();
  await home.write("precious.txt", "");
  await home.write(".tmp/scratch.txt", "");
  for (const cwd of [home.root, "/"]) {
    await using workspace = new Workspace({ cwd, env: home.env });
    const guardOf = async (path: string) => (await assessPaths(workspace, [path])).guard;
    expect(await guardOf("~/precious.txt")).toBe(
      "overwrites ~/precious.txt, in a project that covers your home directory",
    );
    expect(await guardOf("~/new.txt")).toBeUndefined();
    expect(await guardOf("~/.tmp/scratch.txt")).toBeUndefined();
  }
});

test("a refusal meets a file in each way that it is spelled", () =>
  withPlace(async ({ home, assess }) => {
    await symlink(home.path("work/own.txt"), home.path("work/other.txt"));
    const { subjects, spellings } = await assess(["other.txt", "new.zip:a.txt"]);
    expect(subjects).toEqual(["own.txt", "new.zip:a.txt"]);
    expect(spellings?.[0]).toContain("other.txt");
    expect(spellings?.[1]).toContain("new.zip");
  }));

async function withPlace(
  check: (place: {
    home: IsolatedHome;
    workspace: Workspace;
    assess: (paths: string[]) => ReturnType<typeof assessPaths>;
  }) => Promise<void>,
): Promise<void> {
  await using home = await isolatedHome();
  await home.write("work/own.txt", "");
  await home.write("precious.txt", "");
  await mkdir(home.path("local"));
  const cwd = home.path("work");
  await using workspace = new Workspace({ cwd, env: home.env, localRoot: home.path("local") });
  await check({ home, workspace, assess: (paths) => assessPaths(workspace, paths) });
}
