// A module of the family becomes a feature: its function is called once for each session, registers what
// it has, and acts once the session is there.

import { IDLE_METHODS } from "./idle-methods.ts";
import { checkToolName } from "../tool-name.ts";
import { RESERVED_COMMANDS } from "../../features/reserved-commands.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { withinLimit } from "../../base/within-limit.ts";
import type { Feature, FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { note } from "../../session/projection/block.ts";
import type { SessionCommand } from "../../session/session-command.ts";
import { ModuleFailure } from "../module-failure.ts";
import type { ExtensionPlace, LoadedExtension } from "../loaded-extension.ts";
import { FamilyExtension } from "./family-extension.ts";
import { toProvider, unusedOfProvider } from "./family-provider.ts";
import { TOLD_EVENTS } from "./family-events.ts";
import type { FamilyTool } from "./registrations.ts";

/** As for importing it: a start waits for it. */
const FACTORY_LIMIT_MS = 10_000;

type Factory = (api: object) => unknown;

export async function takeFamilyModule(
  factory: Factory,
  place: ExtensionPlace,
): Promise<LoadedExtension> {
  const { source } = place;
  const extension = new FamilyExtension(place);
  const { registrations } = extension;
  let given: unknown;
  try {
    given = await withinLimit(factory(extension.api) as Promise<unknown>, FACTORY_LIMIT_MS);
  } catch (error) {
    throw new ModuleFailure(whyNot(error), { cause: error });
  }
  // A file of tools gives them back instead of registering them.
  for (const tool of [given].flat()) {
    if (!isTool(tool)) continue;
    checkToolName(tool.name);
    registrations.tools.set(tool.name, tool);
  }
  const notices = [...unheard(registrations.handlers.keys(), source.name)];
  const { absent } = extension.traits;
  if (absent.length > 0) {
    notices.push(
      `the extension ${source.name} imports ${absent.join(", ")}, which Tau does not have; it fails where it needs that`,
    );
  }
  if (extension.traits.bringsThemes) {
    notices.push(
      `the extension ${source.name} brings themes (themePaths), which Tau takes from files only: copy them into ~/.tau/agent/themes, or install the package as a plugin`,
    );
  }
  for (const method of extension.traits.idleMethods) {
    notices.push(
      `the extension ${source.name} calls ctx.ui.${method}, which does nothing in Tau: ${IDLE_METHODS[method]}`,
    );
  }
  for (const [id, given] of registrations.providers) {
    notices.push(
      ...unusedOfProvider(given).map(
        (what) =>
          `the provider ${id} of the extension ${source.name} brings ${what}, which is not used`,
      ),
    );
  }
  const commands = [...registrations.commands].map(
    ([name, { description, getArgumentCompletions, handler }]) => {
      const free = isFree(name) ? name : `${source.name}:${name}`;
      if (free !== name)
        notices.push(
          `the command /${name} of the extension ${source.name} is called /${free}: /${name} is Tau's own`,
        );
      return extension.command(free, { description, getArgumentCompletions, handler });
    },
  );
  const feature: Feature = {
    name: source.name,
    tools: [...registrations.tools.keys()].filter((name) => !BUILT_IN_TOOLS.has(name)),
    worksWithoutTools: true,
    commands: commands satisfies SessionCommand[],
    flags: [...registrations.flags].map(([name, { description = "", type }]) => ({
      name,
      summary: description,
      value: type === "string" ? "value" : undefined,
    })),
    shortcuts: [...registrations.shortcuts].map(([key, shortcut]) =>
      extension.shortcut(key, shortcut),
    ),
    providers: Object.fromEntries(
      [...registrations.providers].map(([id, given]) => [id, toProvider(given)]),
    ),
    // What is only drawn has no words of its own: elsewhere its name stands for it.
    entries: [...registrations.entryRenderers.keys()].map((customType) => ({
      customType,
      show: () => [note(customType)],
    })),
    terminal: extension.terminal,
    setup: (host: FeatureHost): Promise<FeatureParts> => extension.enter(host),
  };
  return {
    source,
    feature,
    notices,
    isOwnKind: false,
    inspection: {
      tools: [...registrations.tools.keys()],
      commands: [...registrations.commands.keys()],
      flags: [...registrations.flags.keys()],
      settings: [],
      shortcuts: [...registrations.shortcuts.keys()],
      handlers: [...registrations.handlers.keys()],
      renderers: [...registrations.messageRenderers.keys(), ...registrations.entryRenderers.keys()],
      providers: [...registrations.providers.keys()],
    },
  };
}

const BUILT_IN_TOOLS: ReadonlySet<string> = new Set(BUILT_IN.flatMap(({ tools = [] }) => tools));
const BUILT_IN_COMMANDS: ReadonlySet<string> = new Set([
  ...RESERVED_COMMANDS,
  ...BUILT_IN.flatMap(({ commands = [] }) =>
    commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ),
]);

function isFree(command: string): boolean {
  return !BUILT_IN_COMMANDS.has(command);
}

/** What people have used these for, and how else it can be had. */
const INSTEAD: Readonly<Record<string, string>> = {
  before_provider_headers: "headers are set in models.yml",
  provider_stream_event: "what vendors answer is read by Tau; listen to message_update",
  project_trust: "whether a project is trusted is its user's to say",
  context_with_system: "listen to context and before_agent_start",
};

function* unheard(events: Iterable<string>, name: string): Iterable<string> {
  for (const event of events) {
    if (TOLD_EVENTS.has(event)) continue;
    const hint = INSTEAD[event];
    const words = `the extension ${name} listens to ${event}, which Tau never tells`;
    yield hint === undefined ? words : `${words}: ${hint}`;
  }
}

function isTool(value: unknown): value is FamilyTool {
  const { name, execute } = (value ?? {}) as Partial<FamilyTool>;
  return typeof name === "string" && typeof execute === "function";
}

/** `pi.foo is not a function` says which one, and means that Tau lacks it. */
function whyNot(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const [, method] = /\b(?:pi|omp|api)\.(\w+) is not a function/.exec(words) ?? [];
  return method === undefined ? words : `it calls pi.${method}, which Tau does not have`;
}
