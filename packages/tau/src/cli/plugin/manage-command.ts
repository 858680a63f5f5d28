// `tau plugin list`, `remove`, `enable`, `disable`, `link`, `config` and `doctor`: what is installed, as it is.

import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { hidePasswords } from "../../base/hide-passwords.ts";
import { writeOutput } from "../../base/output.ts";
import { expandHome } from "../../config/places.ts";
import { BadManifest } from "../../discovery/plugins/plugin-manifest.ts";
import { isPluginName } from "../../discovery/plugins/plugin-name.ts";
import { LeadsOut } from "../../discovery/plugins/plugin-path.ts";
import { rootOf, type LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { readPlugin } from "../../discovery/plugins/read-plugin.ts";
import { shownJson, shownText } from "../../discovery/shown-text.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { examinePlugins } from "../../extend/plugins/doctor.ts";
import { UserError } from "../../user-error.ts";
import { agreeToFeatures, agreeToPlugin } from "./feature-command.ts";
import { installedNamed, lookedAt, type PluginCommand } from "./plugin-place.ts";
import { listInWords, type ListedPlugin } from "../../extend/plugins/plugin-views.ts";

export async function list({ stores, isJson, only, style }: PluginCommand): Promise<ExitCode> {
  const found: ListedPlugin[] = [];
  for (const store of stores) {
    for (const { parts: _, packages: _packages, ...plugin } of await lookedAt(store)) {
      if (only === undefined || plugin.only === only) {
        found.push({ ...plugin, source: hidePasswords(plugin.source), scope: store.place.level });
      }
    }
  }
  await writeOutput(isJson ? `${shownJson(found)}\n` : listInWords(found, style));
  return EXIT.done;
}

export async function remove(command: PluginCommand, names: readonly string[]): Promise<ExitCode> {
  for (const name of names) {
    const { store } = await installedNamed(command, name);
    await store.change((before) => before.filter((one) => one.name !== name));
    await writeOutput(`Removed ${name}.\n`);
  }
  return EXIT.done;
}

export async function setEnabled(
  command: PluginCommand,
  name: string,
  isEnabled: boolean,
): Promise<ExitCode> {
  const { store, plugin } = await installedNamed(command, name);
  const wanted = command.features ?? [];
  if (wanted.length > 0) {
    const { features } = await readPlugin(rootOf(plugin, store.place)!, plugin);
    const known = features.map((one) => one.name);
    const odd = wanted.find((one) => !known.includes(one));
    if (odd !== undefined) {
      const hint = known.length > 0 ? `it has ${known.join(", ")}` : "it has none";
      throw new UserError(`${name} has no feature ${JSON.stringify(odd)}; ${hint}`);
    }
    if (isEnabled) await agreeToFeatures(command, { store, plugin }, wanted);
  } else if (isEnabled && !plugin.isEnabled) await agreeToPlugin(command, { store, plugin });
  const change = (one: LockedPlugin): LockedPlugin => {
    if (wanted.length === 0) return { ...one, isEnabled };
    const others = one.features.filter((feature) => !wanted.includes(feature));
    // What it brings is another thing then, and looked for anew.
    return { ...one, features: isEnabled ? [...others, ...wanted] : others, parts: undefined };
  };
  await store.change((before) => before.map((one) => (one.name === name ? change(one) : one)));
  const what = wanted.length > 0 ? `${name}: ${wanted.join(", ")}` : name;
  await writeOutput(`${isEnabled ? "Enabled" : "Disabled"} ${shownText(what)}.\n`);
  return EXIT.done;
}

/** The author's directory stays where it is, and is read anew each time. */
export async function link(command: PluginCommand, given: string): Promise<ExitCode> {
  const { store, cwd, env, isProject } = command;
  if (isProject)
    throw new UserError("a directory is linked for yourself; install it for a project");
  const path = await realpath(resolve(cwd, expandHome(given, env))).catch(() => undefined);
  if (path === undefined) throw new UserError(`${given} does not exist`);
  try {
    const { name, version, features } = await readPlugin(path);
    if (!isPluginName(name)) {
      throw new UserError(`${given} has no name that may be used; give it one in its manifest`);
    }
    const defaults = features.filter((one) => one.isDefault).map((one) => one.name);
    await store.put({
      name,
      source: `file:${path}`,
      version,
      link: path,
      installedAt: new Date().toISOString(),
      isEnabled: true,
      features: command.features ?? defaults,
      settings: {},
    });
    await writeOutput(`Linked ${name} to ${shownText(path)}.\n`);
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof BadManifest) && !(error instanceof LeadsOut)) throw error;
    throw new UserError(`${given}: ${error.message}`);
  }
}

export async function configure(
  command: PluginCommand,
  name: string,
  [key, value]: readonly string[],
): Promise<ExitCode> {
  const { store, plugin } = await installedNamed(command, name);
  const { settings } = await readPlugin(rootOf(plugin, store.place)!, plugin);
  if (key === undefined) {
    const rows = settings.map((one) => ({ ...one, value: plugin.settings[one.key] }));
    const lines = rows.map((row) => `${row.key} = ${row.value ?? "(not set)"}  ${row.description}`);
    const words = lines.length > 0 ? lines : ["It has no settings."];
    await writeOutput(
      command.isJson
        ? `${shownJson(rows)}\n`
        : `${words.map((one) => shownText(one)).join("\n")}\n`,
    );
    return EXIT.done;
  }
  if (!settings.some((one) => one.key === key)) {
    const known = settings.map((one) => one.key).join(", ") || "none";
    throw new UserError(`${name} has no setting ${JSON.stringify(key)}; it has ${known}`);
  }
  await store.change((before) =>
    before.map((one) => {
      if (one.name !== name) return one;
      const { [key]: _, ...others } = one.settings;
      return { ...one, settings: value === undefined ? others : { ...others, [key]: value } };
    }),
  );
  await writeOutput(value === undefined ? `Unset ${key}.\n` : `Set ${key}.\n`);
  return EXIT.done;
}

export async function doctor({ stores, isJson }: PluginCommand): Promise<ExitCode> {
  const complaints = await examinePlugins(stores);
  if (isJson) await writeOutput(`${shownJson(complaints)}\n`);
  else if (complaints.length === 0) await writeOutput("Everything is as it should be.\n");
  else {
    for (const { plugin, message } of complaints) {
      await writeOutput(`${shownText(plugin === undefined ? message : `${plugin}: ${message}`)}\n`);
    }
  }
  return complaints.length > 0 ? EXIT.failed : EXIT.done;
}
