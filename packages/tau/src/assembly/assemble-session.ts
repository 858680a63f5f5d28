// Puts the parts of a session together: its project, its model, what its tools work on, and the
// features that join it. Loaded while the disk already works on the log, because it brings most of
// Tau along.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { GATHERED } from "../context/gathered.ts";
import { profileFor } from "../context/prompt-profile.ts";
import type { AdmittedFeatures } from "../features/admit-features.ts";
import { BUILT_IN } from "../features/built-in.ts";
import { OPEN_CHILD } from "../feature-api/child-sessions.ts";
import type { Feature } from "../feature-api/feature.ts";
import { PENDING_WORK } from "../feature-api/pending-work.ts";
import { describeProblem } from "../base/config-problem.ts";
import type { Settings } from "../config/settings.ts";
import { Project, PROJECT } from "../project/project.ts";
import { instructionSchemes } from "../context/instruction-schemes.ts";
import { Session } from "../session/session.ts";
import type { SessionMember } from "../session/session-host.ts";
import type { SessionLog } from "../session/session-log.ts";
import { sessionSettingsFrom } from "../session/session-settings.ts";
import type { SessionStore } from "../session/session-store.ts";
import { toolLimitsFrom } from "../tools/tool-settings.ts";
import { WORKSPACE } from "../tools/workspace.ts";
import type { BroughtExtensions } from "./bring-extensions.ts";
import { chooseSessionModel } from "./choose-session-model.ts";
import type { CreatedSession, CreateSessionOptions } from "./create-session.ts";
import { FeatureFailures } from "./feature-failures.ts";
import { isolatedSettings } from "./isolated-settings.ts";
import { joinFeatures, wantedTools } from "./join-features.ts";
import { lazyArtifacts, openWorkspace } from "./open-workspace.ts";
import { bring, enterExtensions } from "./session-extensions.ts";
import { gather, systemPromptOf } from "./session-prompt.ts";

export type PlacedOptions = CreateSessionOptions & { cwd: string; env: Environment };

export interface GivenSession {
  opening: Promise<SessionLog>;
  /** The log, if it has been there before. */
  earlier: SessionLog | undefined;
  projectGoesWith: "session" | "caller";
}

