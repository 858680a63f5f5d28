// tau config: what the settings are, where each value is from, and changing them.

import { currentDirectory } from "../../base/working-directory.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { findCommand } from "../command-table.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { join } from "node:path";
import { COMMAND, CONFIG_DIRECTORY } from "../../brand.ts";
import { PROJECT_FILE } from "../../trust/project-standing.ts";
import { variablesFor } from "../../config/environment-layer.ts";
import { userSettingsFile } from "../../config/open-settings.ts";
import { openUserSettings } from "../../features/open-user-settings.ts";
import { agentDirectory, homeOf } from "../../config/places.ts";
import type { SettingRow } from "../../config/setting.ts";
import { keyOf } from "../../config/setting-group.ts";
import { parseValue } from "../../config/setting-value.ts";
import type { Settings } from "../../config/settings.ts";
import type { KnownRows } from "../../config/settings-layer.ts";
import type { Feature } from "../../feature-api/feature.ts";
import { BUILT_IN } from "../../features/built-in.ts";
import { settingGroupsOf, SETTINGS_TABLE, settingsTableOf } from "../../features/settings-table.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { styleFor } from "../../base/style.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";
import { entryOf, entryValue, valueOf, type MapEntry } from "./config-entry.ts";

export const CONFIG_VERBS = [
  "list",
  "get",
  "set",
  "unset",
  "reset",
  "explain",
  "migrate",
  "path",
  "sources",
] as const;

interface Asked {
  settings: Settings;
  /** Whose settings there are. */
  features: readonly Feature[];
  table: KnownRows;
  file: string;
  json: boolean;
}

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [verb = "list", key, ...words] = positionals;
  const env = process.env;
  const file = userSettingsFile(env);
  if (verb === "path") {
    await writeOutput(`${file}\n`);
    return EXIT.done;
  }
  if (verb === "migrate") return migrate(file);
  const cwd = currentDirectory();
  const { projectStanding } = await import("../../trust/project-standing.ts");
  const { settingsFile, notice } = await projectStanding(cwd, env);
  // The list of sources says it itself, item by item.
  if (notice !== undefined && verb !== "sources") writeError(`${COMMAND}: ${notice}\n`);
  const place = { env, cwd, projectFile: settingsFile };
  let settings = await openUserSettings(place);
  let features = BUILT_IN;
  if (mayConcernExtensions(settings, verb, key)) {
    const { featuresWithExtensions } = await import("../extension-settings.ts");
    features = await featuresWithExtensions({ env, cwd, settings });
    if (features !== BUILT_IN) settings = await openUserSettings({ ...place, features });
  }
  for (const problem of settings.problems) writeError(`${COMMAND}: ${describeProblem(problem)}\n`);
  const ofProject = flags.project === true ? join(cwd, CONFIG_DIRECTORY, PROJECT_FILE) : undefined;
  const table = settingsTableOf(features);
  const asked: Asked = {
    settings,
    features,
    table,
    file: ofProject ?? file,
    json: flags.json === true,
  };
  if (verb === "list") return listAll(asked, key);
  if (verb === "sources") return showSources(asked, key);
  if (!(CONFIG_VERBS as readonly string[]).includes(verb)) throw unknownVerb(verb);
  if (key === undefined)
    throw new UsageError(`name a setting: ${COMMAND} config ${verb} KEY`, usage());
  const entry = table.row(key) ? undefined : entryOf(key, table);
  const row = entry?.row ?? rowOf(key, table);
  if (ofProject !== undefined && row.scope === "user" && verb === "set") {
    throw new UserError(`a project may not set ${key}; leave --project out`, EXIT.usage);
  }
  if (entry) return withEntry(asked, verb, entry, words.join(" "));
  switch (verb) {
    case "get":
      return show(asked, key, row);
    case "explain":
      return explain(asked, key, row);
    case "set":
      return change(asked, key, row, words.join(" "));
    default:
      return remove(asked, key, row);
  }
}

/** Extensions are loaded only for what nobody else can answer: all settings, or one that Tau does not have. */
function mayConcernExtensions(settings: Settings, verb: string, key: string | undefined): boolean {
  if (verb === "sources") return false;
  if (verb === "list" || settings.problems.length > 0) return true;
  return key !== undefined && !SETTINGS_TABLE.row(key) && !entryOf(key, SETTINGS_TABLE);
}

