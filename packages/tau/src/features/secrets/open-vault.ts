// The secrets of one session, from the environment and the user's own file. A project's file is
// not read: its patterns would run over everything, and a pattern can be made to never end.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { createDiskStorage } from "@tau/host/storage";
import { isThere, readSettingsText } from "../../config/settings-text.ts";
import { describeProblem, type ConfigProblem } from "../../base/config-problem.ts";
import { UserError } from "../../user-error.ts";
import { environmentSecrets, parseSecrets, type SecretEntry } from "../../config/secret-entry.ts";
import { SecretVault } from "./secret-vault.ts";

const KEY_FILE = "secrets.key";
const KEY_BYTES = 32;

export async function openVault(options: {
  env: Environment;
  agentDirectory: string;
}): Promise<SecretVault> {
  const { env, agentDirectory } = options;
  const entries: SecretEntry[] = environmentSecrets(env);
  const file = join(agentDirectory, "secrets.yml");
  if (isThere(file)) entries.push(...(await readSecrets(file)));
  return new SecretVault(entries, await userKey(agentDirectory));
}

/** All or nothing: going on without one of them would send it. */
async function readSecrets(file: string): Promise<SecretEntry[]> {
  const read = readSettingsText(file);
  const fail = (problem: Omit<ConfigProblem, "file" | "severity">): never => {
    const described = describeProblem({ ...problem, file, severity: "error" });
    throw new UserError(`${described}; fix it, or turn secrets.enabled off`);
  };
  if (!read.ok) return fail({ message: read.why, line: read.line });
  const { entries, problem } = await parseSecrets(read.text);
  return problem ? fail(problem) : entries;
}

/** Made once; whoever comes second takes the first one's. */
async function userKey(agentDirectory: string): Promise<string> {
  const path = join(agentDirectory, KEY_FILE);
  if (!existsSync(path)) {
    const storage = createDiskStorage();
    await storage.makeDirectory(agentDirectory, { point: "secrets.directory" });
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES))).toString("hex");
    await storage
      .createExclusive(path, Buffer.from(key), { point: "secrets.key", mode: 0o600 })
      .catch((error: unknown) => {
        if (!existsSync(path)) throw error;
      });
  }
  return readFileSync(path, "utf8").trim();
}
