// The packages that a plugin needs: found at every depth as programs will look for them, all of them from the
// registry, all of them in the lockfile with their integrity, and not too much of them.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { isolatedHome } from "@tau/testkit/scratch";
import { makePackage } from "@tau/testkit/tar";
import { dependencyTree } from "../packages/tau/src/extend/plugins/dependency-tree.ts";
import { installDependencies } from "../packages/tau/src/extend/plugins/install-dependencies.ts";
import { Registry } from "../packages/tau/src/extend/plugins/registry.ts";
import { startPackageServer, type PackageServer } from "./support/package-server.ts";
import { runTau } from "./support/run-tau.ts";

type Needs = Readonly<Record<string, string>>;

const { signal } = new AbortController();

function publish(server: PackageServer, name: string, version: string, dependencies: Needs = {}) {
  const text = JSON.stringify({ name, version, dependencies });
  const files = { "package.json": text, "index.js": `export default "${name}@${version}";` };
  server.publish(name, version, makePackage(files), { manifest: { dependencies } });
}

test("a tree of packages: each is where it is looked for, and in the lockfile", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  publish(server, "shared", "1.5.0");
  publish(server, "shared", "2.0.0");
  publish(server, "left", "1.0.0", { shared: "^1.0.0" });
  publish(server, "right", "1.0.0", { shared: "^2.0.0", other: "npm:left@1" });
  server.publish("tool", "1.0.0", makePackage({ "cli.js": "console.log('tool');" }), {
    manifest: { bin: { tool: "./cli.js", evil: "../../../../etc/passwd", "../x": "cli.js" } },
  });
  const dependencies = { left: "1", right: "*", tool: "latest" };
  const plugin = { name: "needy", version: "1.0.0", dependencies };
  const files = { "package.json": JSON.stringify(plugin), "commands/x.md": "x" };
  server.publish("needy", "1.0.0", makePackage(files));
  const env = { npm_config_registry: `${server.url}/` };
  const result = await runTau(["plugin", "install", "-y", "needy"], { cwd: home.root, home, env });
  expect(result.stderr).toBe("");
  const lock = JSON.parse(await readFile(home.path(".tau/plugins/plugins.json"), "utf8"));
  const { packages, directory } = lock.plugins.needy;
  const integrity = expect.stringMatching(/^sha512-/);
  expect(packages).toEqual({
    left: { name: "left", version: "1.0.0", integrity },
    other: { name: "left", version: "1.0.0", integrity },
    right: { name: "right", version: "1.0.0", integrity },
    "right/node_modules/shared": { name: "shared", version: "2.0.0", integrity },
    shared: { name: "shared", version: "1.5.0", integrity },
    tool: { name: "tool", version: "1.0.0", integrity },
  });
  const root = home.path(`.tau/plugins/${directory}/node_modules`);
  for (const path of Object.keys(packages)) expect(existsSync(`${root}/${path}`)).toBe(true);
  expect(await readFile(`${root}/.bin/tool`, "utf8")).toContain("tool");
  expect(existsSync(`${root}/.bin/evil`)).toBe(false);
  expect(existsSync(`${root}/x`)).toBe(false);
});

test("packages that are too much together are refused, and nothing of them stays", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  for (const name of ["a", "b", "c"]) {
    server.publish(name, "1.0.0", makePackage({ "index.js": "x".repeat(1000), "more.js": "" }));
  }
  const env = { ...home.env, npm_config_registry: `${server.url}/` };
  await home.write("plugin/package.json", `{"dependencies":{"a":"1","b":"1","c":"1"}}`);
  for (const limits of [{ maxBytes: 2500 }, { maxFiles: 5 }]) {
    const staging = home.path(`staging-${Object.keys(limits)[0]}`);
    await mkdir(staging);
    const installing = installDependencies(home.path("plugin"), {
      staging,
      env,
      signal,
      ...limits,
    });
    await expect(installing).rejects.toThrow("its packages unpack to more than");
    expect(existsSync(home.path("plugin/node_modules"))).toBe(false);
  }
});

const NAMES = ["a", "b", "c", "d", "e"] as const;
const VERSIONS = ["1.0.0", "1.2.0", "2.0.0"] as const;
const range = fc.constantFrom("^1.0.0", "1.0.0", "2", "*", ">=1.1.0");
/** Only later names are needed: no two need one another. */
const needsAfter = (at: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...NAMES.slice(at), "a"), range), { maxLength: 3 })
    .map((all) => Object.fromEntries(all.filter(([name]) => NAMES.indexOf(name as "a") >= at)));
const registryOf = fc.tuple(
  ...NAMES.map((_, at) => fc.tuple(...VERSIONS.map(() => needsAfter(at + 1)))),
);

test("whatever needs what: every package finds a version that fits where programs look", async () => {
  await using home = await isolatedHome();
  await fc.assert(
    fc.asyncProperty(registryOf, needsAfter(0), async (all, wanted) => {
      await using server = startPackageServer();
      const needs = new Map<string, Needs>();
      for (const [at, name] of NAMES.entries()) {
        for (const [index, version] of VERSIONS.entries()) {
          needs.set(`${name}@${version}`, all[at]![index]!);
          publish(server, name, version, all[at]![index]!);
        }
      }
      const env = { ...home.env, npm_config_registry: `${server.url}/` };
      const registry = new Registry({ env, signal });
      const placed = await dependencyTree({ dependencies: wanted }, registry);
      const found = new Map(placed.map((one) => [one.path, one.package.version]));
      expect(found.size).toBe(placed.length);
      const lookUp = (from: string, name: string): string | undefined => {
        const above = from === "" ? [] : from.split("/node_modules/");
        const places = above.map((_, at) => [...above.slice(0, above.length - at), name]);
        return [...places, [name]]
          .map((one) => found.get(one.join("/node_modules/")))
          .find(Boolean);
      };
      const check = (from: string, given: Needs): void => {
        for (const [name, wish] of Object.entries(given)) {
          const version = lookUp(from, name);
          expect(version !== undefined && Bun.semver.satisfies(version, wish)).toBe(true);
        }
      };
      check("", wanted);
      for (const { path, package: one } of placed) {
        check(path, needs.get(`${one.name}@${one.version}`)!);
      }
    }),
    { numRuns: 60 },
  );
});
