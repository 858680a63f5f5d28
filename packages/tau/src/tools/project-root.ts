// The project that a remembered consent belongs to: the repository's root, as for trust, so that it is
// the same one in whichever of its directories Tau was started. Without a repository, the directory itself.

import type { Workspace } from "./workspace.ts";

const roots = new WeakMap<Workspace, Promise<string>>();

export function projectRoot(workspace: Workspace): Promise<string> {
  const known = roots.get(workspace) ?? rootOf(workspace.cwd, workspace.files.home);
  roots.set(workspace, known);
  return known;
}

/** Without links. */
export async function rootOf(cwd: string, home: string): Promise<string> {
  const { searchPlaces } = await import("../discovery/search-places.ts");
  return (await searchPlaces({ cwd, home })).root;
}
