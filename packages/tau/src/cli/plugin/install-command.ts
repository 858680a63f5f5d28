// `tau plugin install`, `update` and `show`: fetched, shown, asked about, and only then installed.

import { writeError, writeOutput } from "../../base/output.ts";
import { isPluginName } from "../../discovery/plugins/plugin-name.ts";
import { rootOf, type LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { readPlugin } from "../../discovery/plugins/read-plugin.ts";
import { shownJson, shownText } from "../../discovery/shown-text.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { describePlugin } from "../../extend/plugins/describe-plugin.ts";
import { codeDigest } from "../../extend/plugins/code-digest.ts";
import { installPlugin } from "../../extend/plugins/install-plugin.ts";
import { parseSource, type PluginSource } from "../../extend/plugins/plugin-source.ts";
import type { PluginStore } from "../../extend/plugins/plugin-store.ts";
import {
  preparePlugin,
  withFeatures,
  type PreparedPlugin,
} from "../../extend/plugins/prepare-plugin.ts";
import { UserError } from "../../user-error.ts";
import { agreed } from "./agreed.ts";
import { installedNamed, lookedAt, type PluginCommand } from "./plugin-place.ts";
import { pluginInWords } from "../../extend/plugins/plugin-views.ts";

export async function install(command: PluginCommand, given: string): Promise<ExitCode> {
  const { store, features, only, isJson, style } = command;
  const source = await sourceOf(command, given);
  await using staging = await store.stage();
  const place = { ...command, staging: staging.path };
  const fresh = await preparePlugin(source, place);
  const before = await store.find(fresh.name);
  // Those that were switched on stay so, and are shown.
  const prepared =
    before && features === undefined ? await withFeatures(fresh, before.features, only) : fresh;
  if (!isJson) await writeOutput(pluginInWords(prepared, style));
  await agreed(command, `Install ${prepared.name}?`);
  const plugin = await installPlugin(prepared, { ...place, store, only, features });
  const how = before ? `${versionOf(before)} → ${versionOf(plugin)}` : versionOf(plugin);
  await writeOutput(
    isJson
      ? `${shownJson({ ...plugin, items: prepared.description.items })}\n`
      : `\nInstalled ${shownText(plugin.name)} ${shownText(how)} (${store.place.level}).\n`,
  );
  return EXIT.done;
}

export async function show(command: PluginCommand, given: string): Promise<ExitCode> {
  const { isJson, style, stores, store } = command;
  const tell = async (shown: Pick<PreparedPlugin, "name" | "contents" | "description">) => {
    const { name, contents, description } = shown;
    const { version, unused, features, settings } = contents;
    const data = { name, version, description: contents.description, unused, features, settings };
    await writeOutput(
      isJson ? `${shownJson({ ...data, ...costOf(description) })}\n` : pluginInWords(shown, style),
    );
    return EXIT.done;
  };
  for (const one of isPluginName(given) ? stores : []) {
    const plugin = (await lookedAt(one)).find(({ name }) => name === given);
    if (plugin) return tell(await installedContents(plugin, one));
  }
  await using staging = await store.stage();
  const source = await sourceOf(command, given);
  return await tell(await preparePlugin(source, { ...command, staging: staging.path }));
}

function costOf({ items, alwaysTokens, useTokens }: PreparedPlugin["description"]) {
  return { items, tokens: { always: alwaysTokens, onUse: useTokens } };
}

async function installedContents(plugin: LockedPlugin, store: PluginStore) {
  const root = rootOf(plugin, store.place);
  if (root === undefined) throw new UserError(`${plugin.name} is linked in a project; install it`);
  const contents = await readPlugin(root, plugin);
  const description = await describePlugin(plugin.name, root, contents);
  return { name: plugin.name, contents, description };
}

/** All of them without a name. */
export async function update(command: PluginCommand, names: readonly string[]): Promise<ExitCode> {
  const wanted = names.length > 0 ? await named(command, names) : await everyPlugin(command);
  if (wanted.length === 0) await writeOutput("Nothing is installed.\n");
  let code: ExitCode = EXIT.done;
  const markets = new Set<string>();
  for (const { store, plugin } of wanted) {
    try {
      await updateOne(command, { store, plugin, markets });
    } catch (error) {
      // One that is gone from the web does not keep the others old.
      if (!(error instanceof UserError) || wanted.length === 1) throw error;
      writeError(`tau: ${shownText(error.message)}\n`);
      code = EXIT.failed;
    }
  }
  return code;
}

interface Updated {
  store: PluginStore;
  plugin: LockedPlugin;
  /** Those that are fresh already. */
  markets: Set<string>;
}

async function updateOne(command: PluginCommand, { store, plugin, markets }: Updated) {
  const shown = shownText(plugin.name);
  if (plugin.link !== undefined) return writeOutput(`${shown}: linked, always as it is there\n`);
  const source = await sourceOf(command, plugin.source);
  if (source.type === "marketplace" && !markets.has(source.market)) {
    markets.add(source.market);
    await command.markets.update(source.market);
  }
  await using staging = await store.stage();
  const { features, only } = plugin;
  const place = { ...command, staging: staging.path, only, features: undefined };
  const prepared = await withFeatures(await preparePlugin(source, place), features, only);
  const { resolved } = prepared.fetched;
  const isExact = source.type === "npm" || source.type === "git";
  if (isExact && resolved === plugin.resolved) {
    return writeOutput(`${shown} ${shownText(versionOf(plugin))}: up to date\n`);
  }
  const fresh = await newRuns(prepared, plugin, store);
  if (fresh.length > 0) {
    await writeOutput(`${shown} would run what it did not run before:\n`);
    for (const line of fresh) await writeOutput(`  ${shownText(line)}\n`);
    await agreed(command, `Update ${plugin.name}?`);
  }
  const known = new Set(prepared.contents.features.map(({ name }) => name));
  const kept = features.filter((one) => known.has(one));
  const before = await codeDigest(plugin, store.place);
  const made = await installPlugin(prepared, { ...place, store, features: kept });
  const how =
    made.integrity === plugin.integrity
      ? `${versionOf(made)}: up to date`
      : `${versionOf(plugin)} → ${versionOf(made)}`;
  await writeOutput(`${shown} ${shownText(how)}\n`);
  const runs = prepared.description.items.some((one) => one.runs.length > 0);
  if (runs && before !== (await codeDigest(made, store.place))) {
    await writeOutput(`${shown}: its code has changed\n`);
  }
}

/** What would run now and did not before. */
async function newRuns(
  { description }: PreparedPlugin,
  plugin: LockedPlugin,
  store: PluginStore,
): Promise<string[]> {
  // What is damaged is compared with nothing: then everything is new.
  const before = await installedContents(plugin, store).catch(() => undefined);
  const lines = (items: PreparedPlugin["description"]["items"]): string[] =>
    items.flatMap(({ kind, name, runs }) => runs.map((run) => `${kind} ${name}: ${run}`));
  const known = new Set(before ? lines(before.description.items) : []);
  return lines(description.items).filter((line) => !known.has(line));
}

async function named(command: PluginCommand, names: readonly string[]) {
  const found = [];
  for (const name of names) found.push(await installedNamed(command, name));
  return found;
}

async function everyPlugin({ stores, isProject, only }: PluginCommand) {
  const found: { store: PluginStore; plugin: LockedPlugin }[] = [];
  for (const store of stores) {
    // A project's are changed for everybody who works there: only if that is wanted.
    if ((store.place.level === "project") !== isProject) continue;
    for (const plugin of await store.plugins()) {
      if (only === undefined || plugin.only === only) found.push({ store, plugin });
    }
  }
  return found;
}

async function sourceOf(
  { cwd, env, markets }: PluginCommand,
  given: string,
): Promise<PluginSource> {
  const known = new Set((await markets.all()).map(({ name }) => name));
  return parseSource(given, { cwd, env, markets: known });
}

function versionOf({ version, resolved }: LockedPlugin): string {
  return version ?? (resolved && /^[0-9a-f]{40}/.test(resolved) ? resolved.slice(0, 12) : "");
}
