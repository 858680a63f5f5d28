// What the tools of one session work on: files, shells, jobs, and whatever else a path can lead to.
// Nothing heavy is loaded before it is asked for.

import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import type { ConfineReader } from "@tau/host/sandbox/confine-reader";
import type { Syntax } from "@tau/host/syntax/syntax";
import { isBelow } from "../base/is-below.ts";
import { partKey } from "../base/part.ts";
import type { Redactor } from "../base/redactor.ts";
import { agentDirectory, homeOf, temporaryDirectory } from "../config/places.ts";
import { JobManager } from "../jobs/job-manager.ts";
import { DEFAULT_JOB_SETTINGS, type JobSettings } from "../jobs/settings.ts";
import type { ArtifactStore } from "../session/artifacts/artifact-store.ts";
import { AgentShells } from "./agent-shells.ts";
import {
  DEFAULT_BASH_SETTINGS,
  DEFAULT_INTERCEPTOR,
  type BashSettings,
  type InterceptorSettings,
} from "./bash/settings.ts";
import { CallConsent } from "./call-consent.ts";
import { DEFAULT_FILE_TOOL_SETTINGS, type FileToolSettings } from "./file-tool-settings.ts";
import type { Confinement } from "./confinement.ts";
import { conflictScheme } from "./read/conflict-scheme.ts";
import { ReadSecrets } from "./read-secrets.ts";
import { SyntaxService } from "./syntax-service.ts";
import { WorkspaceFiles } from "./workspace-files.ts";
import type { WorkspaceTree } from "../feature-api/workspace-tree.ts";
import { WorkspaceResources } from "./workspace-resources.ts";
import { WrittenFiles } from "./written-files.ts";

export interface WorkspaceOptions {
  cwd: string;
  env: Environment;
  settings?: Partial<FileToolSettings>;
  /** Where what is too long for the model is kept; in memory if absent. */
  artifacts?: () => Promise<ArtifactStore>;
  jobSettings?: JobSettings;
  bashSettings?: BashSettings;
  interceptorSettings?: InterceptorSettings;
  /** What hides secrets in whatever is kept or shown, if anything does. */
  redactor?: () => Redactor | undefined;
  /** Shared with other sessions; one of its own if absent. */
  syntax?: SyntaxService;
  /** The directory behind `local://`; one that goes with the workspace if absent. */
  localRoot?: string;
  /** If the working directory is in a tree of its own. */
  tree?: WorkspaceTree;
}

/** The session's. */
export const WORKSPACE = partKey<Workspace>("workspace");

export class Workspace implements AsyncDisposable {
  readonly cwd: string;
  readonly env: Environment;
  /** Where Tau keeps what must survive it. */
  readonly agentDirectory: string;
  readonly files: WorkspaceFiles;
  readonly shells: AgentShells;
  readonly jobs: JobManager;
  readonly resources: WorkspaceResources;
  readonly artifacts: () => Promise<ArtifactStore>;
  /** What calls were let through as. */
  readonly consent = new CallConsent();
  readonly secrets = new ReadSecrets();
  /** What tools and commands have written, of any session here. */
  readonly written: WrittenFiles;
  /** The names of the tools that the model has; all if nobody says. */
  toolNames: readonly string[] | undefined;
  readonly tree: WorkspaceTree | undefined;
  #confinement: Confinement | undefined;
  readonly #redactor: () => Redactor | undefined;
  readonly #syntax: SyntaxService;
  readonly #ownsSyntax: boolean;

  constructor(options: WorkspaceOptions) {
    const { cwd, env, artifacts = memoryArtifacts() } = options;
    const home = homeOf(env);
    this.cwd = cwd;
    this.env = env;
    this.written = new WrittenFiles(cwd);
    this.agentDirectory = agentDirectory(env);
    this.artifacts = artifacts;
    this.tree = options.tree;
    this.#syntax = options.syntax ?? new SyntaxService();
    this.#ownsSyntax = options.syntax === undefined;
    this.#redactor = options.redactor ?? (() => undefined);
    this.files = new WorkspaceFiles({
      cwd,
      home,
      settings: { ...DEFAULT_FILE_TOOL_SETTINGS, ...options.settings },
      localRoot:
        options.localRoot ?? join(temporaryDirectory(env), `tau-local-${crypto.randomUUID()}`),
      keepsLocalRoot: options.localRoot !== undefined,
    });
    this.shells = new AgentShells({
      cwd,
      home,
      env,
      agentDirectory: this.agentDirectory,
      settings: options.bashSettings ?? DEFAULT_BASH_SETTINGS,
      interceptor: options.interceptorSettings ?? DEFAULT_INTERCEPTOR,
      writable: [this.files.localRoot, ...(options.tree?.writable ?? [])],
      enter: options.tree?.enter,
    });
    this.jobs = new JobManager({ settings: options.jobSettings ?? DEFAULT_JOB_SETTINGS });
    this.resources = new WorkspaceResources({
      env,
      files: this.files,
      artifacts,
      hide: (text) => this.redactor?.hide(text) ?? text,
      confineReader: () => this.confineReader,
    });
    this.resources.schemes.register(conflictScheme(this));
  }

  /** What everything that the model starts runs in; absent if nothing is confined. */
  get confinement(): Confinement | undefined {
    return this.#confinement;
  }

  /** For programs of Tau's own that read what others have made: what they run in. */
  get confineReader(): ConfineReader | undefined {
    const { enter, root } = this.tree ?? {};
    if (this.#confinement || !enter) return this.#confinement?.confineReader;
    // Everything is reached from outside as well, but nobody can stand in it there.
    return async (argv, { cwd }) =>
      cwd !== undefined && isBelow(cwd, root!) ? [...enter.argv, ...argv] : [...argv];
  }

  confine(confinement: Confinement): void {
    this.#confinement = confinement;
    this.shells.confinement = confinement;
    this.#syntax.confineReader = confinement.confineReader;
  }

  get redactor(): Redactor | undefined {
    return this.#redactor();
  }

  /** Whether the model has a tool that edits by lines. */
  get canEdit(): boolean {
    return this.toolNames?.includes("edit") ?? true;
  }

  /** Asks a process of its own, which starts with the first question. */
  syntax(): Promise<Syntax> {
    return this.#syntax.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.jobs[Symbol.asyncDispose]();
    await this.shells[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
    if (this.#ownsSyntax) await this.#syntax[Symbol.asyncDispose]();
  }
}

function memoryArtifacts(): () => Promise<ArtifactStore> {
  let opening: Promise<ArtifactStore> | undefined;
  return () =>
    (opening ??= import("../session/artifacts/memory-artifacts.ts").then(
      ({ MemoryArtifacts }) => new MemoryArtifacts(),
    ));
}
