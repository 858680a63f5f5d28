// The tables of places against the spellings of them, and where paths lead on a real disk.

import { describe, expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { guardedPlace } from "./guarded-places.ts";
import type { GuardWorld } from "./place-table.ts";
import { realPlace } from "./real-path.ts";
import { repositoryRuns } from "./repository-runs.ts";
import { secretPlace, secretsBelow } from "./secret-places.ts";

const WORLD: GuardWorld = {
  home: "/home/me",
  workspace: "/home/me/project",
  agentDirectory: "/home/me/.tau/agent",
  pathDirectories: ["/usr/bin", "/home/me/.local/bin", "/home/me/project/node_modules/.bin"],
  platform: "linux",
};

const PROJECT_SETTINGS = "settings that an agent or an editor obeys in this project";

describe("guarded places", () => {
  test.each([
    ["/home/me/.tau/agent/config.yml", "Tau's own settings"],
    ["/home/me/.tau", "Tau's own settings"],
    ["/home/me/.tau/agent/sessions/x/y.jsonl", "Tau's own settings"],
    ["/home/me/.tau/agent/sessions/x/local/../../../config.yml", "Tau's own settings"],
    ["/home/me/.bashrc", "a shell start-up file"],
    ["/home/me/.bash_profil?", "a shell start-up file"],
    ["/home/me/.[b]ashrc", "a shell start-up file"],
    ["/home/me/.config/fish/conf.d/x.fish", "a shell start-up file"],
    ["/home/me/.ssh/authorized_keys", "a place for keys"],
    ["/home/me/.ss*/x", "a place for keys"],
    ["/home/me/project/.git/config", "git's settings"],
    ["/home/me/project/.git/hooks/pre-commit", "a git hook"],
    ["/home/me/project/.git/h*/pre-commit", "a git hook"],
    ["/home/me/project/.g?t/hooks", "a git hook"],
    ["/home/me/project/.git", "a repository's link to its history"],
    ["/srv/other/.git/modules/a/hooks/x", "a git hook"],
    ["/home/me/project/.git/index", "a repository's history"],
    ["/home/me/project/.git/refs/heads/main", "a repository's history"],
    ["/srv/other/.git/HEAD", "a repository's history"],
    ["/home/me/project/.tau/config.yml", PROJECT_SETTINGS],
    ["/home/me/project/.tau/SYSTEM.md", PROJECT_SETTINGS],
    ["/home/me/project/packages/a/.claude/settings.local.json", PROJECT_SETTINGS],
    ["/home/me/project/.mcp.json", PROJECT_SETTINGS],
    ["/home/me/project/.envrc", PROJECT_SETTINGS],
    ["/home/me/project/.[m]cp.json", PROJECT_SETTINGS],
    ["/home/me/project/.vscode/settings.json", PROJECT_SETTINGS],
    ["/home/me/project/.idea/runConfigurations/x.xml", PROJECT_SETTINGS],
    ["/home/me/project/.npmrc", "settings that choose which programs run in this project"],
    [
      "/home/me/project/a/.cargo/config.toml",
      "settings that choose which programs run in this project",
    ],
    ["/home/me/project/mise.toml", "settings that choose which programs run in this project"],
    [
      "/home/me/project/.gdbinit",
      "a start-up file of an editor, a debugger or a shell in this project",
    ],
    ["/home/me/project/.git/info/grafts", "git's settings"],
    ["/home/me/.gitconfig", "git's settings"],
    ["/home/me/.config/systemd/user/x.service", "a program that starts with the session"],
    ["/var/spool/cron/me", "a place for planned jobs"],
    ["/home/me/.npmrc", "a package manager's settings"],
    ["/home/me/.docker/config.json", "a place for credentials"],
    ["/home/me/.claude/settings.json", "another agent's settings"],
    ["/home/me/.local/bin/git", "a directory in which programs are looked for"],
    ["/etc/hosts", "the system's settings"],
    ["/usr/bin/x", "a system directory"],
    ["/proc/self/root/home/me/x", "the kernel's own files"],
  ])("%s is %s", (path, what) => expect(guardedPlace(path, WORLD)).toBe(what));

  test.each([
    ["/home/me/project/src/a.ts"],
    ["/home/me/project/.gitignore"],
    ["/home/me/project/.git/index.lock"],
    ["/home/me/project/.vscode/extensions.json"],
    ["/home/me/project/.git/info/exclude"],
    ["/home/me/project/vimrc.txt"],
    ["/home/me/project/docs/*.json"],
    ["/home/me/project/.tau/skills/x.md"],
    ["/home/me/project/node_modules/.bin/x"],
    ["/home/me/project/*"],
    ["/home/me/project/?*"],
    ["/home/me/project/.github/workflows/x.yml"],
    ["/home/me/.tau/agent/sessions/p/s/local/notes.md"],
    ["/home/me/notes.txt"],
    ["/tmp/x"],
  ])("%s is not", (path) => expect(guardedPlace(path, WORLD)).toBeUndefined());

  test("whoever works in an isolated tree may change what is in it, and nothing else of Tau's", () => {
    const trees = "/home/me/.tau/agent/trees";
    for (const at of [`${trees}/x-Ann/tree/work`, `${trees}/x-Ann/mount/tree/work`]) {
      const changed = (path: string) => guardedPlace(path, { ...WORLD, workspace: at });
      expect(changed(`${at}/src/main.ts`)).toBeUndefined();
      expect(changed(`${at}/.git/hooks/pre-commit`)).toBe("a git hook");
      expect(changed(`${at}/../../../x-Bob/tree/work/a.ts`)).toBe("Tau's own settings");
      expect(changed(`${trees}/x-Bob/tree/work/a.ts`)).toBe("Tau's own settings");
      expect(changed(`${trees}/x-Ann/owner.json`)).toBe("Tau's own settings");
      expect(changed("/home/me/.tau/agent/config.yml")).toBe("Tau's own settings");
    }
    const outside = guardedPlace(`${trees}/x-Ann/tree/work/a.ts`, WORLD);
    expect(outside).toBe("Tau's own settings");
    const above = { ...WORLD, workspace: trees };
    expect(guardedPlace(`${trees}/x-Ann/tree/work/a.ts`, above)).toBe("Tau's own settings");
  });

  test("a mac does not tell capitals apart", () => {
    expect(guardedPlace("/home/me/.BashRC", { ...WORLD, platform: "darwin" })).toBeString();
    expect(guardedPlace("/home/me/.BashRC", WORLD)).toBeUndefined();
  });

  test("whoever works on a part of the system may change it, whoever starts in / may not", () => {
    expect(guardedPlace("/etc/nixos/x.nix", { ...WORLD, workspace: "/etc/nixos" })).toBeUndefined();
    expect(guardedPlace("/etc/hosts", { ...WORLD, workspace: "/" })).toBeString();
  });

  test("whatever lies below a guarded directory is guarded", () => {
    const name = fc.stringMatching(/^[a-z.]{1,8}$/).filter((each) => !/^\.+$/.test(each));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), (rest) => {
        expect(guardedPlace(["/home/me/.ssh", ...rest].join("/"), WORLD)).toBe("a place for keys");
      }),
    );
  });
});

