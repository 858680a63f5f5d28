// What extensions bring, for whoever has no session at hand: settings, providers, flags. Extensions are loaded
// to be asked, those of a project only if the user trusts it.

import type { Environment } from "@tau/ai/environment";
import { writeError } from "../base/output.ts";
import { COMMAND } from "../brand.ts";
import { agentDirectory } from "../config/places.ts";
import type { Settings } from "../config/settings.ts";
import {
  findExtensions,
  mayHaveExtensions,
  type ExtensionWish,
} from "../extend/find-extensions.ts";
import { loadExtensions } from "../extend/load-extensions.ts";
import { noteStart, takeCrashNote } from "../extend/start-marker.ts";
import type { Feature } from "../feature-api/feature.ts";
import { admitFeatures } from "../features/admit-features.ts";
import type { ParsedArgs } from "../feature-api/subcommand.ts";
import { BUILT_IN } from "../features/built-in.ts";

/** Of a command line with these flags. */
export function extensionWishOf({ flags, repeated = {} }: ParsedArgs): ExtensionWish {
  const { extension = [], hook = [] } = repeated;
  return { discover: flags["no-extensions"] !== true, paths: [...extension, ...hook] };
}

/** The built-in features, and those of the extensions that a session here would have. */
export async function featuresWithExtensions(
  place: { cwd: string; env: Environment; settings: Settings },
  wish: ExtensionWish = {},
): Promise<readonly Feature[]> {
  const { cwd, env } = place;
  if (!mayHaveExtensions(wish, place)) return BUILT_IN;
  const directory = agentDirectory(env);
  // Settings are also where an extension that ends Tau is switched off.
  const crashed = takeCrashNote(directory);
  if (crashed) {
    const names = crashed.join(", ");
    writeError(`${COMMAND}: Tau ended while it was loading extensions (${names}); now none is\n`);
    return BUILT_IN;
  }
  const { sources } = await findExtensions(wish, place);
  if (sources.length === 0) return BUILT_IN;
  const settled = noteStart(
    directory,
    sources.map(({ name }) => name),
  );
  const { loaded, failures } = await loadExtensions(sources, { cwd, flags: {} });
  settled();
  for (const { source, message } of failures) {
    writeError(`${COMMAND}: what ${source.name} brings is not known: ${message}\n`);
  }
  return admitFeatures([...BUILT_IN, ...loaded.map(({ feature }) => feature)]).features;
}