export async function assembleSession(
  options: PlacedOptions,
  store: SessionStore,
  { opening, earlier, projectGoesWith }: GivenSession,
): Promise<CreatedSession> {
  const base = await admitted(options.features);
  const notices: string[] = [];
  const tell = (notice: string): void => void notices.push(notice);
  const failures = new FeatureFailures(tell);
  let session: Session | undefined;
  const redactor = () => session?.redactor;
  let ownProject: Project | undefined;
  let brought: Partial<BroughtExtensions> = {};
  try {
    const { parent } = options;
    const shared = options.project ?? parent?.part(PROJECT);
    const project = shared ?? (ownProject = await openProject(options, base.features));
    const gathering = gather(options, project);
    // Its failure is told where it is awaited.
    gathering.catch(() => {});
    brought = await bring(options, { project, features: base.features, tell });
    const given = brought.admitted?.features ?? base.features;
    const { clashes, broken, owners } = brought.admitted ?? base;
    for (const [feature, error] of broken ?? []) failures.note(feature, "its declaration", error);
    const { settings } = project;
    const features = options.toolNames ? given : whoCanSay(given, settings, failures);
    const { line, models, access } = await chooseSessionModel(options, earlier, {
      notices,
      settings,
      features,
      redactor,
    });
    const { model } = line.target;
    notices.push(...project.notices, ...(access?.problems ?? []).map(describeProblem));
    notices.push(...(await recoverLeftEdits(store.agentDirectory)));
    const log = await opening;
    notices.push(...log.repairs.map(({ message }) => message));
    const artifacts = lazyArtifacts(log, store);
    session = await Session.open({
      log,
      line,
      models,
      settings: sessionSettingsFrom(settings),
      toolLimits: toolLimitsFrom(settings),
      spill: async (tool, text) => {
        const { spillTo } = await import("../session/artifacts/artifact-store.ts");
        return spillTo(await artifacts())(tool, redactor()?.hide(text) ?? text);
      },
      get wakes() {
        const { wakes = true } = options;
        return wakes === "while_pending" ? (session?.part(PENDING_WORK)?.count ?? 0) > 0 : wakes;
      },
      ask: options.ask,
      agent: options.agent,
      budget: options.budget ?? parent?.budget?.child(),
      maxTurns: options.maxTurns,
    });
    session.parts.provide(PROJECT, project);
    const own = { parent: session, options, store };
    session.parts.provide(OPEN_CHILD, async (wish) => {
      const { openChild } = await import("./open-child.ts");
      return openChild(own, wish);
    });
    if (brought.book) enterExtensions(session, brought.book);
    // First in, last out: what the others use outlives them.
    if (ownProject && projectGoesWith === "session") session.join(leaving("project", ownProject));
    const profile = profileFor(model, settings);
    const place = { project, model, profile, log, store, artifacts, redactor };
    const workspace = openWorkspace(options, place);
    workspace.toolNames = wantedTools(features, { settings, profile, named: options.toolNames });
    session.parts.provide(WORKSPACE, workspace);
    session.join(leaving("workspace", workspace));
    const found = await gathering;
    notices.push(...(found?.notices ?? []));
    if (found) {
      session.parts.provide(GATHERED, found);
      for (const one of instructionSchemes(found)) workspace.resources.schemes.register(one);
    }
    const wishes = brought.mustAsk
      ? { ...options, approvalMode: "always-ask", mustAsk: true }
      : options;
    const leftOut = await joinFeatures(session, features, {
      project,
      options: wishes,
      workspace,
      profile,
      store,
      owners,
      failures,
      tell,
    });
    const prompt = systemPromptOf(options, project.settings, { found, profile, model });
    session.system = prompt.map(({ text }) => text);
    const allClashes = [...clashes, ...leftOut.values()];
    notices.push(...allClashes.map(({ message }) => message));
    const isHere = (one: Feature): boolean => !leftOut.has(one) && !failures.leftOut.has(one);
    const joined = features.filter(isHere);
    return { session, project, store, notices, prompt, features: joined, clashes: allClashes };
  } catch (error) {
    brought.book?.settled();
    // Nothing was said in it: a session that never began is not left behind.
    await store.withdraw(await opening);
    await ownProject?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** Of the built-in ones a test says that they can be had together. */
async function admitted(
  given: readonly Feature[] = BUILT_IN,
): Promise<Pick<AdmittedFeatures, "features" | "clashes"> & Partial<AdmittedFeatures>> {
  if (given === BUILT_IN) return { features: BUILT_IN, clashes: [] };
  const { admitFeatures } = await import("../features/admit-features.ts");
  return admitFeatures(given);
}

/** Those that can say whether the model gets their tools. */
function whoCanSay(
  features: readonly Feature[],
  settings: Settings,
  failures: FeatureFailures,
): readonly Feature[] {
  for (const feature of features) {
    failures.ask(feature, "offersTools", () => feature.offersTools?.(settings));
  }
  return features.filter((one) => !failures.leftOut.has(one));
}

function openProject(
  { cwd, env, overlays, settings }: PlacedOptions,
  features: readonly Feature[],
): Promise<Project> {
  return Project.open({
    cwd,
    env,
    overlays,
    table: async () => {
      const { settingsTableOf } = await import("../features/settings-table.ts");
      return settingsTableOf(features);
    },
    settings: settings && isolatedSettings(settings),
  });
}

function leaving(name: string, owned: AsyncDisposable): SessionMember {
  const owner = { kind: "behaviour", name, order: 0 } as const;
  return { owner, dispose: () => owned[Symbol.asyncDispose]() };
}

/** What a process that died was changing is put right before anyone looks at the files. */
async function recoverLeftEdits(agentDirectory: string): Promise<string[]> {
  if (!existsSync(join(agentDirectory, "edits"))) return [];
  const { recoverEdits } = await import("../files/recover-edits.ts");
  return (await recoverEdits(agentDirectory)).map(({ message }) => message);
}
