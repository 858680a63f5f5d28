// Places of a sandbox that are really there. Links are followed: it is what they lead to that must be
// shown or hidden.

import { readdirSync, realpathSync, statSync } from "node:fs";
import type { Mount, MountKind } from "./mount-plan.ts";

export function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    // Not there, or not ours to see.
    if (typeof (error as { code?: unknown }).code === "string") return [];
    throw error;
  }
}

export function all(paths: readonly string[], kind: MountKind): Mount[] {
  return existing(paths).map(({ path }) => mount(path, kind));
}

export function mount(path: string, kind: MountKind): Mount {
  return { path, kind };
}

interface Found {
  path: string;
  isDirectory: boolean;
}

export function existing(paths: readonly string[]): Found[] {
  return paths.flatMap((given) => {
    try {
      const path = realpathSync(given);
      return [{ path, isDirectory: statSync(path).isDirectory() }];
    } catch (error) {
      // Not there, or not ours to see: then it is not the command's either.
      if (typeof (error as { code?: unknown }).code === "string") return [];
      throw error;
    }
  });
}
