// A project's lockfile alone, as it is after a clone: exactly what it names is fetched again, and only if
// somebody agrees.

import { expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { makePackage } from "@tau/testkit/tar";
import { startPackageServer } from "./support/package-server.ts";
import { skill } from "./support/plugin-files.ts";
import { runTau } from "./support/run-tau.ts";

const PLACE = "work/.tau/plugins";

const helper = (word: string): Uint8Array =>
  makePackage({ "index.js": `export default "${word}";` });

async function lockfile(home: IsolatedHome): Promise<string> {
  return readFile(home.path(PLACE, "plugins.json"), "utf8");
}

/** Only what is committed stays. */
async function cloned(home: IsolatedHome): Promise<void> {
  for (const name of await readdir(home.path(PLACE))) {
    if (name !== "plugins.json") await rm(home.path(PLACE, name), { recursive: true });
  }
}

async function files(home: IsolatedHome): Promise<string[]> {
  const all = await readdir(home.path(PLACE), { recursive: true });
  return all.filter((name) => !name.includes(".lock")).toSorted();
}

test("the same versions, commits, packages and files, and never without consent", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  await using repository = await createScratchRepository({
    files: { "skills/first/SKILL.md": skill("first", "First") },
  });
  await using shared = await createScratchRepository({
    files: {
      ".claude-plugin/marketplace.json": JSON.stringify({
        name: "market",
        owner: { name: "x" },
        plugins: [{ name: "inside", source: "./inside", description: "Inside" }],
      }),
      "inside/commands/go.md": "Go.",
    },
  });
  await home.write("work/.git/HEAD", "");
  const env = { npm_config_registry: `${server.url}/` };
  const run = (...args: string[]) =>
    runTau(["plugin", ...args], { cwd: home.path("work"), home, env });
  server.publish("helper", "1.0.0", helper("old"));
  const plugin = { name: "needy", version: "1.0.0", dependencies: { helper: "^1.0.0" } };
  const needy = { "package.json": JSON.stringify(plugin), "commands/x.md": "x" };
  server.publish("needy", "1.0.0", makePackage(needy));
  await run("marketplace", "add", server.gitUrl(shared.root));
  const git = `${server.gitUrl(repository.root)}#main`;
  for (const source of ["needy@^1", git, "inside@market"]) {
    expect((await run("install", "-y", "--project", source)).stderr).toBe("");
  }
  const [lock, there] = [await lockfile(home), await files(home)];
  expect((await run("install")).stdout).toBe("Everything that is in the lockfile is installed.\n");

  // Meanwhile there is more of everything.
  server.publish("helper", "1.1.0", helper("new"));
  server.publish("needy", "1.0.1", makePackage(needy));
  await repository.write("skills/first/SKILL.md", skill("first", "Second"));
  await repository.git("commit", "-qam", "Later");
  await cloned(home);
  const asked = server.requests.length;
  const refused = await run("install");
  expect(refused.stderr).toBe("tau: nobody can be asked here, so nothing was fetched; add --yes\n");
  expect(refused.stdout).toContain("needy");
  expect(server.requests).toHaveLength(asked);

  const restored = await run("install", "-y");
  expect(restored.stderr).toBe("");
  expect(restored.stdout).toContain("Installed needy 1.0.0 again (project).\n");
  expect(await lockfile(home)).toBe(lock);
  expect(await files(home)).toEqual(there);
  expect((await run("doctor")).stdout).toBe("Everything is as it should be.\n");

  // Whoever has not got the marketplace is told where it is from.
  await cloned(home);
  await run("marketplace", "remove", "market");
  const partly = await run("install", "-y");
  expect(partly.exitCode).toBe(1);
  expect(partly.stderr).toMatch(
    /^tau: inside is from a marketplace .*add git\+http:\/\/127[^\n]*\n$/,
  );
  expect((await run("list")).stdout).toContain("needy");
});

test("another content than the lockfile has is refused, also of a package deep inside", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  await home.write("work/.git/HEAD", "");
  const env = { npm_config_registry: `${server.url}/` };
  const run = (...args: string[]) =>
    runTau(["plugin", ...args], { cwd: home.path("work"), home, env });
  const plugin = { name: "needy", version: "1.0.0", dependencies: { helper: "^1.0.0" } };
  const needy = { "package.json": JSON.stringify(plugin), "commands/x.md": "x" };
  server.publish("helper", "1.0.0", helper("old"));
  server.publish("needy", "1.0.0", makePackage(needy));
  await run("install", "-y", "--project", "needy");
  const lock = await lockfile(home);
  await cloned(home);

  server.publish("helper", "1.0.0", helper("evil"));
  const inner = await run("install", "-y");
  expect(inner.stderr).toBe(
    "tau: needy: its package helper@1.0.0 is not what the lockfile has; nothing was installed\n",
  );
  server.publish("needy", "1.0.0", makePackage({ ...needy, "commands/x.md": "evil" }));
  expect((await run("install", "-y")).stderr).toContain("needy@1.0.0 is not what the lockfile has");
  expect(
    (await readdir(home.path(PLACE))).filter((one) => !one.startsWith("plugins.json")),
  ).toEqual([]);

  // A lockfile that vouches for what the registry has now, but not for all of it.
  server.publish("helper", "1.0.0", helper("old"));
  server.publish("needy", "1.0.0", makePackage(needy));
  const broken = JSON.parse(lock);
  broken.plugins.needy.integrity = `sha512-${btoa("x".repeat(64))}`;
  await writeFile(home.path(PLACE, "plugins.json"), JSON.stringify(broken));
  expect((await run("install", "-y")).stderr).toBe(
    "tau: needy: what its source has now is not what the lockfile has; nothing was installed\n",
  );
  // And one that leads to a directory of whoever has cloned it.
  const elsewhere = await home.write("secret/commands/x.md", "x");
  broken.plugins.needy.source = `file:${join(elsewhere, "../..")}`;
  await writeFile(home.path(PLACE, "plugins.json"), JSON.stringify(broken));
  expect((await run("install", "-y")).stderr).toContain("a directory of another machine");
});
