// Whatever a stranger packs: it is a plugin, or it is refused in a sentence for people. Nothing is a bug of
// Tau's, and nothing is left behind.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import * as fc from "fast-check";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { makeTar, type TarEntry } from "@tau/testkit/tar";
import { parseLock } from "../packages/tau/src/discovery/plugins/plugin-lock.ts";
import { installPlugin } from "../packages/tau/src/extend/plugins/install-plugin.ts";
import {
  entrySource,
  parseCatalog,
} from "../packages/tau/src/extend/plugins/marketplace-catalog.ts";
import { Marketplaces } from "../packages/tau/src/extend/plugins/marketplaces.ts";
import { storeFor } from "../packages/tau/src/extend/plugins/plugin-store.ts";
import { preparePlugin } from "../packages/tau/src/extend/plugins/prepare-plugin.ts";
import { UserError } from "../packages/tau/src/user-error.ts";

const RUNS = Number(process.env.TAU_FUZZ_PLUGINS ?? 150);
const { signal } = new AbortController();

async function installed(home: IsolatedHome, from: string): Promise<boolean> {
  const place = { cwd: home.root, env: { ...home.env }, signal };
  const store = await storeFor("user", place);
  try {
    await using staging = await store.stage();
    const own = { ...place, staging: staging.path, markets: await Marketplaces.open(place) };
    const prepared = await preparePlugin({ type: "tarball", from }, own);
    await installPlugin(prepared, { ...own, store });
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  } finally {
    const left = await readdir(store.place.directory).catch(() => []);
    expect(left.filter((name) => name.startsWith(".staging-"))).toEqual([]);
  }
}

const part = fc.oneof(
  fc.constantFrom("skills", "commands", "agents", "hooks", "x", ".claude-plugin", "node_modules"),
  fc.constantFrom("..", ".", "", "SKILL.md", "plugin.json", "package.json", ".git", "hooks.json"),
  fc.string({ maxLength: 8 }),
  fc.constant("n".repeat(300)),
);
const path = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/")),
  fc.integer({ min: 1, max: 4000 }).map((depth) => `${"d/".repeat(depth)}x`),
);
const entry: fc.Arbitrary<TarEntry> = fc.record({
  name: path.map((name) => `package/${name}`),
  content: fc.string({ maxLength: 200 }),
  type: fc.constantFrom("0", "0", "0", "1", "2", "5"),
  linkName: path,
  mode: fc.nat(0o7777),
});
const COMMAND: TarEntry = { name: "package/commands/x.md", content: "x" };

test("tars of any names, kinds and links", async () => {
  await using home = await isolatedHome();
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
      const file = await home.write("any.tar", makeTar([COMMAND, ...entries]));
      if (await installed(home, file)) taken++;
    }),
    { numRuns: RUNS },
  );
  // Otherwise it would say nothing of what is accepted.
  expect(taken).toBeGreaterThan(0);
});

test("tars with damaged bytes", async () => {
  await using home = await isolatedHome();
  const whole = makeTar([
    COMMAND,
    { name: "package/package.json", content: '{"name":"some","version":"1.0.0"}' },
    { name: `package/skills/${"s".repeat(120)}/SKILL.md`, content: "---\ndescription: x\n---\n" },
  ]);
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(whole.length), fc.boolean(), async (bytes, end, isPacked) => {
      const own = Uint8Array.from(whole);
      for (const [at, byte] of bytes) own[at] = byte;
      const cut = end % 3 === 0 ? own.slice(0, end) : own;
      await installed(home, await home.write("any.tar", isPacked ? Bun.gzipSync(cut) : cut));
    }),
    { numRuns: RUNS },
  );
});

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  path,
  fc.array(path, { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
);
const KEYS = ["name", "version", "description", "commands", "agents", "skills", "hooks"] as const;
const MORE = ["mcpServers", "lspServers", "themes", "userConfig", "features", "settings"] as const;
const manifest = fc.record(Object.fromEntries([...KEYS, ...MORE].map((key) => [key, anything])), {
  requiredKeys: [],
});
const pack = fc.record(
  { name: anything, dependencies: anything, tau: anything, pi: manifest, engines: anything },
  { requiredKeys: [] },
);
const text = fc.oneof(
  { arbitrary: manifest.map((one) => JSON.stringify(one)), weight: 4 },
  { arbitrary: fc.json(), weight: 1 },
  { arbitrary: fc.string(), weight: 1 },
);

test("manifests of any content", async () => {
  await using home = await isolatedHome();
  const env = { npm_config_registry: "http://127.0.0.1:9/" };
  Object.assign(home.env, env);
  await fc.assert(
    fc.asyncProperty(text, pack, text, text, async (claude, own, hooks, servers) => {
      const files: TarEntry[] = [
        COMMAND,
        { name: "package/.claude-plugin/plugin.json", content: claude },
        { name: "package/package.json", content: JSON.stringify(own) },
        { name: "package/hooks/hooks.json", content: hooks },
        { name: "package/.mcp.json", content: servers },
        { name: "package/skills/s/SKILL.md", content: `---\n${claude}\n---\n` },
      ];
      await installed(home, await home.write("any.tar", makeTar(files)));
    }),
    { numRuns: RUNS },
  );
});

test("catalogs and lockfiles of any content", () => {
  const plugin = fc.record(
    { name: anything, source: fc.oneof(anything, manifest), version: anything, strict: anything },
    { requiredKeys: [] },
  );
  const catalog = fc.record({
    name: fc.oneof(fc.constant("m"), anything),
    plugins: fc.array(plugin),
  });
  fc.assert(
    fc.property(
      fc.oneof(
        catalog.map((one) => JSON.stringify(one)),
        text,
      ),
      (given) => {
        try {
          const parsed = parseCatalog(given, "it");
          for (const one of parsed.entries) entrySource(one, parsed);
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
        const plugins = { version: 1, plugins: { a: { directory: "a@00", packages: given } } };
        expect(parseLock(JSON.stringify(plugins)).plugins).toHaveLength(1);
        expect(parseLock(given).plugins).toEqual([]);
      },
    ),
    { numRuns: RUNS * 4 },
  );
});
