import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { discover } from "../../../discovery/discover.ts";
import { KIND_IDS, KINDS } from "../../../discovery/kinds.ts";
import { decideTrust, projectTrust } from "../../../trust/project-trust.ts";
import { flag } from "../../../config/setting.ts";
import { settingGroup } from "../../../config/setting-group.ts";
import type { Feature } from "../../../feature-api/feature.ts";
import { BUILT_IN } from "../../../features/built-in.ts";
import { SETTING_GROUPS } from "../../../features/settings-table.ts";
import { settingsSource } from "./settings-source.ts";

async function fixture() {
  const scratch = await createScratchDirectory();
  await scratch.write("home/project/.git/HEAD", "ref: refs/heads/main\n");
  await scratch.write("home/project/.tau/config.yml", "# ours\ndefaultThinkingLevel: low\n");
  const cwd = scratch.path("home/project");
  const env = { HOME: scratch.path("home"), TAU_AGENT_DIR: scratch.path("agent") };
  const look = async () => {
    const kinds = KIND_IDS.filter((kind) => KINDS[kind].executes);
    const places = { cwd, home: env.HOME, agentDirectory: env.TAU_AGENT_DIR };
    const found = await discover({ ...places, kinds });
    const place = { root: found.places.root, agentDirectory: env.TAU_AGENT_DIR };
    return { place, trust: await projectTrust(place, found.items) };
  };
  const allow = async () => {
    const { place, trust } = await look();
    await decideTrust(place, "allow", trust.subjects);
  };
  return {
    scratch,
    place: { env, cwd, active: { features: [] as Feature[] } },
    look,
    allow,
    file: scratch.path("home/project/.tau/config.yml"),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

test("the settings of a project that nobody trusts are not read and not written", async () => {
  await using given = await fixture();
  const source = await settingsSource(given.place);
  expect(source.project).toHaveProperty("why");
  expect((await source.load()).layers).toEqual([]);
  await expect(source.write("project", "retry.enabled", false)).rejects.toThrow(
    "changed since you allowed",
  );
  expect(await Bun.file(given.file).text()).toBe("# ours\ndefaultThinkingLevel: low\n");
});

test("what is written to a trusted project keeps its trust", async () => {
  await using given = await fixture();
  await given.allow();
  const source = await settingsSource(given.place);
  expect(source.project).toEqual({ file: given.file });
  await source.write("project", "retry.enabled", false);
  expect(await Bun.file(given.file).text()).toBe(
    "# ours\ndefaultThinkingLevel: low\nretry:\n  enabled: false\n",
  );
  expect((await given.look()).trust.state).toBe("trusted");
  const names = (await source.load()).layers.map(({ name }) => name);
  expect(names).toEqual(["project"]);
});

test("a hook that came meanwhile is not allowed along with it", async () => {
  await using given = await fixture();
  await given.allow();
  const source = await settingsSource(given.place);
  await given.scratch.write("home/project/.tau/hooks/pre/new.ts", "1");
  await expect(source.write("project", "retry.enabled", false)).rejects.toThrow(
    "changed since you allowed",
  );
  expect((await given.look()).trust.state).toBe("changed");
});

test("the user's own file needs nobody's trust", async () => {
  await using given = await fixture();
  const source = await settingsSource(given.place);
  await source.write("user", "retry.enabled", false);
  expect(await Bun.file(source.userFile).text()).toBe("retry:\n  enabled: false\n");
});

test("the settings of the session's extensions are there, each group once", async () => {
  await using given = await fixture();
  const own = settingGroup("quota", "Quota", { strict: flag(false, "No way around it.") });
  const features = [...BUILT_IN, { name: "quota", settings: [own] }];
  const source = await settingsSource({ ...given.place, active: { features } });
  expect(source.groups).toHaveLength(SETTING_GROUPS.length + 1);
  expect(source.groups).toContain(own);
  await source.write("user", "quota.strict", true);
  const settings = await source.load();
  expect(settings.problems).toEqual([]);
  expect(settings.group(own)).toEqual({ strict: true });
});
