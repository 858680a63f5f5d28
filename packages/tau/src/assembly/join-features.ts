// How features become part of a session: those that are on are set up side by side, and join in the
// order of their list, whichever was ready first.

import type { HookHandlers, HookOwner } from "@tau/agent/hooks";
import type { Tool } from "@tau/agent/tool";
import { suggest } from "../base/suggest.ts";
import type { Settings } from "../config/settings.ts";
import { inFewWords, SMALL_TOOLS, type PromptProfile } from "../context/prompt-profile.ts";
import type { Feature, FeatureHost, FeatureParts, FeatureWishes } from "../feature-api/feature.ts";
import { AskedTimes, type AskedTime } from "../extend/asked-time.ts";
import { beginRunning } from "../extend/running-now.ts";
import { EXTENSIONS } from "../extend/extension-book.ts";
import { OWN_TOOLS } from "../feature-api/own-tools.ts";
import { NOBODY } from "../feature-api/user-interface.ts";
import type { Project } from "../project/project.ts";
import type { Session } from "../session/session.ts";
import type { SessionStore } from "../session/session-store.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { SessionHost, SessionMember } from "../session/session-host.ts";
import { BUILT_IN } from "../features/built-in.ts";
import type { FeatureClash, NameOwners } from "../features/name-owners.ts";
import { registerRows } from "../features/register-rows.ts";
import { toolNamesOf } from "../features/tool-names.ts";
import type { PartKey } from "../base/part.ts";
import { isRefusal, type SessionCommand } from "../session/session-command.ts";
import { UsageError, UserError } from "../user-error.ts";
import type { PlacedOptions } from "./assemble-session.ts";
import type { FeatureFailures } from "./feature-failures.ts";
import { letGo, setUpAll } from "./set-up-features.ts";

export interface JoiningPlace {
  project: Project;
  options: PlacedOptions;
  workspace: Workspace;
  profile: PromptProfile;
  store: SessionStore;
  /** Whose the names are that features bring; absent if there are only built-in ones. */
  owners?: NameOwners;
  failures: FeatureFailures;
  tell(notice: string): void;
}

/** The names of the tools that a session is to have. A `UsageError` for a name nobody knows. */
export function wantedTools(
  features: readonly Feature[],
  wish: { settings: Settings; profile: PromptProfile; named: readonly string[] | undefined },
): readonly string[] {
  if (!wish.named) {
    const hidden = new Set(features.flatMap(({ hiddenTools = [] }) => hiddenTools));
    const offered = toolNamesOf(
      features.filter(({ offersTools }) => offersTools?.(wish.settings) ?? true),
    ).filter((name) => !hidden.has(name));
    return wish.profile === "small"
      ? offered.filter((name) => SMALL_TOOLS.includes(name))
      : offered;
  }
  const known = toolNamesOf(features);
  for (const name of wish.named) {
    if (known.includes(name)) continue;
    const near = suggest(name, known);
    const hint = near ? `did you mean "${near}"?` : `there are ${known.join(", ")}`;
    throw new UsageError(`there is no tool "${name}"; ${hint}`);
  }
  return wish.named;
}

/** Returns those that could not join, because of a name or a part that they brought. */
export async function joinFeatures(
  session: Session,
  features: readonly Feature[],
  place: JoiningPlace,
): Promise<ReadonlyMap<Feature, FeatureClash>> {
  const { failures } = place;
  registerRows(features);
  const host = hostFor(session, features, place);
  if (place.profile === "small" && !place.options.toolNames) tellOfDropped(features, host);
  const wanted = features.filter((feature) =>
    failures.ask(feature, "isOn", () => isWanted(feature, host)),
  );
  const asked = new AskedTimes();
  const parts = await setUpAll(wanted, host, { failures, asked });
  const leftOut = await leaveOutClashing(parts, session, place);
  const ownTools = new Set<Tool>();
  session.parts.provide(OWN_TOOLS, ownTools);
  for (const [feature, brought] of parts) {
    const own = [...(feature.commands ?? []), ...(brought.commands ?? [])];
    const commands = BUILT_IN.includes(feature) ? own : own.map((one) => named(one, feature));
    const { schemes = [], resourceKinds = [], replacements, ...member } = brought;
    const { resources } = place.workspace;
    for (const scheme of schemes) resources.schemes.register(scheme);
    for (const kind of resourceKinds) resources.addKind(kind);
    const tools = member.tools && fitted(member.tools, place);
    if (BUILT_IN.includes(feature)) tools?.forEach((tool) => ownTools.add(tool));
    else {
      tellOfIgnored(feature, member, failures);
      const names = commands.map(({ name }) => name);
      session.part(EXTENSIONS)?.commands.set(feature.name, names);
    }
    const person = asked.of(feature.name);
    const hooks = watched(session, { feature, person }, member.hooks);
    session.join({ ...member, hooks, tools, commands, ...placeOf(feature, member, person) });
    if (replacements && replacements.length > 0) {
      const { replacing } = await import("./replacing-tool.ts");
      const taking = replacements.flatMap((tool) => replacing(tool, session.tools.get(tool.name)));
      session.join({ owner: placeOf(feature, {}).owner, tools: taking });
    }
  }
  const { tools, hooks = [] } = place.options;
  if (tools) session.join({ owner: { kind: "extension", name: "the embedding program" }, tools });
  for (const { owner, handlers } of hooks) session.join({ owner, hooks: handlers });
  return leftOut;
}

