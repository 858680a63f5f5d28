// What the sessions of one directory share: its settings, whether the user trusts it, and services
// that are expensive to start. A session borrows it; the sessions of an agent's children borrow the
// same one. Whoever opened it disposes of it, after the last of its sessions.

import type { Environment } from "@tau/ai/environment";
import { partKey, type PartKey } from "../base/part.ts";
import { openSettings, type OpenSettingsOptions } from "../config/open-settings.ts";
import { projectStanding, type ProjectStanding } from "../trust/project-standing.ts";
import { Settings } from "../config/settings.ts";
import { describeProblem } from "../base/config-problem.ts";

export interface OpenProjectOptions extends Pick<OpenSettingsOptions, "overlays" | "table"> {
  cwd: string;
  env: Environment;
  /** Stand in for the user's files, which are then not read. */
  settings?: Settings;
}

/** Of a session. */
export const PROJECT = partKey<Project>("project");

export class Project implements AsyncDisposable {
  readonly cwd: string;
  readonly env: Environment;
  #options: OpenProjectOptions;
  readonly #services = new Map<unknown, unknown>();
  #standing: ProjectStanding;
  #settings: Settings;

  private constructor(options: OpenProjectOptions, found: FoundFiles) {
    this.#options = options;
    this.cwd = options.cwd;
    this.env = options.env;
    this.#standing = found.standing;
    this.#settings = found.settings;
  }

  static async open(options: OpenProjectOptions): Promise<Project> {
    return new Project(options, await findFiles(options));
  }

  /** As of the last look at the files. */
  get settings(): Settings {
    return this.#settings;
  }

  get trust(): ProjectStanding["trust"] {
    return this.#standing.trust;
  }

  /** Whether what the user and the project have lying around counts here at all. */
  get readsFiles(): boolean {
    return this.#options.settings === undefined;
  }

  /** What is left out or wrong, a sentence each. */
  get notices(): string[] {
    const { notice } = this.#standing;
    const problems = this.#settings.problems.map(describeProblem);
    return notice === undefined ? problems : [notice, ...problems];
  }

  /** Looks at the files again: the next session goes by what they say then. */
  async refresh(): Promise<void> {
    const { standing, settings } = await findFiles(this.#options);
    this.#standing = standing;
    this.#settings = settings;
  }

  /** There are more settings than it was opened with: an extension brings some. */
  async widen(table: OpenProjectOptions["table"]): Promise<void> {
    this.#options = { ...this.#options, table };
    await this.refresh();
  }

  /** The service of this key, started by whoever asks first; it goes with the project. */
  service<T extends object>(key: PartKey<T>, start: () => T): T {
    const known = this.#services.get(key) as T | undefined;
    if (known) return known;
    const started = start();
    this.#services.set(key, started);
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const services = [...this.#services.values()].toReversed();
    this.#services.clear();
    for (const service of services) {
      if (isDisposable(service)) await service[Symbol.asyncDispose]();
    }
  }
}

interface FoundFiles {
  standing: ProjectStanding;
  settings: Settings;
}

async function findFiles(options: OpenProjectOptions): Promise<FoundFiles> {
  const { cwd, env, overlays, table } = options;
  const standing = await projectStanding(cwd, env);
  const { settingsFile: projectFile, settingsHash: projectHash } = standing;
  const settings =
    options.settings ??
    (await openSettings({ cwd, env, overlays, projectFile, projectHash, table }));
  return { standing, settings };
}

function isDisposable(service: unknown): service is AsyncDisposable {
  return typeof service === "object" && service !== null && Symbol.asyncDispose in service;
}
