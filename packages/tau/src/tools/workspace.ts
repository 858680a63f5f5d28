// What the tools of one session share about the files they work on: where they are, what the
// model has been shown of them, and how anything that can be read is opened. Nothing heavy is
// loaded before it is asked for.

import { mkdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { SnapshotStore } from "@tau/hashline/snapshot-store";
import type { ShellPool } from "@tau/host/shell/shell-pool";
import type { ShellWrapper } from "@tau/host/shell/shell-session";
import type { Syntax } from "@tau/host/syntax/syntax";
import { LineOffsets } from "@tau/host/text/line-offsets";
import { COMMAND, VERSION } from "../brand.ts";
import { PendingPreviews } from "./pending-previews.ts";
import { agentDirectory, homeOf, temporaryDirectory } from "../config/places.ts";
import { createArchiveKind } from "../resources/archive-kind.ts";
import { artifactScheme } from "../session/artifacts/artifact-scheme.ts";
import { conflictScheme } from "./read/conflict-scheme.ts";
import { createDatabaseKind } from "../resources/database-kind.ts";
import { createDocumentKind } from "../resources/document-kind.ts";
import { docsScheme } from "../resources/docs-scheme.ts";
import { partKey } from "../base/part.ts";
import type { Redactor } from "../base/redactor.ts";
import type { JobSnapshot } from "../jobs/job.ts";
import { JobManager } from "../jobs/job-manager.ts";
import { DEFAULT_JOB_SETTINGS, type JobSettings } from "../jobs/settings.ts";
import { resolvePath, shownPath, tidyPath } from "../resources/local-path.ts";
import { isLocalAddress, localPath, localScheme } from "../resources/local-scheme.ts";
import { createLocalKind } from "../resources/local-kind.ts";
import { ResourceResolver } from "../resources/resolver.ts";
import { SchemeTable } from "../resources/schemes.ts";
import { createWebKind } from "../resources/web-kind.ts";
import type { ArtifactStore } from "../session/artifacts/artifact-store.ts";
import {
  DEFAULT_BASH_SETTINGS,
  DEFAULT_INTERCEPTOR,
  type BashSettings,
  type InterceptorSettings,
} from "./bash/settings.ts";
import type { ShowTerminal } from "./bash/show-terminal.ts";
import { ShellMemory } from "./bash/shell-memory.ts";
import type { UserRc } from "./bash/user-rc.ts";
import { SyntaxService } from "./syntax-service.ts";
import { ConflictStore } from "./read/conflict-store.ts";
import { DEFAULT_FILE_TOOL_SETTINGS, type FileToolSettings } from "./file-tool-settings.ts";

export interface WorkspaceOptions {
  cwd: string;
  env: Environment;
  settings?: Partial<FileToolSettings>;
  /** Where what is too long for the model is kept; in memory where absent. */
  artifacts?: () => Promise<ArtifactStore>;
  jobSettings?: JobSettings;
  bashSettings?: BashSettings;
  interceptorSettings?: InterceptorSettings;
  /** What hides secrets in whatever is kept or shown, if anything does. */
  redactor?: () => Redactor | undefined;
  /** Shared with other sessions; one of its own if absent. */
  syntax?: SyntaxService;
  /** The directory behind `local://`; one that goes with the workspace where absent. */
  localRoot?: string;
}

/** What commands run in, if they are confined. */
export interface Confinement {
  shellWrapper(): ShellWrapper;
}

/** The session's. */
export const WORKSPACE = partKey<Workspace>("workspace");

export class Workspace implements AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  readonly env: Environment;
  /** Where Tau keeps what must survive it. */
  readonly agentDirectory: string;
  readonly settings: FileToolSettings;
  /** By real path: two spellings of one file are one file. */
  readonly snapshots = new SnapshotStore();
  readonly offsets = new LineOffsets();
  readonly previews = new PendingPreviews();
  readonly conflicts = new ConflictStore();
  readonly schemes = new SchemeTable();
  readonly resources: ResourceResolver;
  readonly artifacts: () => Promise<ArtifactStore>;
  readonly jobSettings: JobSettings;
  readonly bashSettings: BashSettings;
  readonly interceptorSettings: InterceptorSettings;
  /** What commands have done to the meaning of later ones, whoever ran them. */
  readonly shellMemory = new ShellMemory();
  /** The names of the tools that the model has; all if nobody says. */
  toolNames: readonly string[] | undefined;
  /** Confines the agent's commands; they may also write where it is told. Unconfined if absent. */
  confine: ((writable: readonly string[]) => Promise<Confinement | undefined>) | undefined;
  readonly #redactor: () => Redactor | undefined;
  readonly jobs: JobManager;
  /** Whom jobs tell of their end; set by whoever has a conversation. */
  onJobEnd: (job: JobSnapshot) => void | Promise<void> = () => {};
  /** Shows a program's terminal to a person; absent where nobody sits at one. */
  showTerminal: ShowTerminal | undefined;
  readonly #localRoot: string;
  readonly #ownsLocalRoot: boolean;
  readonly #syntax: SyntaxService;
  readonly #ownsSyntax: boolean;
  #shells: Promise<ShellPool> | undefined;
  #userRc: UserRc | undefined;

  constructor(options: WorkspaceOptions) {
    const { cwd, env, settings, artifacts = memoryArtifacts(), localRoot } = options;
    this.cwd = cwd;
    this.env = env;
    this.home = homeOf(env);
    this.agentDirectory = agentDirectory(env);
    this.settings = { ...DEFAULT_FILE_TOOL_SETTINGS, ...settings };
    this.artifacts = artifacts;
    this.#syntax = options.syntax ?? new SyntaxService();
    this.#ownsSyntax = options.syntax === undefined;
    this.#redactor = options.redactor ?? (() => undefined);
    this.interceptorSettings = options.interceptorSettings ?? DEFAULT_INTERCEPTOR;
    this.bashSettings = options.bashSettings ?? DEFAULT_BASH_SETTINGS;
    this.jobSettings = options.jobSettings ?? DEFAULT_JOB_SETTINGS;
    this.jobs = new JobManager({
      maxRunning: this.jobSettings.maxJobs,
      deliver: (job) => this.onJobEnd(job),
    });
    this.#ownsLocalRoot = localRoot === undefined;
    this.#localRoot =
      localRoot ?? join(temporaryDirectory(env), `tau-local-${crypto.randomUUID()}`);
    this.schemes.register(localScheme(() => this.#localRoot));
    this.schemes.register(artifactScheme(artifacts));
    this.schemes.register(docsScheme);
    this.schemes.register(conflictScheme(this));
    this.resources = new ResourceResolver(
      [
        createWebKind({
          env,
          userAgent: `${COMMAND}/${VERSION}`,
          keep: (text) => this.#keep(text),
        }),
        this.schemes,
        createArchiveKind(this),
        createDatabaseKind(this),
        createDocumentKind(this),
        createLocalKind(this),
      ],
      this,
    );
  }

  get redactor(): Redactor | undefined {
    return this.#redactor();
  }

  /** Whether the model has a tool that edits by lines. */
  get canEdit(): boolean {
    return this.toolNames?.includes("edit") ?? true;
  }

  /** Whether it has one that shows a change before it is made. */
  get canPreview(): boolean {
    return this.toolNames?.includes("ast_edit") ?? true;
  }

  /** Absolute. */
  resolve(path: string): string {
    const tidy = tidyPath(path);
    return isLocalAddress(tidy) ? localPath(tidy, this.#localRoot) : resolvePath(tidy, this);
  }

  /** As the model and the user see it. */
  shown(path: string): string {
    const local = shownPath(path, this.#localRoot);
    if (local !== path && local !== ".") return `local://${local}`;
    return shownPath(path, this.cwd);
  }

  /** The file behind a path, with links followed; also for a file that is not there yet. */
  async identify(path: string): Promise<string> {
    const absolute = this.resolve(path);
    try {
      return await realpath(absolute);
    } catch (error) {
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
      const parent = dirname(absolute);
      if (parent === absolute) return absolute;
      return join(await this.identify(parent), basename(absolute));
    }
  }

  /** Asks a process of its own, which starts with the first question. */
  syntax(): Promise<Syntax> {
    return this.#syntax.open();
  }

  /** The agent's shells; the first is started by the first command. */
  shells(): Promise<ShellPool> {
    // What could not be opened is not kept: the next command tries again, and the end of the
    // session has nothing to close.
    this.#shells ??= this.#openShells().catch((error: unknown) => {
      this.#shells = undefined;
      throw error;
    });
    return this.#shells;
  }

  /** Where the next command runs. */
  async shellDirectory(): Promise<string> {
    return (await this.#shells)?.cwd ?? this.cwd;
  }

  /** Names that the user's own startup file has given another meaning in the agent's shells. */
  get rcNames(): ReadonlySet<string> {
    return this.#userRc?.loaded?.names ?? new Set();
  }

  /** What is to be said about that file, once. */
  takeRcNote(): string | undefined {
    return this.#userRc?.takeNote();
  }

  /** What commands are confined to, if the user wants that. */
  async #confinement(stateDirectory: string): Promise<Confinement | undefined> {
    if (!this.confine) return undefined;
    const writable = [stateDirectory, this.#localRoot];
    for (const path of writable) await mkdir(path, { recursive: true, mode: 0o700 });
    return this.confine(writable);
  }

  async #keep(text: string): Promise<string | undefined> {
    const shown = this.redactor?.hide(text) ?? text;
    const written = await (await this.artifacts()).write("read", shown);
    return written.ok ? written.id : undefined;
  }

  async #openShells(): Promise<ShellPool> {
    const { openShells } = await import("./bash/open-shells.ts");
    const stateDirectory = join(temporaryDirectory(this.env), `tau-shell-${crypto.randomUUID()}`);
    const confinement = await this.#confinement(stateDirectory);
    const opened = await openShells({
      workspace: this,
      stateDirectory,
      wrapper: confinement?.shellWrapper(),
    });
    this.#userRc = opened.userRc;
    return opened.shells;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.jobs[Symbol.asyncDispose]();
    await (await this.#shells)?.[Symbol.asyncDispose]();
    if (this.#ownsLocalRoot) await rm(this.#localRoot, { recursive: true, force: true });
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