/** What fails in a command of somebody else's is theirs, and not a bug of Tau's. */
function named(command: SessionCommand, { name: owner }: Feature): SessionCommand {
  return {
    ...command,
    run: async (place, argument) => {
      const done = beginRunning({ extension: owner });
      try {
        return await command.run(place, argument);
      } catch (error) {
        if (isRefusal(error)) throw error;
        const words = error instanceof Error ? error.message : String(error);
        throw new UserError(`/${command.name} of ${owner} failed: ${words}`);
      } finally {
        done();
      }
    },
  };
}

/** Of an extension it is known how long it keeps the others waiting. */
function watched(
  session: Session,
  { feature, person }: { feature: Feature; person: AskedTime },
  hooks: HookHandlers | undefined,
): HookHandlers | undefined {
  const book = session.part(EXTENSIONS);
  if (!book || !hooks || BUILT_IN.includes(feature)) return hooks;
  const source = book.loaded.find((one) => one.feature.name === feature.name)?.source;
  const failed = (error: unknown): void => source && book.locate(error, source);
  return book.clock.watch(feature.name, hooks, { person, failed });
}

/** Of extensions and embedding programs. */
export interface GivenHooks {
  owner: HookOwner;
  handlers: HookHandlers;
}

function isWanted(feature: Feature, host: FeatureHost): boolean {
  const { tools = [], worksWithoutTools = tools.length === 0 } = feature;
  return (hasTool(feature, host.toolNames) || worksWithoutTools) && (feature.isOn?.(host) ?? true);
}

function hasTool({ tools = [] }: Feature, names: readonly string[]): boolean {
  return tools.some((name) => names.includes(name));
}

/**
 * A feature from outside stands where extensions do, whatever order it says, and brings nothing that
 * hides or answers for a person: nobody steps behind what guards, or before what keeps secrets.
 */
function placeOf(
  feature: Feature,
  { redactor, asking }: FeatureParts,
  person?: AskedTime,
): Pick<SessionMember, "owner" | "redactor" | "asking"> {
  const { name, order = 0 } = feature;
  if (!BUILT_IN.includes(feature)) {
    return { owner: { kind: "extension", name, person }, redactor: undefined, asking: undefined };
  }
  return { owner: { kind: "behaviour", name, order }, redactor, asking };
}

/** One that brings a name of somebody else's leaves again. */
async function leaveOutClashing(
  parts: Map<Feature, FeatureParts>,
  session: Session,
  { owners, workspace, failures }: JoiningPlace,
): Promise<ReadonlyMap<Feature, FeatureClash>> {
  if (!owners) return new Map();
  const { broughtClashes } = await import("./brought-clashes.ts");
  const { schemes } = workspace.resources;
  const isTaken = (key: PartKey<unknown>): boolean => session.part(key) !== undefined;
  const leftOut = broughtClashes(parts, { owners, schemes, isTaken });
  for (const feature of leftOut.keys()) {
    await letGo(feature, parts.get(feature)!, failures);
    parts.delete(feature);
  }
  return leftOut;
}

/** Whoever asks for a place, or brings what guards, does not go by it in silence. */
function tellOfIgnored(feature: Feature, parts: FeatureParts, failures: FeatureFailures): void {
  const { redactor = feature.redactor, asking, hooks = {} } = parts;
  const places = [feature, ...Object.values(hooks)] as readonly { order?: unknown }[];
  const ignored = [
    redactor && "redactor",
    asking && "asking",
    places.some((one) => one.order !== undefined) && "order",
  ].filter(Boolean);
  if (ignored.length === 0) return;
  failures.tell(
    feature,
    `sets ${ignored.join(", ")}, which is ignored: only built-in features can`,
  );
}

/** Of the built-in ones the page about prompts says so; whoever brings another expects it to be there. */
function tellOfDropped(features: readonly Feature[], { toolNames, settings, tell }: FeatureHost) {
  for (const feature of features) {
    const { name, tools = [], offersTools } = feature;
    const dropped = tools.filter((tool) => !toolNames.includes(tool));
    const isOffered = offersTools?.(settings) ?? true;
    if (BUILT_IN.includes(feature) || dropped.length === 0 || !isOffered) continue;
    const why = "left out: this model gets the small prompt profile; set prompt.profile to full";
    if (feature.worksWithoutTools) tell(`the tools of the feature ${name} are ${why} to have them`);
    else tell(`the feature ${name} is ${why} to have it`);
  }
}

function fitted(tools: readonly Tool[], { profile, workspace }: JoiningPlace): readonly Tool[] {
  return profile === "small" ? inFewWords(tools, workspace.files.settings.editMode) : tools;
}

function hostFor(session: Session, features: readonly Feature[], place: JoiningPlace): FeatureHost {
  const { project, options, workspace, store, tell } = place;
  const { cwd, env, parent } = options;
  const toolNames = workspace.toolNames ?? [];
  const own: Omit<FeatureHost, keyof SessionHost> = {
    project,
    session,
    control: options.control,
    parent,
    cwd,
    env,
    settings: project.settings,
    toolNames,
    canPreview: features.some((one) => one.previews && hasTool(one, toolNames)),
    agentDirectory: store.agentDirectory,
    wishes: wishesIn(options, features),
    ui: options.ui ?? NOBODY,
    flag: (name) => options.extensions?.flags?.[name],
    tell,
  };
  // The session's own getters stay getters.
  const host: FeatureHost = Object.create(session.host, Object.getOwnPropertyDescriptors(own));
  return host;
}

/** Of the options, those that are some feature's own. */
function wishesIn(options: FeatureWishes, features: readonly Feature[]): FeatureWishes {
  const names = features.flatMap(({ wishes = [] }) => wishes);
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}
