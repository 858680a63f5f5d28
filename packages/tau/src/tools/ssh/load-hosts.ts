// Which hosts there are for the model, from the user's settings, from `ssh.json` files and from
// the OpenSSH configuration. A project's hosts count only where the user trusts the project: a
// cloned repository must not send commands, or the user's keys, to machines of its own choice.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { opensshNames } from "@tau/host/ssh/openssh-names";
import { hostProblem, type SshHost } from "@tau/host/ssh/ssh-host";
import { CONFIG_DIRECTORY } from "../../brand.ts";
import { userSettingsFile } from "../../config/open-settings.ts";
import { agentDirectory, expandHome, homeOf } from "../../config/places.ts";
import { readSettingsText } from "../../config/settings-text.ts";
import type { ConfigProblem } from "../../base/config-problem.ts";
import { readHostEntry } from "./host-entry.ts";
import type { SshSettings } from "./settings.ts";

export interface LoadHostsOptions {
  cwd: string;
  env: Environment;
  settings: SshSettings;
  /** Whether the user trusts the project in `cwd`. */
  project: "trusted" | "untrusted";
}

export interface LoadedHosts {
  /** By name, in order of precedence; the first of a name counts. */
  hosts: ReadonlyMap<string, SshHost>;
  /** Names that only an untrusted project gives, with the file. */
  inert: ReadonlyMap<string, string>;
  problems: readonly ConfigProblem[];
  /** For `ssh -F`. */
  configFile?: string;
}

/** The family whose users can walk over keeps its files here. */
const FAMILY_DIRECTORY = ".omp";
const HOSTS_FILE = "ssh.json";

interface Source {
  file: string;
  origin: "user" | "project";
}

function sourcesOf({ cwd, env }: LoadHostsOptions): { before: Source[]; behind: Source[] } {
  const project = (...parts: string[]): Source => ({
    file: join(cwd, ...parts),
    origin: "project",
  });
  const user = (file: string): Source => ({ file, origin: "user" });
  return {
    before: [project(CONFIG_DIRECTORY, HOSTS_FILE), project(FAMILY_DIRECTORY, HOSTS_FILE)],
    behind: [
      user(join(agentDirectory(env), HOSTS_FILE)),
      user(join(homeOf(env), FAMILY_DIRECTORY, "agent", HOSTS_FILE)),
      project(HOSTS_FILE),
      project(`.${HOSTS_FILE}`),
    ],
  };
}

export function loadHosts(options: LoadHostsOptions): LoadedHosts {
  const { env, settings, project } = options;
  const hosts = new Map<string, SshHost>();
  const inert = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  if (!settings.enabled) return { hosts, inert, problems };
  const add = (entries: Record<string, unknown>, { file, origin }: Source): void => {
    for (const [name, entry] of Object.entries(entries)) {
      if (hosts.has(name)) continue;
      if (origin === "project" && project === "untrusted") {
        if (!inert.has(name)) inert.set(name, file);
        continue;
      }
      const read = readHostEntry(name, entry, { env, file });
      if (read.ok) hosts.set(name, read.host);
      else problems.push({ file, key: name, message: read.why, severity: "error" });
    }
  };
  const { before, behind } = sourcesOf(options);
  for (const source of before) add(readFile(source.file, problems), source);
  add(settings.hosts, { file: userSettingsFile(env), origin: "user" });
  for (const source of behind) add(readFile(source.file, problems), source);

  const configFile = settings.config === "" ? undefined : expandHome(settings.config, env);
  if (settings.openssh) {
    const home = homeOf(env);
    for (const name of opensshNames(configFile ?? join(home, ".ssh", "config"), home)) {
      const host = { name, address: name };
      if (!hosts.has(name) && hostProblem(host) === undefined) hosts.set(name, host);
    }
  }
  for (const name of hosts.keys()) inert.delete(name);
  return { hosts, inert, problems, configFile };
}

/** `{ "hosts": { … } }`, or the map itself. */
function readFile(file: string, problems: ConfigProblem[]): Record<string, unknown> {
  if (!existsSync(file)) return {};
  const report = (message: string): Record<string, unknown> => {
    problems.push({ file, message, severity: "error" });
    return {};
  };
  const read = readSettingsText(file);
  if (!read.ok) return report(read.why);
  let data: unknown;
  try {
    data = Bun.JSONC.parse(read.text);
  } catch (error) {
    return report(error instanceof Error ? error.message : String(error));
  }
  const hosts = isMap(data) && isMap(data.hosts) ? data.hosts : data;
  return isMap(hosts) ? hosts : report('hosts are names with maps: { "web": { "host": "…" } }');
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
