// What reading means for whoever gives consent: of the disk it is free, and secrets are remembered.
// Reading an address tells the other side what stands in it: one with data in it is no plain read,
// and after a secret was read each of them asks.

import { existsSync } from "node:fs";
import { stableJson } from "@tau/agent/fingerprint";
import type { CallAssessment } from "@tau/agent/tool";
import { onDisk } from "@tau/host/walk/byte-path";
import { hasGlob, splitGlob } from "@tau/host/walk/glob";
import { carriesData, isOwnMachine, webAddress } from "../resources/address-data.ts";
import { nearPath, resolvePath, tidyPath } from "../resources/local-path.ts";
import { isLookingForKeys, secretsAtTop } from "./found-secrets.ts";
import { guardContext, type GuardContext } from "./guard-context.ts";
import { namedFiles } from "./named-files.ts";
import { withReason } from "./read-secrets.ts";
import type { Workspace } from "./workspace.ts";

export interface Reading {
  params: unknown;
  paths: readonly string[];
  /** Directories are read with all that is in them. */
  isDeep?: boolean;
}

export async function assessReads(
  workspace: Workspace,
  { params, paths, isDeep = false }: Reading,
): Promise<CallAssessment> {
  const addresses = paths.flatMap((path) => webAddress(tidyPath(path)) ?? []);
  const away = addresses.filter((address) => !isOwnMachine(address));
  const sending = away.find(carriesData);
  const hosts = [...new Set(away.map(({ host }) => host))].join(", ");
  const reason =
    away.length === 0 ? undefined : workspace.secrets.reasonAgainst(`fetches from ${hosts}`);
  const { names, secrets } = await filesRead(workspace, paths, isDeep, stableJson(params));
  workspace.secrets.note(secrets);
  const assessment: CallAssessment = {
    tier: sending ? "exec" : "read",
    does: sending && `sends data to ${sending.host} in an address`,
    subjects: [stableJson(params)],
    // However it is spelled, a refusal of the file is a refusal of the call.
    spellings: [[...paths, ...names]],
    reads: [names],
    hosts: addresses.map(({ hostname }) => hostname),
  };
  return withReason(assessment, reason);
}

async function filesRead(
  workspace: Workspace,
  paths: readonly string[],
  isDeep: boolean,
  /** What is looked for, among other words. */
  looked: string,
): Promise<{ names: string[]; secrets: string[] }> {
  const guard = await guardContext(workspace);
  const names: string[] = [];
  const secrets: string[] = [];
  for (const path of paths.flatMap((each) => placesIn(each, isDeep))) {
    if (isDeep && resolvePath(path, workspace.files) === workspace.cwd && isLookingForKeys(looked))
      secrets.push(...secretsAtTop(workspace.cwd, guard));
    for (const { path: named, real, shown } of await namedFiles(path, workspace, guard)) {
      names.push(shown, workspace.files.shown(named), real, named);
      names.push(nearPath(real, workspace.cwd), nearPath(named, workspace.cwd));
      if (!existsSync(onDisk(real))) continue;
      const what = secretIn(named, guard, isDeep) ?? secretIn(real, guard, isDeep);
      if (what !== undefined) secrets.push(`${real}, ${what}`);
    }
  }
  // `.e*` is what it matches.
  for (const pattern of isDeep ? paths.filter(hasGlob) : []) {
    const what = guard.secrets(resolvePath(pattern, workspace.files));
    if (what !== undefined) secrets.push(`${pattern}, ${what}`);
  }
  return { names: [...new Set(names)], secrets };
}

function secretIn(path: string, guard: GuardContext, isDeep: boolean): string | undefined {
  return isDeep ? guard.secretsBelow(path) : guard.secrets(path);
}

/** A list may stand in one string, and of a pattern the directory is what is read. */
function placesIn(given: string, isDeep: boolean): string[] {
  const text = tidyPath(given);
  if (webAddress(text)) return [];
  if (!isDeep) return [given];
  const parts = [text, ...text.split(/[\s,;[\]"]+/)].filter(Boolean);
  return [...new Set(parts)].map((part) => (hasGlob(part) ? splitGlob(part).base || "." : part));
}