async function listAll({ settings, features, table, json }: Asked, prefix = ""): Promise<ExitCode> {
  const style = styleFor(process.stdout, isTerminal(1) ? process.env : { NO_COLOR: "1" });
  const all: Record<string, object> = {};
  const lines: string[] = [];
  for (const group of settingGroupsOf(features)) {
    const rows = Object.entries(group.rows)
      .map(([name, row]) => ({ key: keyOf(group, name), row }))
      .filter(({ key }) => key.startsWith(prefix));
    if (rows.length === 0) continue;
    lines.push(style.bold(group.title));
    for (const { key, row } of rows) {
      const { value, given } = settings.explain(key, row);
      all[key] = { value, type: row.type, description: row.help };
      const shown = given.length > 0 ? printed(value) : style.dim(printed(value));
      lines.push(`  ${key} = ${shown}`);
    }
    lines.push("");
  }
  if (lines.length === 0) throw unknownKey(prefix, table);
  await writeOutput(json ? `${JSON.stringify(all, null, 2)}\n` : `${lines.join("\n").trimEnd()}\n`);
  return EXIT.done;
}

/** What users and projects have lying around for coding agents. */
async function showSources({ settings, json }: Asked, word: string | undefined): Promise<ExitCode> {
  const [{ discover }, { KIND_IDS }, { disabledSourcesFrom }, { projectTrust }, views] =
    await Promise.all([
      import("../../discovery/discover.ts"),
      import("../../discovery/kinds.ts"),
      import("../../discovery/settings.ts"),
      import("../../trust/project-trust.ts"),
      import("../../trust/show-sources.ts"),
    ]);
  const kinds = KIND_IDS.filter((kind) => word === undefined || kind === word);
  if (kinds.length === 0) {
    const near = suggest(word!, KIND_IDS);
    const hint = near ? `did you mean ${near}?` : `there are ${KIND_IDS.join(", ")}`;
    throw new UserError(`there is no kind ${word}; ${hint}`, EXIT.usage);
  }
  const env = process.env;
  const place = { cwd: currentDirectory(), home: homeOf(env), agentDirectory: agentDirectory(env) };
  // All kinds: whether a project is trusted does not depend on which one is looked at.
  const disabledSources = disabledSourcesFrom(settings);
  const discovery = await discover({ ...place, disabledSources });
  const trust = await projectTrust({ ...place, root: discovery.places.root }, discovery.items);
  const style = styleFor(process.stdout, isTerminal(1) ? env : { NO_COLOR: "1" });
  const shown = { discovery, trust, kinds };
  await writeOutput(json ? views.sourcesInJson(shown) : views.sourcesInWords(shown, style));
  return EXIT.done;
}

/** The user's own file in the words of now, with the old one beside it. */
async function migrate(file: string): Promise<ExitCode> {
  const { migrateFile } = await import("../../config/migrate-file.ts");
  const { changes, backup } = await migrateFile(file);
  const lines = changes.map(({ old, why }) => `${old} ${why}`);
  lines.push(backup === undefined ? `${file} is up to date` : `the old file is ${backup}`);
  await writeOutput(`${lines.join("\n")}\n`);
  return EXIT.done;
}

async function show({ settings, json }: Asked, key: string, row: SettingRow): Promise<ExitCode> {
  const value = settings.get(key, row);
  const whole = { key, value, type: row.type, description: row.help };
  await writeOutput(json ? `${JSON.stringify(whole, null, 2)}\n` : `${printed(value)}\n`);
  return EXIT.done;
}

async function explain(
  { settings, table, json }: Asked,
  key: string,
  row: SettingRow,
): Promise<ExitCode> {
  const { value, given } = settings.explain(key, row);
  const { lost } = settings;
  if (json) {
    const whole = {
      key,
      value,
      type: row.type,
      description: row.help,
      default: row.default,
      given,
      lost: row.guards?.kind === "consent" ? lost : [],
      variables: variablesFor(key, table),
    };
    await writeOutput(`${JSON.stringify(whole, null, 2)}\n`);
    return EXIT.done;
  }
  const lines = [`${key}: ${row.help} (${kindOf(row)})`, `  default     ${printed(row.default)}`];
  for (const { layer, source, value: own, insteadOf } of given) {
    const line = insteadOf?.line === undefined ? "" : `:${insteadOf.line}`;
    const place = insteadOf
      ? `${source}${line} cannot be read, so the strictest value applies`
      : source;
    lines.push(`  ${layer.padEnd(11)} ${printed(own)}  ${place}`);
  }
  const unset = variablesFor(key, table).filter((name) => !process.env[name]);
  for (const name of unset) lines.push(`  environment ${name} is not set`);
  lines.push(`  in force    ${printed(value)}`);
  // Whatever the value is: nothing that was said before outweighs what is lost.
  const asked = row.guards?.kind === "consent" ? lost : [];
  for (const one of asked) lines.push(`  but first   ${describeProblem(one.problem)}`);
  await writeOutput(`${lines.join("\n")}\n`);
  return EXIT.done;
}

