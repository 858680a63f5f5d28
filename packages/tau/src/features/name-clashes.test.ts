// Every feature's names are its own: of the built-in ones by this table; of one from outside the second is
// left out, and everything else is as it was.

import { expect, test } from "bun:test";
import { allCommands } from "../cli/all-commands.ts";
import { COMMANDS } from "../cli/command-table.ts";
import { flag } from "../config/setting.ts";
import { settingGroup } from "../config/setting-group.ts";
import type { Feature } from "../feature-api/feature.ts";
import { defineProtocolCommand } from "../feature-api/protocol.ts";
import { withCommandsOf } from "../modes/commands/command-list.ts";
import { loadTerminalFeatures } from "../modes/interactive/tool-views.ts";
import { loadProtocols, RPC_COMMANDS, UNSUPPORTED } from "../modes/rpc/command-table.ts";
import { admitFeatures, namesOf } from "./admit-features.ts";
import { BUILT_IN } from "./built-in.ts";
import { FeatureClash, type NameKind } from "./name-owners.ts";
import { RESERVED_COMMANDS } from "./reserved-commands.ts";

const unheard = (notice: string): never => {
  throw new Error(notice);
};

test("the built-in features have no name in common with each other or with Tau", async () => {
  expect(admitFeatures(BUILT_IN, []).clashes).toEqual([]);
  const kinds = new Set(BUILT_IN.flatMap(namesOf).map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(7);
  const protocols = await loadProtocols(BUILT_IN, unheard);
  const brought = protocols.flatMap(({ commands = [] }) => commands.map(({ name }) => name));
  const all = [...RPC_COMMANDS.map(({ name }) => name), ...brought];
  expect(all.filter((name, at) => all.indexOf(name) !== at || name in UNSUPPORTED)).toEqual([]);
  expect((await allCommands(BUILT_IN, unheard)).length).toBeGreaterThan(COMMANDS.length);
});

test("the commands of the front-ends are known below them", () => {
  const own = withCommandsOf([]);
  const names = own.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect([...new Set(names)].toSorted()).toEqual(RESERVED_COMMANDS.toSorted());
});

const command = (name: string, aliases: string[] = []) => ({
  name,
  aliases,
  help: "does something",
  run: async () => undefined,
});
const line = (sign: string) => ({
  sign,
  label: "x",
  border: "border" as const,
  stops: "stops it",
  matches: () => false,
  run: async () => {},
});
const rows = (key: string) => [settingGroup("", "Mine", { [key]: flag(true, "a switch") })];
const event = { docs: "something" };

test.each([
  ["feature", "todo", "todo", {}],
  ["setting", "todo.enabled", "todo", { settings: rows("todo.enabled") }],
  ["setting", "theme.dark", undefined, { settings: rows("theme.dark") }],
  ["setting", "tools", undefined, { settings: rows("tools") }],
  ["setting", "secrets", "secrets", { settings: rows("secrets") }],
  ["setting", "todo.enabled.deep", "todo", { settings: rows("todo.enabled.deep") }],
  [
    "setting",
    "tools.approvalMode",
    "approval",
    { variables: { TAU_MY_MODE: { type: "text", help: "x", setting: "tools.approvalMode" } } },
  ],
  [
    "setting",
    "modelRoles.smol",
    undefined,
    { variables: { TAU_MY_ROLE: { type: "text", help: "x", setting: "modelRoles.smol" } } },
  ],
  ["variable", "TAU_PY", "eval", { variables: { TAU_PY: { type: "text", help: "x" } } }],
  ["variable", "TAU_MODEL", undefined, { variables: { TAU_MODEL: { type: "text", help: "x" } } }],
  ["option", "titles", "titles", { wishes: ["titles"] }],
  ["tool", "bash", "bash", { tools: ["free", "bash"] }],
  ["slash command", "todo", "todo", { commands: [command("todo")] }],
  ["slash command", "quit", undefined, { commands: [command("free", ["quit"])] }],
  ["line", "!", "bash", { lines: [line("!")] }],
  ["event", "job_end", "jobs", { events: { job_end: event } }],
  ["event", "agent_end", undefined, { events: { agent_end: event } }],
] satisfies [NameKind, string, string | undefined, Partial<Feature>][])(
  "a feature from outside that brings the %s %s is left out, wherever it stands",
  (kind, name, owner, brings) => {
    const mine: Feature = { name: kind === "feature" ? name : "mine", ...brings };
    const fine: Feature = { name: "fine", tools: ["free"] };
    for (const given of [
      [mine, ...BUILT_IN, fine],
      [...BUILT_IN, mine, fine],
    ]) {
      const { features, clashes } = admitFeatures(given);
      expect(features).toEqual([...BUILT_IN, fine]);
      expect(clashes).toHaveLength(1);
      expect(clashes[0]).toBeInstanceOf(FeatureClash);
      expect(clashes[0]).toMatchObject({ feature: mine.name, owner, claimed: { kind, name } });
      for (const word of [mine.name, name, owner ?? "Tau"]) {
        expect(clashes[0]!.message).toContain(word);
      }
    }
  },
);

test("rows beside another's, and a variable for an entry of an own map, are free", () => {
  const mine: Feature = {
    name: "mine",
    settings: rows("tools.mine"),
    variables: { TAU_MY_ENTRY: { type: "text", help: "x", setting: "tools.mine.entry" } },
  };
  const more: Feature = { name: "more", settings: rows("tool") };
  expect(admitFeatures([...BUILT_IN, mine, more]).clashes).toEqual([]);
});

test("what is listed twice is had once", () => {
  const mine: Feature = { name: "mine", settings: rows("mine.a") };
  const { features, clashes } = admitFeatures([mine, ...BUILT_IN, mine, BUILT_IN[0]!]);
  expect(features).toEqual([mine, ...BUILT_IN]);
  expect(clashes).toEqual([]);
});

test("of two from outside the first one stays, with entries as with everything", () => {
  const one: Feature = { name: "one", entries: [{ customType: "weather" }] };
  const two: Feature = { name: "two", entries: [{ customType: "weather" }], tools: ["rain"] };
  const three: Feature = { name: "three", tools: ["rain"] };
  const { features, clashes } = admitFeatures([...BUILT_IN, one, two, three]);
  expect(features.slice(BUILT_IN.length)).toEqual([one, three]);
  expect(clashes).toMatchObject([{ feature: "two", owner: "one", claimed: { kind: "entry" } }]);
});

test("subcommands and protocol commands of a feature from outside are left out together", async () => {
  const row = (name: string) => ({
    name,
    positionals: "",
    summary: "Does it",
    flags: [],
    load: async () => ({ run: async () => 0 as const }),
  });
  const rpc = (name: string) =>
    defineProtocolCommand({ name, summary: "does it", fields: {}, run: async () => undefined });
  const mine = (name: string, protocolName: string): Feature => ({
    name: "mine",
    commandLine: async () => ({ subcommands: [row("free"), row(name)] }),
    protocol: async () => ({ commands: [rpc("free"), rpc(protocolName)] }),
  });
  for (const [name, protocolName, owners] of [
    ["grep", "bash", ["feature search", "feature bash"]],
    ["login", "prompt", ["Tau's own", "Tau's own"]],
  ] as const) {
    const told: string[] = [];
    const given = [mine(name, protocolName), ...BUILT_IN];
    const commands = await allCommands(given, (notice) => told.push(notice));
    expect(commands).toEqual(await allCommands());
    const protocols = await loadProtocols(given, (notice) => told.push(notice));
    expect(protocols).toEqual(await loadProtocols(BUILT_IN));
    expect(told).toHaveLength(2);
    for (const [at, owner] of owners.entries()) expect(told[at]).toContain(owner);
    expect(told[0]).toContain("the subcommands of the feature mine are left out");
    expect(told[1]).toContain("the protocol commands of the feature mine are left out");
  }
});

test("what a feature from outside cannot load is left out and told, by its name", async () => {
  const oops = (): never => {
    throw new Error("oops");
  };
  const late = () => Promise.reject(new Error("oops"));
  for (const fails of [oops, late]) {
    const told: string[] = [];
    const tell = (notice: string) => told.push(notice);
    const mine: Feature = { name: "mine", commandLine: fails, protocol: fails, terminal: fails };
    const given = [mine, ...BUILT_IN];
    expect(await allCommands(given, tell)).toEqual(await allCommands());
    expect(await loadProtocols(given, tell)).toEqual(await loadProtocols(BUILT_IN));
    expect(await loadTerminalFeatures(given, tell)).toEqual(await loadTerminalFeatures(BUILT_IN));
    expect(told).toHaveLength(3);
    for (const notice of told) expect(notice).toMatch(/of the feature mine are left out: .*oops/);
  }
});

test("a view from outside is for its own tools; a panel that cannot be made is told", async () => {
  const view = { title: () => [], body: () => [] };
  const mine: Feature = {
    name: "mine",
    tools: ["mine"],
    terminal: async () => ({
      views: { bash: view, mine: view },
      panel: () => {
        throw new Error("oops");
      },
    }),
  };
  const other: Feature = { name: "other", terminal: async () => ({ views: { mine: view } }) };
  const told: string[] = [];
  const loaded = await loadTerminalFeatures([other, mine, ...BUILT_IN], (one) => told.push(one));
  const [others, own] = loaded.slice(-2);
  expect(Object.keys(others!.views!)).toEqual([]);
  expect(Object.keys(own!.views!)).toEqual(["mine"]);
  expect(own!.panel!({} as never)).toBeUndefined();
  // Told after the frame in which it happened.
  await Bun.sleep(0);
  expect(told).toHaveLength(3);
  expect(told[0]).toContain("the view of mine that the feature other brings");
  expect(told[1]).toContain("the view of bash that the feature mine brings");
  expect(told[2]).toContain("the panel of mine failed");
});
