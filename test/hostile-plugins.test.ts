// Packages that are made to harm whoever installs them: each is refused in one sentence, and nothing of it
// stays.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, symlink } from "node:fs/promises";
import { hostname } from "node:os";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { createScratchRepository } from "@tau/testkit/scratch";
import { startPackageServer, type PackageServer } from "./support/package-server.ts";
import { runTau } from "./support/run-tau.ts";
import { makePackage, makeTgz, type TarEntry } from "@tau/testkit/tar";

interface Attack {
  home: IsolatedHome;
  server: PackageServer;
}

const manifest = (fields: object): string =>
  JSON.stringify({ name: "evil", version: "1.0.0", ...fields });
const COMMAND: TarEntry = { name: "package/commands/x.md", content: "x" };

function tarball(...entries: TarEntry[]) {
  return async ({ home }: Attack): Promise<string[]> => {
    await home.write("evil.tgz", makeTgz([COMMAND, ...entries]));
    return ["./evil.tgz"];
  };
}

function claude(fields: object, files: Readonly<Record<string, string>> = {}) {
  return async ({ home }: Attack): Promise<string[]> => {
    await home.write("evil/.claude-plugin/plugin.json", manifest(fields));
    await home.write("evil/commands/x.md", "x");
    for (const [name, content] of Object.entries(files)) await home.write(`evil/${name}`, content);
    return ["./evil"];
  };
}

function marketplace(source: unknown) {
  return async ({ home }: Attack): Promise<string[]> => {
    const catalog = { name: "market", owner: { name: "x" }, plugins: [{ name: "evil", source }] };
    await home.write("market/.claude-plugin/marketplace.json", JSON.stringify(catalog));
    await home.write("secret/commands/x.md", "secret");
    await runTau(["plugin", "marketplace", "add", "./market"], { cwd: home.root, home });
    return ["evil@market"];
  };
}

/** As if it had been added from the web: what is fetched from there is on the disk. */
function webMarketplace(source: unknown) {
  return async ({ home }: Attack): Promise<string[]> => {
    const directory = "marketplace+market@0123456789abcdef";
    const catalog = { name: "market", owner: { name: "x" }, plugins: [{ name: "evil", source }] };
    const place = `.tau/plugins/${directory}/.claude-plugin/marketplace.json`;
    await home.write(place, JSON.stringify(catalog));
    const market = { name: "market", source: "https://93.184.215.14/marketplace.json", directory };
    const known = { version: 1, marketplaces: [{ ...market, updatedAt: "" }] };
    await home.write(".tau/plugins/marketplaces.json", JSON.stringify(known));
    return ["evil@market"];
  };
}

function published(server: PackageServer, name: string, fields: object): void {
  const files = { "package.json": JSON.stringify({ name, version: "1.0.0", ...fields }) };
  server.publish(name, "1.0.0", makePackage(files), { manifest: fields });
}

/** The plugin itself is in order. */
function needing(server: PackageServer, dependencies: Readonly<Record<string, string>>): void {
  const files = { "package.json": manifest({ dependencies }), "commands/x.md": "x" };
  server.publish("evil", "1.0.0", makePackage(files));
}

async function bomb({ home }: Attack): Promise<string[]> {
  await home.write("evil.tgz", bombBytes());
  return ["./evil.tgz"];
}

/** Of zeros, packed; what is not written is not needed. */
function bombBytes(): Uint8Array {
  const size = 300 * 1024 * 1024;
  const header = makeTgz([{ name: "package/a", size }]);
  const unpacked = Bun.gunzipSync(Uint8Array.from(header)).subarray(0, 512);
  const whole = new Uint8Array(512 + size);
  whole.set(unpacked);
  return Bun.gzipSync(whole, { level: 1 });
}

