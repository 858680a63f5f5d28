// `tau plugin marketplace` and `tau plugin search`: catalogs, and what is in them.

import { writeOutput } from "../../base/output.ts";
import { padded, shownJson, shownText } from "../../discovery/shown-text.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import type { Catalog, CatalogEntry } from "../../extend/plugins/marketplace-catalog.ts";
import { UsageError } from "../../user-error.ts";
import { wrapped } from "../../trust/show-sources.ts";
import type { PluginCommand } from "./plugin-place.ts";

export const MARKETPLACE_VERBS = ["add", "list", "update", "remove"] as const;

const NAME_COLUMNS = 28;
const MAX_DESCRIPTION = 300;

export async function marketplace(
  command: PluginCommand,
  [verb = "list", given]: readonly string[],
): Promise<ExitCode> {
  const { markets, isJson } = command;
  switch (verb) {
    case "list": {
      const all = await markets.all();
      const lines = all.map(({ name, source }) => `${column(name)} ${shownText(source)}`);
      const words = lines.length > 0 ? lines.join("\n") : "No marketplaces are known.";
      await writeOutput(isJson ? `${shownJson(all)}\n` : `${words}\n`);
      return EXIT.done;
    }
    case "add": {
      if (given === undefined)
        throw new UsageError("say where it is: tau plugin marketplace add github:owner/repo");
      const { market, catalog } = await markets.add(given);
      await writeOutput(`Added ${market.name}: ${counted(catalog)}, see tau plugin search.\n`);
      for (const one of catalog.problems) await writeOutput(`  left out: ${shownText(one)}\n`);
      return EXIT.done;
    }
    case "update": {
      const names = given === undefined ? (await markets.all()).map(({ name }) => name) : [given];
      for (const name of names) {
        const { catalog } = await markets.update(name);
        await writeOutput(`Updated ${name}: ${counted(catalog)}.\n`);
      }
      return EXIT.done;
    }
    case "remove":
      if (given === undefined)
        throw new UsageError("say which: tau plugin marketplace remove NAME");
      await markets.remove(given);
      await writeOutput(`Removed ${given}; what was installed from it stays.\n`);
      return EXIT.done;
    default:
      throw new UsageError(
        `tau plugin marketplace takes ${MARKETPLACE_VERBS.join(", ")}, not ${JSON.stringify(verb)}`,
      );
  }
}

/** Every word has to be somewhere in it. */
export async function search(
  { markets, isJson, style }: PluginCommand,
  words: readonly string[],
): Promise<ExitCode> {
  const found: (Omit<CatalogEntry, "manifest"> & { marketplace: string })[] = [];
  for (const market of await markets.all()) {
    for (const { manifest: _, ...entry } of (await markets.catalog(market)).entries) {
      if (words.every((word) => fits(entry, word)))
        found.push({ ...entry, marketplace: market.name });
    }
  }
  if (isJson) await writeOutput(`${shownJson(found)}\n`);
  else if (found.length === 0) await writeOutput("Nothing was found.\n");
  else {
    for (const { name, marketplace: market, category, description } of found) {
      const about = category === undefined ? "" : `  ${category}`;
      await writeOutput(`${style.bold(shownText(`${name}@${market}`))}${shownText(about)}\n`);
      for (const line of wrapped(shownText(description, MAX_DESCRIPTION), "  ")) {
        await writeOutput(`${line}\n`);
      }
    }
  }
  return found.length > 0 ? EXIT.done : EXIT.failed;
}

function fits(entry: Omit<CatalogEntry, "manifest">, word: string): boolean {
  const { name, description, category = "", tags, author = "" } = entry;
  const all = [name, description, category, author, ...tags].join("\n").toLowerCase();
  return all.includes(word.toLowerCase());
}

function counted({ entries }: Catalog): string {
  return entries.length === 1 ? "1 plugin" : `${entries.length} plugins`;
}

function column(name: string): string {
  return padded(shownText(name, NAME_COLUMNS), NAME_COLUMNS);
}