describe("secret places", () => {
  test.each([
    ["/home/me/.ssh/id_ed25519", "an SSH key"],
    ["/home/me/.ssh", "an SSH key"],
    ["/home/me/.ssh/*", "an SSH key"],
    ["/home/me/project/.env", "a file of environment secrets"],
    ["/home/me/project/.env.production", "a file of environment secrets"],
    ["/home/me/project/.e*", "a file of environment secrets"],
    ["/srv/x/server.pem", "a key"],
    ["/home/me/.aws/credentials", "cloud credentials"],
    ["/home/me/.netrc", "credentials"],
    ["/home/me/.mozilla/firefox/x/cookies.sqlite", "a browser's profile"],
    ["/home/me/.tau/agent/agent.db", "Tau's keys"],
    ["/proc/self/environ", "a process's environment"],
    ["/proc/1234/environ", "a process's environment"],
    ["/etc/shadow", "the system's passwords"],
  ])("%s holds %s", (path, what) => expect(secretPlace(path, WORLD)).toBe(what));

  test.each([
    ["/home/me/.ssh/known_hosts"],
    ["/home/me/.ssh/id_ed25519.pub"],
    ["/home/me/project/.env.example"],
    ["/home/me/project/src/environment.ts"],
    ["/home/me/project/src/credentials/a.ts"],
    ["/etc/hosts"],
    ["/proc/cpuinfo"],
  ])("%s does not", (path) => expect(secretPlace(path, WORLD)).toBeUndefined());

  test("all that is in a directory", () => {
    expect(secretsBelow("/home/me", WORLD)).toBeString();
    expect(secretsBelow("/", WORLD)).toBeString();
    expect(secretsBelow("/home/me/.config", WORLD)).toBeString();
    expect(secretsBelow("/home/me/.tau", WORLD)).toBeString();
    expect(secretsBelow("/home/me/project", WORLD)).toBeUndefined();
  });
});

