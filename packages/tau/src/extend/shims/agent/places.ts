// Where things are, under the family's names, and small helpers that belong to nothing else.

import { join } from "node:path";
import { CONFIG_DIRECTORY, VERSION as OWN_VERSION } from "../../../brand.ts";
import { agentDirectory } from "../../../config/places.ts";

export const VERSION: string = OWN_VERSION;
export const CONFIG_DIR_NAME: string = CONFIG_DIRECTORY;

/** Tau's own: what extensions keep there is Tau's user's. */
export function getAgentDir(): string {
  return agentDirectory(process.env);
}

export const getPackageDir = (): string => getAgentDir();
export const getDocsPath = (): string => join(getAgentDir(), "docs");
export const getExamplesPath = (): string => join(getAgentDir(), "examples");
export const getReadmePath = (): string => join(getAgentDir(), "README.md");

const queues = new Map<string, Promise<unknown>>();

/** Changes of one file, one after the other. */
export async function withFileMutationQueue<T>(file: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(file) ?? Promise.resolve();
  const mine = before.then(work, work);
  // Whoever comes next waits for the end, whichever it is.
  const over = mine.catch(() => {});
  queues.set(file, over);
  try {
    return await mine;
  } finally {
    if (queues.get(file) === over) queues.delete(file);
  }
}

/** What was put into the terminal's own clipboard; most terminals allow it. */
export async function copyToClipboard(text: string): Promise<void> {
  process.stdout.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
}

/** Keys and logins stay with Tau: an extension that needs one asks its user for it. */
export function readStoredCredential(): undefined {
  return undefined;
}

export { makeFamilyBus as createEventBus } from "../../family/family-bus.ts";
