// A change that the user makes through Tau to a project that they trust: they need not be asked about
// their own words. Nothing but that one change is agreed to.

import type { Environment } from "@tau/ai/environment";
import { trustOf } from "./project-standing.ts";
import { agentDirectory } from "../config/places.ts";
import { decideTrust } from "./project-trust.ts";

export async function keepTrust(
  place: { cwd: string; env: Environment; file: string },
  change: () => Promise<void>,
): Promise<"trusted" | "untrusted"> {
  const { cwd, env, file } = place;
  const before = await trustOf(cwd, env);
  await change();
  if (before.state !== "trusted") return "untrusted";
  const { root, subjects } = await trustOf(cwd, env);
  const agreed = new Map(before.subjects.map(({ id, hash }) => [id, hash]));
  const own = subjects.filter(
    ({ id, hash, item }) => item?.path === file || agreed.get(id) === hash,
  );
  await decideTrust({ root, agentDirectory: agentDirectory(env) }, "allow", own);
  return "trusted";
}
