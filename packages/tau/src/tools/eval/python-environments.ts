// The virtual environments beside the code that may run cells: those of a project that the user
// trusts. The interpreter in one is a program, and a clone can bring any program under that name.

import { dirname } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { COMMAND } from "../../brand.ts";
import { agentDirectory, homeOf } from "../../config/places.ts";
import { trustOf } from "../../trust/project-standing.ts";
import { discover } from "../../discovery/discover.ts";
import { isInForce, type HeldBack } from "../../discovery/item.ts";
import { shownPath } from "../../resources/local-path.ts";
import { underTrust } from "../../trust/project-trust.ts";

export interface PythonEnvironments {
  /** Directories, the nearest first. */
  usable: string[];
  /** Which ones are not used and why; for the reader of the first cell's output. */
  remark?: string;
}

export async function pythonEnvironments(
  cwd: string,
  env: Environment,
): Promise<PythonEnvironments> {
  const place = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  const { items } = await discover({ ...place, kinds: ["python"] });
  if (items.length === 0) return { usable: [] };
  const trust = await trustOf(cwd, env);
  const standing = underTrust(items, trust);
  const usable = standing.filter(isInForce).map(({ path }) => dirname(path));
  // Whoever has said no to the project knows why.
  const held = trust.isDenied ? [] : standing.filter(({ heldBack }) => heldBack !== undefined);
  if (held.length === 0) return { usable };
  const remarks = held.map(({ path, heldBack }) => {
    const remedy =
      REMEDIES[heldBack!.reason] ?? "name its Python in the setting python.interpreter";
    return `[${shownPath(dirname(path), cwd)} is not used: ${heldBack!.why}; ${remedy}]`;
  });
  return { usable, remark: remarks.join("\n") };
}

const DECIDE = `\`${COMMAND} trust\` decides`;
const REMEDIES: Partial<Record<HeldBack["reason"], string>> = {
  untrusted: DECIDE,
  changed: DECIDE,
};
