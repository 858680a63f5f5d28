// A module whose default export is a feature, as Tau's own are: what it says of itself is looked at
// before it gets to a session.

import { keyOf } from "../config/setting-group.ts";
import type { Feature } from "../feature-api/feature.ts";
import { NOTHING } from "./inspection.ts";
import { ModuleFailure } from "./module-failure.ts";
import { checkToolName } from "./tool-name.ts";
import type { ExtensionPlace, LoadedExtension } from "./loaded-extension.ts";

const NAME = /^[\w@./-]+$/;

export function takeOwnModule(given: object, { source }: ExtensionPlace): LoadedExtension {
  const feature = given as Feature;
  const {
    name,
    tools = [],
    commands = [],
    flags = [],
    settings = [],
    shortcuts = [],
    entries = [],
    providers = {},
  } = feature;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new ModuleFailure(
      `its name has to be letters, digits, "-", "_" or ".", not ${JSON.stringify(name)}`,
    );
  }
  for (const tool of tools) checkToolName(tool);
  return {
    source,
    feature,
    notices: [],
    isOwnKind: true,
    inspection: {
      ...NOTHING,
      tools,
      commands: commands.map((one) => one.name),
      flags: flags.map((one) => one.name),
      settings: settings.flatMap((group) =>
        Object.keys(group.rows).map((name) => keyOf(group, name)),
      ),
      shortcuts: shortcuts.map(({ key }) => key),
      providers: Object.keys(providers),
      renderers: entries.filter(({ show }) => show).map(({ customType }) => customType),
    },
  };
}
