// What `tau plugin` and `/plugins` say of plugins. Every word of a plugin is a stranger's and made harmless first.

import { hidePasswords } from "../../base/hide-passwords.ts";
import type { Style } from "../../base/style.ts";
import { KINDS } from "../../discovery/kinds.ts";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { padded, shownText } from "../../discovery/shown-text.ts";
import type { PluginItem } from "./describe-plugin.ts";
import type { PreparedPlugin } from "./prepare-plugin.ts";
import { wrapped } from "../../trust/show-sources.ts";

const NAME_COLUMNS = 28;
const MAX_DESCRIPTION = 300;

type Looks = Pick<Style, "bold" | "dim">;

/** Where colours are somebody else's to choose. */
export const PLAIN_LOOKS: Looks = { bold: (text) => text, dim: (text) => text };

type Shown = Pick<PreparedPlugin, "name" | "contents" | "description">;

export function pluginInWords({ name, contents, description }: Shown, style: Looks): string {
  const { version, unused, missing, features, settings } = contents;
  const title = version === undefined ? name : `${name} ${version}`;
  const lines = [style.bold(shownText(title))];
  if (contents.description !== undefined) {
    lines.push(...wrapped(shownText(contents.description, MAX_DESCRIPTION), "  "));
  }
  lines.push("", style.bold("It brings"));
  for (const [kind, items] of Map.groupBy(description.items, (one) => one.kind)) {
    const names = items.map((one) => one.name).join(", ");
    lines.push(...wrapped(`${KINDS[kind].title}: ${shownText(names)}`, "  "));
  }
  for (const { path, heldBack } of description.items) {
    if (heldBack !== undefined) {
      lines.push(...wrapped(`not used: ${shownText(path)}: ${shownText(heldBack)}`, "  "));
    }
  }
  for (const one of unused) lines.push(`  not used by Tau: ${one}`);
  for (const one of missing) lines.push(...wrapped(`not there: ${shownText(one)}`, "  "));
  const runs = description.items.filter((one) => one.runs.length > 0);
  lines.push("", style.bold("It may run"));
  if (runs.length === 0) lines.push("  nothing");
  for (const item of runs) lines.push(...runLines(item));
  if (contents.hasDependencies) {
    lines.push("  packages from the registry come with it; scripts of packages are not run");
  }
  if (features.length > 0) {
    lines.push("", style.bold("Features"));
    for (const { name: feature, description: words, isDefault } of features) {
      const mark = isDefault ? " (on)" : "";
      lines.push(...wrapped(shownText(`${feature}${mark}: ${words}`), "  "));
    }
  }
  if (settings.length > 0) {
    lines.push("", style.bold("Settings"));
    for (const { key, description: words, isRequired } of settings) {
      lines.push(...wrapped(shownText(`${key}${isRequired ? " (needed)" : ""}: ${words}`), "  "));
    }
  }
  lines.push("", style.bold("It costs"), `  ${costInWords(description)}`);
  return `${lines.join("\n")}\n`;
}

function costInWords(cost: { alwaysTokens: number; useTokens: number }): string {
  const { alwaysTokens, useTokens } = cost;
  return `about ${alwaysTokens} tokens in every prompt, up to ${useTokens} when all of it is used`;
}

export function runLines({ kind, name, path, runs }: PluginItem): string[] {
  const lines = wrapped(`${KINDS[kind].one} ${shownText(name)} (${shownText(path)})`, "  ");
  for (const run of runs) lines.push(...wrapped(shownText(run), "      "));
  return lines;
}

export interface ListedPlugin extends LockedPlugin {
  scope: "user" | "project";
}

export function listInWords(plugins: readonly ListedPlugin[], style: Looks): string {
  if (plugins.length === 0) return "No plugins are installed.\n";
  const lines = plugins.map(({ name, version, resolved, source, link, isEnabled, scope }) => {
    const about = version ?? resolved?.slice(0, 12) ?? "";
    const marks = [isEnabled ? "" : "disabled", scope === "project" ? "project" : ""];
    const words = [about, ...marks, link ?? hidePasswords(source)].filter((one) => one !== "");
    const line = `${padded(shownText(name, NAME_COLUMNS), NAME_COLUMNS)} ${shownText(words.join("  "))}`;
    return isEnabled ? line : style.dim(line);
  });
  return `${lines.join("\n")}\n`;
}
