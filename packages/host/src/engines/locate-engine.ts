// Where an engine is that came inside this executable. The one question that the loader of
// grammars and the search for ripgrep ask.

import { ownEnvironment } from "../process/own-environment.ts";
import { embeddedEngines } from "./embedded-engines.ts";
import { engineCacheDirectory } from "./engine-place.ts";
import type { EnginePlace, EngineStore } from "./engine-store.ts";

let store: Promise<EngineStore | undefined> | undefined;

/** `absent` when run from source. */
export async function locateEngine(name: string): Promise<EnginePlace> {
  const opened = await (store ??= open());
  return opened ? opened.locate(name) : { kind: "absent" };
}

/** Puts all of them where they are found, for a process that cannot. */
export async function prepareEngines(): Promise<void> {
  const opened = await (store ??= open());
  await opened?.locateAll();
}

async function open(): Promise<EngineStore | undefined> {
  const embedded = await embeddedEngines();
  if (!embedded) return undefined;
  const { EngineStore } = await import("./engine-store.ts");
  return new EngineStore({ embedded, cache: engineCacheDirectory(ownEnvironment()) });
}
