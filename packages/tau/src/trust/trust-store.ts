// What the user decided about projects, in one file of their own: a project cannot carry a decision
// about itself. Written under a lock and as a whole; a file that cannot be understood is never
// written over, and until it is mended nothing is trusted.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "@tau/host/lock/file-lock";
import { createDiskStorage, type Storage } from "@tau/host/storage";
import { systemCode } from "@tau/host/storage-error";
import { UserError } from "../user-error.ts";
import type { DirectoryIdentity } from "./directory-identity.ts";

const WRITE = { point: "trust.write" };
const VERSION = 1;
/** The oldest go first; asking again about a project of years ago does no harm. */
const MAX_PROJECTS = 1000;
/** Of one project, in all the directories one has worked in. */
const MAX_ITEMS = 5000;

export interface TrustRecord {
  decision: "allow" | "deny";
  decidedAt: string;
  identity: DirectoryIdentity;
  /** Hashes by what they are about. */
  items: Record<string, string>;
}

export type TrustRecords = Record<string, TrustRecord>;

export class TrustFileDamaged extends UserError {}

export function trustFile(agentDirectory: string): string {
  return join(agentDirectory, "trust.json");
}

export async function readTrust(agentDirectory: string): Promise<TrustRecords> {
  const file = trustFile(agentDirectory);
  let text: string;
  try {
    // Nobody may ever write to a pipe.
    if (!(await stat(file)).isFile())
      throw new TrustFileDamaged(`${file} is not a file; move it away`);
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new TrustFileDamaged(`${file} cannot be read (${code}); check its permissions`);
  }
  const records = parse(text);
  if (!records) {
    throw new TrustFileDamaged(`${file} is not a file of trust decisions; move it away`);
  }
  return records;
}

/** `change` gives the new record of a project, from the one that is there now. */
export async function writeTrust(
  agentDirectory: string,
  root: string,
  change: (before: TrustRecord | undefined) => TrustRecord,
  storage: Storage = createDiskStorage(),
): Promise<TrustRecord> {
  await storage.makeDirectory(agentDirectory, { point: "trust.directory" });
  const file = trustFile(agentDirectory);
  return withFileLock(file, async () => {
    const { [root]: before, ...others } = await readTrust(agentDirectory);
    const { items, ...record } = change(before);
    const kept = Object.fromEntries(Object.entries(items).slice(-MAX_ITEMS));
    const made = { ...record, items: kept };
    const newest = Object.entries(others)
      .sort(([, a], [, b]) => (a.decidedAt < b.decidedAt ? 1 : -1))
      .slice(0, MAX_PROJECTS - 1);
    const projects = { ...Object.fromEntries(newest), [root]: made };
    const text = `${JSON.stringify({ version: VERSION, projects }, null, 2)}\n`;
    await storage.replace(file, Buffer.from(text), WRITE);
    return made;
  });
}

function parse(text: string): TrustRecords | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isRecord(data) || data.version !== VERSION || !isRecord(data.projects)) return undefined;
  const records: TrustRecords = {};
  for (const [root, given] of Object.entries(data.projects)) {
    // One odd record is as good as none, and a new decision replaces it.
    if (isTrustRecord(given)) records[root] = given;
  }
  return records;
}

function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value) || !isRecord(value.identity) || !isRecord(value.items)) return false;
  const { decision, decidedAt, identity, items } = value;
  return (
    (decision === "allow" || decision === "deny") &&
    typeof decidedAt === "string" &&
    typeof identity.directory === "string" &&
    Object.values(items).every((hash) => typeof hash === "string")
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
