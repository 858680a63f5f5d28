// A project and a home directory of files, and what discovery makes of them.

import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { discover, type Discovery, type DiscoverOptions } from "../discover.ts";
import type { DiscoveredItem } from "../item.ts";

export interface Found extends AsyncDisposable {
  scratch: ScratchDirectory;
  project: string;
  home: string;
  agentDirectory: string;
  find(options?: Partial<DiscoverOptions>): Promise<Discovery>;
}

/** The project is a repository below the home directory. */
export async function findIn(files: {
  project?: Record<string, string>;
  home?: Record<string, string>;
}): Promise<Found> {
  const scratch = await createScratchDirectory();
  const home = scratch.path("home");
  const project = scratch.path("home/work/project");
  await scratch.write("home/work/project/.git/HEAD", "ref: refs/heads/main\n");
  for (const [path, text] of Object.entries(files.home ?? {})) {
    await scratch.write(`home/${path}`, text);
  }
  for (const [path, text] of Object.entries(files.project ?? {})) {
    await scratch.write(`home/work/project/${path}`, text);
  }
  const agentDirectory = scratch.path("home/.tau/agent");
  return {
    scratch,
    project,
    home,
    agentDirectory,
    find: (options) => discover({ cwd: project, home, agentDirectory, ...options }),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

export const inWords = ({ level, kind, name }: DiscoveredItem): string =>
  `${level} ${kind} ${name}`;