async function change(asked: Asked, key: string, row: SettingRow, word: string): Promise<ExitCode> {
  if (word === "" && row.type !== "text") {
    throw new UsageError(`give ${key} a value (${kindOf(row)})`, usage());
  }
  const parsed = parseValue(row, word);
  if (!parsed.ok) throw new UserError(`${key}: ${parsed.why}, not "${word}"`, EXIT.usage);
  const lost = (await row.guards?.check?.(parsed.value)) ?? [];
  const wrong = lost.find(({ calls }) => calls !== "none");
  if (wrong) throw new UserError(`${[key, ...wrong.path].join(".")}: ${wrong.message}`, EXIT.usage);
  await write(asked.file, key, parsed.value);
  const over = variablesFor(key, asked.table).filter((name) => process.env[name]);
  if (over.length > 0) {
    writeError(`${COMMAND}: ${over.join(", ")} is set in the environment and overrides it\n`);
  }
  await writeOutput(
    asked.json
      ? `${JSON.stringify({ key, value: parsed.value })}\n`
      : `${key} = ${printed(parsed.value)}\n`,
  );
  return EXIT.done;
}

/** `reset` and `unset` are one: what is not in the file has its default. */
async function remove(asked: Asked, key: string, row: SettingRow): Promise<ExitCode> {
  await write(asked.file, key, undefined);
  const settings = await openUserSettings({
    env: process.env,
    cwd: currentDirectory(),
    features: asked.features,
  });
  const value = settings.get(key, row);
  await writeOutput(
    asked.json ? `${JSON.stringify({ key, value })}\n` : `${key} = ${printed(value)}\n`,
  );
  return EXIT.done;
}

/** The same verbs for one entry of a map; how the map came about is explained as a whole. */
async function withEntry(
  asked: Asked,
  verb: string,
  entry: MapEntry,
  word: string,
): Promise<ExitCode> {
  const { settings, file, json } = asked;
  const { key, row, name } = entry;
  const whole = settings.explain(key, row);
  const { writeEntry } = await import("../../config/write-setting.ts");
  let value: unknown;
  if (verb === "explain") {
    valueOf(entry, whole.value);
    return explain(asked, key, row);
  }
  if (verb === "get") value = valueOf(entry, whole.value);
  else if (verb === "set") {
    if (word === "") throw new UsageError(`give ${key}.${name} a value`, usage());
    value = await entryValue(entry, word);
    await writing(file, () => writeEntry(file, key, { name, value }));
  } else {
    valueOf(entry, whole.given.find(({ source }) => source === file)?.value);
    await writing(file, () => writeEntry(file, key, { name, value: undefined }));
    await writeOutput(
      json ? `${JSON.stringify({ key, removed: name })}\n` : `${key} has no ${name} any more\n`,
    );
    return EXIT.done;
  }
  const shown = verb === "get" ? printed(value) : `${key}.${name} = ${printed(value)}`;
  await writeOutput(json ? `${JSON.stringify({ key, name, value })}\n` : `${shown}\n`);
  return EXIT.done;
}

async function write(file: string, key: string, value: unknown): Promise<void> {
  const { writeSetting } = await import("../../config/write-setting.ts");
  return writing(file, () => writeSetting(file, key, value));
}

/** A project that is trusted stays so if it is us who change its file. */
async function writing(file: string, change: () => Promise<void>): Promise<void> {
  if (file === userSettingsFile(process.env)) return change();
  const { keepTrust } = await import("../../trust/keep-trust.ts");
  const place = { cwd: currentDirectory(), env: process.env, file };
  const kept = await keepTrust(place, change);
  if (kept === "untrusted") {
    writeError(`${COMMAND}: it takes effect once you trust the project: ${COMMAND} trust allow\n`);
  }
}

function rowOf(key: string, table: KnownRows): SettingRow {
  const row = table.row(key);
  if (!row) throw unknownKey(key, table);
  return row;
}

function unknownKey(key: string, table: KnownRows): UserError {
  const near = suggest(key, table.keys());
  const hint = near ? `did you mean ${near}?` : `\`${COMMAND} config list\` shows them all`;
  return new UserError(`there is no setting ${key}; ${hint}`, EXIT.usage);
}

function unknownVerb(verb: string): UsageError {
  const near = suggest(verb, CONFIG_VERBS);
  const hint = near ? `did you mean "${near}"?` : `there are ${CONFIG_VERBS.join(", ")}`;
  return new UsageError(`unknown verb "${verb}"; ${hint}`, usage());
}

function usage(): string {
  return usageLine(findCommand("config")!);
}

function kindOf(row: SettingRow): string {
  if (row.type === "enum") return row.values.join(", ");
  return row.type === "number" && row.unit ? `number, ${row.unit}` : row.type;
}

function printed(value: unknown): string {
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}