const ATTACKS: readonly [string, (attack: Attack) => Promise<string[]>, string][] = [
  [
    "a file above the package",
    tarball({ name: "package/../../escaped", content: "x" }),
    "leads out",
  ],
  ["an absolute file", tarball({ name: "/tmp/escaped", content: "x" }), "leads out"],
  ["a link out", tarball({ name: "package/l", type: "2", linkName: "../../.." }), "leads out"],
  [
    "a link to a secret",
    tarball({ name: "package/l", type: "2", linkName: "/etc/passwd" }),
    "leads out",
  ],
  ["a hard link", tarball({ name: "package/l", type: "1", linkName: "/etc/passwd" }), "hard link"],
  ["a bomb", bomb, "more than 256 MB"],
  ["not a tar", async ({ home }) => [await home.write("evil.tgz", "nothing")], "damaged"],
  ["commands above the plugin", claude({ commands: "../../secrets" }), "leads out of the plugin"],
  ["an absolute path of agents", claude({ agents: ["/etc"] }), "leads out of the plugin"],
  ["hooks above the plugin", claude({ hooks: "../hooks.json" }), "leads out of the plugin"],
  [
    "servers above the plugin",
    claude({ mcpServers: "../../.mcp.json" }),
    "leads out of the plugin",
  ],
  ["a name with escapes", claude({ name: "\x1b]0;owned\x07evil" }), "may not be a name"],
  ["a name that is a path", claude({ name: "../../evil" }), "may not be a name"],
  [
    "a manifest that is not JSON",
    async ({ home }) => {
      await home.write("evil/.claude-plugin/plugin.json", "{ name: ");
      return ["./evil"];
    },
    "plugin.json",
  ],
  [
    "a directory with a link out",
    async (attack) => {
      const [path] = await claude({})(attack);
      await symlink("/etc", attack.home.path("evil/skills"));
      return [path!];
    },
    "leads out of the plugin",
  ],
  [
    "nothing at all",
    async ({ home }) => {
      await home.write("evil/README.md", "x");
      return ["./evil"];
    },
    "brings nothing",
  ],
  [
    "another tarball than the registry vouches for",
    async ({ server }) => {
      const bytes = makePackage({ "package.json": manifest({}), "commands/x.md": "x" });
      server.publish("evil", "1.0.0", bytes, { integrity: `sha512-${btoa("x".repeat(64))}` });
      return ["evil"];
    },
    "vouches for",
  ],
  [
    "a package that the registry vouches for with nothing",
    async ({ server }) => {
      server.publish("evil", "1.0.0", makePackage({ "commands/x.md": "x" }), { integrity: "" });
      return ["evil"];
    },
    "vouches for no content",
  ],
  [
    "dependencies from elsewhere",
    async ({ server }) => {
      const dependencies = { helper: "file:../../../../etc" };
      const files = { "package.json": manifest({ dependencies }), "commands/x.md": "x" };
      server.publish("evil", "1.0.0", makePackage(files));
      return ["evil"];
    },
    "not a registry",
  ],
  ...(["git+https://evil.test/x.git", "https://evil.test/x.tgz", "owner/repo"] as const).map(
    (from): (typeof ATTACKS)[number] => [
      `a package of a package from ${from}`,
      async ({ server }) => {
        needing(server, { helper: "1.0.0" });
        published(server, "helper", { dependencies: { deeper: "^1.0.0" } });
        published(server, "deeper", { optionalDependencies: { deepest: from } });
        return ["evil"];
      },
      "its package deeper needs deepest from",
    ],
  ),
  [
    "a package of a package with a name that is a path",
    async ({ server }) => {
      needing(server, { helper: "1.0.0" });
      published(server, "helper", { dependencies: { "../../escaped": "1.0.0" } });
      return ["evil"];
    },
    "not the name of a package",
  ],
  [
    "a package that is a bomb",
    async ({ server }) => {
      needing(server, { helper: "1.0.0" });
      server.publish("helper", "1.0.0", bombBytes());
      return ["evil"];
    },
    "its package helper@1.0.0 cannot be unpacked: it unpacks to more than 256 MB",
  ],
  [
    "a package that the registry does not vouch for",
    async ({ server }) => {
      needing(server, { helper: "1.0.0" });
      server.publish("helper", "1.0.0", makePackage({ "index.js": "" }), {
        integrity: `sha512-${btoa("x".repeat(64))}`,
      });
      return ["evil"];
    },
    "the tarball of helper@1.0.0 is not the one",
  ],
  [
    "packages that need one another for ever",
    async ({ server }) => {
      needing(server, { ping: "1.0.0" });
      for (const [name, other] of [
        ["ping", "pong"],
        ["pong", "ping"],
      ] as const) {
        published(server, name, { dependencies: { [other]: name === "ping" ? "1.0.0" : "2.0.0" } });
        const next = { dependencies: { [other]: name === "ping" ? "2.0.0" : "1.0.0" } };
        server.publish(name, "2.0.0", makePackage({ "index.js": "" }), { manifest: next });
      }
      return ["evil"];
    },
    "more than 64 deep",
  ],
  [
    "a path of three thousand directories",
    tarball({ name: `package/${"d/".repeat(3000)}x`, content: "x" }),
    "more than 100 deep",
  ],
  [
    "a name that is too long for any disk",
    tarball({ name: `package/${"x".repeat(5000)}`, content: "x" }),
    "cannot be written",
  ],
  [
    "a download that leads to this machine",
    async ({ server }) => {
      server.serve("/x.tgz", () => Response.redirect("http://localhost:1/secret", 302));
      return [`${server.url}/x.tgz`];
    },
    "private address",
  ],
  ["a repository by a program", async () => ["git+ext::sh -c touch% owned"], "is not a source"],
  [
    "a marketplace that leads to a local file",
    marketplace({ source: "url", url: "file:///etc" }),
    "not on the web",
  ],
  [
    "a marketplace that leads to a program",
    marketplace({ source: "url", url: "ext::sh -c 'touch owned'" }),
    "not on the web",
  ],
  ["a marketplace with a path above it", marketplace("../secret"), "leads out"],
  ["a marketplace with an absolute path", marketplace("/etc"), "leads out"],
  [
    "a marketplace with a subdirectory above",
    marketplace({ source: "git-subdir", url: "https://x.test/a.git", path: "../../x" }),
    "not understood",
  ],
  [
    "a marketplace with an option for a commit",
    marketplace({ source: "github", repo: "a/b", sha: "--upload-pack=touch owned" }),
    "may be given",
  ],
  [
    "a marketplace with an option for a repository",
    marketplace({ source: "url", url: "--upload-pack=x" }),
    "not on the web",
  ],
  ...[
    "https://127.0.0.1:1/a.git",
    "https://[::1]/a.git",
    "https://2130706433/a.git",
    "https://169.254.169.254/latest",
    "https://10.0.0.1/a.git",
    "https://localhost./a.git",
    `https://${hostname()}/a.git`,
    "ssh://git@127.0.0.1/a.git",
    "ssh://[::1]:22/a.git",
    "git@localhost:owner/a.git",
    "git@0x7f.1:owner/a.git",
    "git@192.168.1.1:owner/a.git",
  ].map((url): (typeof ATTACKS)[number] => [
    `a marketplace of the web that leads to ${url}`,
    webMarketplace({ source: "url", url }),
    "a private address",
  ]),
  [
    "a marketplace of the web with a registry of this machine",
    webMarketplace({ source: "npm", package: "evil", registry: "https://127.0.0.1:1/" }),
    "a private address",
  ],
  [
    "a marketplace of the web without https",
    webMarketplace({ source: "url", url: "http://example.com/a.git" }),
    "not on the web",
  ],
  [
    "a marketplace with a source nobody knows",
    marketplace({ source: "carrier-pigeon" }),
    "not understood",
  ],
];

