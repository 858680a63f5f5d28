// Prompts that users and projects keep as files, and a few that come with Tau, called by their names:
// `/review src`. A skill is called as `/skill:name`. What nobody knows is no command and goes to the
// model as it is.

import type { SaidMessage } from "@tau/agent/mail";
import type { InstructionPlace } from "../../context/discover-instructions.ts";
import type { DiscoveredItem } from "../../discovery/item.ts";
import type { HookHandlers } from "@tau/agent/hooks";
import { fillArguments } from "./fill-arguments.ts";

const COMMAND = /^\/([\w.-]+(?::[\w.-]+)*)(?:\s+([\s\S]*))?$/;
const SKILL = "skill:";

/** The text that a command stands for; undefined where there is none of that name. */
export async function expandCommand(
  text: string,
  place: InstructionPlace,
): Promise<string | undefined> {
  const match = COMMAND.exec(text.trim());
  if (!match) return undefined;
  const [, name, given = ""] = match;
  if (name!.startsWith(SKILL) && place.settings?.skills.enableSkillCommands === false) {
    return undefined;
  }
  const [{ discoverInstructions }, { loadBody }] = await Promise.all([
    import("../../context/discover-instructions.ts"),
    import("../../discovery/load-body.ts"),
  ]);
  const { items, places } = await discoverInstructions(place, ["commands", "prompts", "skills"]);
  const item = items.find((one) => isCalled(one, name!));
  if (!item) return bundled(name!, given);
  const { text: body } = await loadBody(item, places.root);
  if (item.kind !== "skills") return fillArguments(body.trim(), given);
  const words = given.trim() === "" ? "" : `\n\nUser: ${given.trim()}`;
  return `${body.trim()}\n\nSkill: ${item.path}${words}`;
}

async function bundled(name: string, given: string): Promise<string | undefined> {
  const { BUNDLED_COMMANDS } = await import("../../context/bundled-commands.ts");
  const command = BUNDLED_COMMANDS.find((one) => one.name === name);
  return command && fillArguments(command.body.trim(), given).trim();
}

function isCalled({ kind, name, plugin }: DiscoveredItem, called: string): boolean {
  if (kind !== "skills") return called === name;
  // Claude Code's users call a plugin's skill by the plugin's name.
  return called === SKILL + name || (plugin !== undefined && called === `${plugin.name}:${name}`);
}

export function fillInCommands(place: InstructionPlace): HookHandlers {
  return {
    input: async ({ message }) => {
      const [block, ...more] = message.content;
      if (block?.type !== "text" || !block.text.startsWith("/")) return undefined;
      const text = await expandCommand(block.text, place);
      if (text === undefined) return undefined;
      const content = [{ type: "text" as const, text }, ...more];
      return { type: "transform", message: { ...message, content } as SaidMessage };
    },
  };
}