describe("where a path really leads", () => {
  test("links, also in the middle and before ..", async () => {
    await using scratch = await createScratchDirectory();
    const root = realpathSync(scratch.root);
    mkdirSync(`${root}/a/deep`, { recursive: true });
    symlinkSync(`${root}/a/deep`, `${root}/link`);
    symlinkSync("link/../x", `${root}/relative`);
    symlinkSync("self", `${root}/self`);
    symlinkSync("nowhere/at/all", `${root}/dangling`);
    expect(realPlace(`${root}/link`)).toBe(`${root}/a/deep`);
    expect(realPlace(`${root}/link/..`)).toBe(`${root}/a`);
    expect(realPlace(`${root}/link/../new/file`)).toBe(`${root}/a/new/file`);
    expect(realPlace(`${root}/relative`)).toBe(`${root}/a/x`);
    expect(realPlace(`${root}/dangling/y`)).toBe(`${root}/nowhere/at/all/y`);
    expect(realPlace(`${root}/self/y`)).toBe(`${root}/self/y`);
    expect(realPlace("/")).toBe("/");
    expect(realPlace("/../..")).toBe("/");
  });

  test("pipes are not opened", async () => {
    await using scratch = await createScratchDirectory();
    expect(spawnSync("mkfifo", [scratch.path("pipe")]).status).toBe(0);
    expect(realPlace(scratch.path("pipe/x"))).toEndWith("/pipe/x");
  });

  test("as the system says, wherever something exists", async () => {
    await using scratch = await createScratchDirectory();
    const root = realpathSync(scratch.root);
    const names = ["a", "b", "c"];
    for (const name of names) mkdirSync(`${root}/${name}/a/b`, { recursive: true });
    symlinkSync("../b", `${root}/a/l`);
    symlinkSync(`${root}/c/a`, `${root}/b/l`);
    symlinkSync("../../a/l/..", `${root}/c/a/l`);
    const part = fc.constantFrom("a", "b", "c", "l", "..", ".", "");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = [root, ...parts].join("/");
        let real: string;
        try {
          real = realpathSync.native(path);
        } catch {
          return; // It does not exist: the system has no opinion.
        }
        expect(realPlace(path)).toBe(real);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("what git would run for a repository", () => {
  const PLAIN =
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://h/x\n[branch "main"]\n\tmerge = refs/heads/main\n';

  test.each([
    ["as git makes it", { ".git/config": PLAIN }, false],
    ["no repository at all", {}, false],
    ["a filter", { ".git/config": `${PLAIN}[filter "x"]\n\tclean = evil\n` }, true],
    ["a monitor", { ".git/config": "[core]\n  fsmonitor = evil\n" }, true],
    ["another file of settings", { ".git/config": "[include]\npath = x\n" }, true],
    ["a key beside its section", { ".git/config": "[core] fsmonitor = evil\n" }, true],
    ["a line that goes on", { ".git/config": "[core]\n\tbare = false \\\n" }, true],
    [
      "a hook that looking sets off",
      { ".git/config": PLAIN, ".git/hooks/post-index-change": "" },
      true,
    ],
    [
      "settings of the work tree",
      { ".git/config": PLAIN, ".git/config.worktree": "[diff]\nexternal=x" },
      true,
    ],
    ["modules", { ".git/config": PLAIN, ".git/modules/a/config": "" }, true],
    [
      "a link to another place",
      { ".git": "gitdir: other\n", "other/config": "[core]\npager=x" },
      true,
    ],
    [
      "a directory that is one itself",
      { HEAD: "x", config: "[core]\nfsmonitor=x", "objects/a": "" },
      true,
    ],
  ])("%s", async (_name, files, expected) => {
    await using scratch = await createScratchDirectory();
    await scratch.write("work/src/a", "");
    for (const [path, text] of Object.entries(files)) await scratch.write(`work/${path}`, text);
    expect(repositoryRuns(scratch.path("work"))).toBe(expected);
    expect(repositoryRuns(scratch.path("work/src"))).toBe(expected);
  });
});
