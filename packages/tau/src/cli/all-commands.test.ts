import { expect, test } from "bun:test";
import type { Feature } from "../feature-api/feature.ts";
import type { Subcommand } from "../feature-api/subcommand.ts";
import { UsageError } from "../user-error.ts";
import { allCommands } from "./all-commands.ts";
import { COMMAND_NAME, COMMANDS } from "./command-table.ts";
import { generalHelp } from "./help.ts";
import { parseCommandLine } from "./parse.ts";

const water: Subcommand = {
  name: "water",
  positionals: "[plant]",
  summary: "Water a plant",
  flags: [{ name: "litres", value: "n", summary: "How much" }],
  load: async () => ({ run: async () => 0 }),
};
const garden: Feature = { name: "garden", commandLine: async () => ({ subcommands: [water] }) };

test("a command of a feature is found, parsed and suggested like one of Tau's own", async () => {
  const commands = await allCommands([garden]);
  expect(commands).toEqual([...COMMANDS, water]);
  const { command, args } = parseCommandLine(["water", "--litres", "2", "fern"], commands);
  expect(command).toBe(water);
  expect(args).toEqual({ flags: { litres: "2" }, positionals: ["fern"] });
  expect(() => parseCommandLine(["watr"], commands)).toThrow(UsageError);
  // Words to the model, unless somebody brings the command.
  expect(parseCommandLine(["water"]).args.positionals).toEqual(["water"]);
});

test("those of the built-in features are in the help, and every name can be told from a prompt", async () => {
  const commands = await allCommands();
  const brought = commands.slice(COMMANDS.length).map(({ name }) => name);
  expect(brought.toSorted()).toEqual(["agents", "edit", "find", "grep", "read"]);
  const help = await generalHelp();
  for (const { name } of commands) {
    expect(name).toMatch(COMMAND_NAME);
    expect(help).toContain(`  ${name}`);
  }
});