test.each(ATTACKS)("%s", async (_name, prepare, why) => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  const sources = await prepare({ home, server });
  const env = { npm_config_registry: `${server.url}/` };
  const result = await runTau(["plugin", "install", "-y", ...sources], {
    cwd: home.root,
    home,
    env,
  });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain(why);
  // One sentence, and nothing in it that a terminal would obey.
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(result.stderr).toMatch(/^tau: [^\p{Cc}]+\n$/u);
  const left = await readdir(home.path(".tau/plugins")).catch(() => []);
  const known =
    /^(?:(?:plugins|marketplaces)\.json(?:\.lock)?|marketplace\+market@0123456789abcdef)$/;
  expect(left.filter((name) => !known.test(name))).toEqual([]);
  expect(existsSync(home.path("owned"))).toBe(false);
  expect(existsSync(home.path("escaped"))).toBe(false);
});

test("a repository's own configuration, hooks and attributes do nothing", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  await using repository = await createScratchRepository({
    files: {
      ".gitattributes": "* filter=evil\n",
      ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% owned\n',
      "commands/x.md": "x",
      "bunfig.toml": 'preload = ["./evil.ts"]\n',
      ".npmrc": "registry=http://evil.test/\n",
      "package.json": manifest({ dependencies: { helper: "1.0.0" } }),
    },
  });
  await repository.git("config", "filter.evil.smudge", `touch ${home.path("owned")}`);
  await repository.git("config", "uploadpack.packObjectsHook", `touch ${home.path("owned")}`);
  server.publish(
    "helper",
    "1.0.0",
    makePackage({ "package.json": '{"name":"helper","version":"1.0.0"}' }),
  );
  const env = { npm_config_registry: `${server.url}/` };
  const source = server.gitUrl(repository.root);
  const result = await runTau(["plugin", "install", "-y", source], { cwd: home.root, home, env });
  expect(result.stderr).toBe("");
  expect(existsSync(home.path("owned"))).toBe(false);
  expect(server.requests).toContain("/helper");
});

test("what leads out of a plugin is refused before anything of it is read to be shown", async () => {
  await using home = await isolatedHome();
  await home.write("secret/SKILL.md", "---\nname: s\ndescription: my secret\n---\n");
  await home.write("evil/.claude-plugin/plugin.json", manifest({}));
  await home.write("evil/commands/x.md", "x");
  await symlink(home.path("secret"), home.path("evil/skills"));
  const result = await runTau(["plugin", "show", "./evil"], { cwd: home.root, home });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toContain("skills leads out of the plugin");
});
