// Slash commands: prompts and skills that users and projects keep as files, called by their names.

import { AVAILABLE, AvailableInstructions } from "../../context/available-instructions.ts";
import { instructionSettingsFrom } from "../../context/instruction-settings.ts";
import type { Feature } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";

export const slashCommands: Feature = {
  name: "slash-commands",
  order: 10,
  setup: async ({ project, cwd, env, settings }) => {
    if (!project.readsFiles) return undefined;
    const place = { cwd, env, settings: instructionSettingsFrom(settings) };
    const available = new AvailableInstructions(place);
    const { fillInCommands } = await import("./slash-commands.ts");
    return {
      hooks: fillInCommands(place),
      part: offer(AVAILABLE, available),
      dispose: () => available[Symbol.asyncDispose](),
    };
  },
};
