// The secrets of one session, from the environment and the user's own file. A project's file is
// not read: its patterns would run over everything, and a pattern can be made to never end.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { createDiskStorage } from "@tau/host/storage";
import { systemCode } from "@tau/host/storage-error";
import type { ConfigProblem } from "../../model/config-problem.ts";
import { UserError } from "../../user-error.ts";
import { environmentSecrets, parseSecrets, type SecretEntry } from "./secret-entry.ts";
import { SecretVault } from "./secret-vault.ts";

const KEY_FILE = "secrets.key";
const KEY_BYTES = 32;

export interface OpenedVault {
  vault: SecretVault;
  problems: ConfigProblem[];
}

export async function openVault(options: {
  env: Environment;
  agentDirectory: string;
}): Promise<OpenedVault> {
  const { env, agentDirectory } = options;
  const problems: ConfigProblem[] = [];
  const entries: SecretEntry[] = environmentSecrets(env);
  const file = join(agentDirectory, "secrets.yml");
  if (existsSync(file)) {
    const parsed = parseSecrets(readSecrets(file), file);
    entries.push(...parsed.entries);
    problems.push(...parsed.problems);
  }
  return { vault: new SecretVault(entries, await userKey(agentDirectory)), problems };
}

/** Going on without them would send them. */
function readSecrets(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UserError(`${file} cannot be read (${code}); mend it, or switch secrets.enabled off`);
  }
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
