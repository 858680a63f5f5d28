// What the tools of a session work on, as its settings, its model and its log want it.

import { join } from "node:path";
import type { Model } from "@tau/ai/model";
import type { Redactor } from "../base/redactor.ts";
import type { PromptProfile } from "../context/prompt-profile.ts";
import { JOB_ROWS } from "../jobs/settings.ts";
import type { Project } from "../project/project.ts";
import { historyScheme } from "../session/history-scheme.ts";
import { artifactDirectory } from "../session/artifacts/artifact-name.ts";
import type { ArtifactStore } from "../session/artifacts/artifact-store.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { SessionStore } from "../session/session-store.ts";
import { BASH_ROWS, INTERCEPTOR_ROWS } from "../tools/bash/settings.ts";
import { editModeFor, fileToolSettingsFrom } from "../tools/file-tool-settings.ts";
import { SYNTAX, SyntaxService } from "../tools/syntax-service.ts";
import { Workspace } from "../tools/workspace.ts";
import type { PlacedOptions } from "./assemble-session.ts";

export interface WorkspacePlace {
  project: Project;
  model: Model;
  profile: PromptProfile;
  log: SessionLog;
  store: SessionStore;
  artifacts: () => Promise<ArtifactStore>;
  redactor: () => Redactor | undefined;
}

export function openWorkspace(options: PlacedOptions, place: WorkspacePlace): Workspace {
  const { cwd, env } = options;
  const { project, model, profile, log, store, artifacts, redactor } = place;
  const { settings } = project;
  const editMode = editModeFor(model, settings, {
    variable: env.TAU_EDIT_VARIANT,
    unset: profile === "small" ? "replace" : "hashline",
  });
  const jobs = settings.group(JOB_ROWS);
  const given = fileToolSettingsFrom(settings);
  const files = options.readsWhole ? { ...given, summarize: false } : given;
  const workspace = new Workspace({
    cwd,
    env,
    artifacts,
    settings: { ...files, editMode, ...options.settings?.tools },
    // Without the tool that looks after them there is nothing to say about jobs; and of an agent that has
    // handed in its result nobody would see how they end.
    jobSettings: profile === "small" || options.parent ? { ...jobs, enabled: false } : jobs,
    bashSettings: settings.group(BASH_ROWS),
    interceptorSettings: settings.group(INTERCEPTOR_ROWS),
    redactor,
    syntax: project.service(SYNTAX, () => new SyntaxService()),
    tree: options.tree,
    localRoot: log.path && join(artifactDirectory(log.path), "local"),
  });
  workspace.resources.schemes.register(historyScheme(store));
  return workspace;
}

/** Opened when something is too long for the first time: most sessions keep nothing. */
export function lazyArtifacts(log: SessionLog, store: SessionStore): () => Promise<ArtifactStore> {
  let opening: Promise<ArtifactStore> | undefined;
  return () =>
    (opening ??= import("../session/artifacts/open-artifacts.ts").then(({ openArtifacts }) =>
      openArtifacts(log, store.surroundings.storage),
    ));
}
