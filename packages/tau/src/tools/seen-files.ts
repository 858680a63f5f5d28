// Files whose content a tool finds by itself, rather than being told their names: those that the
// settings refuse to have read are left out, and secrets among the others are remembered as read.

import { stableJson } from "@tau/agent/fingerprint";
import type { CallAssessment } from "@tau/agent/tool";
import { nearPath } from "../resources/local-path.ts";
import { guardContext } from "./guard-context.ts";
import type { Workspace } from "./workspace.ts";

/** Those of the paths that may be read without asking anybody more. */
export function readableFiles(workspace: Workspace, paths: readonly string[]): string[] {
  const { decide } = workspace.consent;
  if (!decide) return [...paths];
  const usual = decide("read", reading([]));
  return paths.filter((path) => {
    const said = decide(
      "read",
      reading([path, workspace.files.shown(path), nearPath(path, workspace.cwd)]),
    );
    return said === usual || said === "allow";
  });
}

function reading(names: readonly string[]): CallAssessment {
  const [, shown = ""] = names;
  return { tier: "read", subjects: [stableJson({ path: shown })], spellings: [[...names]] };
}

/** The model sees something of them. */
export async function noteSeen(workspace: Workspace, paths: readonly string[]): Promise<void> {
  const guard = await guardContext(workspace);
  workspace.secrets.note(
    paths.flatMap((path) => {
      const real = guard.real(path);
      const what = guard.secrets(path) ?? guard.secrets(real);
      return what === undefined ? [] : [`${real}, ${what}`];
    }),
  );
}

/** Said whether or not there are any: how many of them match is what they say. */
export const NOT_SEARCHED = "[files that the user's settings do not let be read were not searched]";

/** What is said of files that were left out before anybody looked into them. */
export function leftOutNote(count: number): string {
  const files = count === 1 ? "1 file was" : `${count} files were`;
  return `[${files} left out: the user's settings do not let them be read]`;
}
