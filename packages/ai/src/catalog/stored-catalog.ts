// How the entries of a provider are stored: a line per model, because there are thousands
// of them and a reader of a diff wants to see which one changed.
//
//   "gpt-5.5": "1050000 128000 i2345 5/30/0.5 #1 >gpt-5.4 | GPT-5.5"
//
// Context, output, `i` for images and the ranks of the thinking levels (`-` for neither),
// the prices in the order of `ModelCost` without the zeros at the end, then, where there
// are any, the number of its quirks, its promotion target, its wire; and its name, where
// that is not the id.

import { THINKING_LEVELS } from "../model.ts";
import type { WireId } from "../wire.ts";
import type { CatalogEntry } from "./catalog-entry.ts";

type Quirks = Readonly<Record<string, unknown>>;

export interface StoredCatalog {
  /** Numbered; many models share them. */
  quirks: Readonly<Record<string, Quirks>>;
  models: Readonly<Record<string, string>>;
}

const NAME_MARK = " | ";

export function storeCatalog(entries: readonly CatalogEntry[]): StoredCatalog {
  const numbers = new Map<string, number>();
  const quirks: Record<string, Quirks> = {};
  const models: Record<string, string> = {};
  for (const entry of entries) {
    const { id, name, contextWindow, maxOutput, input, thinking = [], cost } = entry;
    const ranks = thinking.map((level) => THINKING_LEVELS.indexOf(level)).join("");
    const prices = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite];
    const words = [
      String(contextWindow),
      String(maxOutput),
      (input.includes("image") ? "i" : "") + ranks || "-",
      prices.slice(0, Math.max(1, prices.findLastIndex((price) => price !== 0) + 1)).join("/"),
    ];
    if (entry.quirks) {
      const text = JSON.stringify(entry.quirks);
      const number = numbers.get(text) ?? numbers.size + 1;
      numbers.set(text, number);
      quirks[number] = entry.quirks;
      words.push(`#${number}`);
    }
    if (entry.promotionTarget) words.push(`>${entry.promotionTarget}`);
    if (entry.wire) words.push(`@${entry.wire}`);
    models[id] = words.join(" ") + (name === id ? "" : NAME_MARK + name);
  }
  return { quirks, models };
}

export function readCatalog({ quirks, models }: StoredCatalog): CatalogEntry[] {
  return Object.entries(models).map(([id, line]) => {
    const mark = line.indexOf(NAME_MARK);
    const words = (mark < 0 ? line : line.slice(0, mark)).split(" ");
    const [context, maxOutput, abilities = "", prices = "", ...rest] = words;
    const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = prices.split("/").map(Number);
    const entry: CatalogEntry = {
      id,
      name: mark < 0 ? id : line.slice(mark + NAME_MARK.length),
      contextWindow: Number(context),
      maxOutput: Number(maxOutput),
      input: abilities.startsWith("i") ? ["text", "image"] : ["text"],
      cost: { input, output, cacheRead, cacheWrite },
    };
    const ranks = abilities.match(/\d/g);
    if (ranks) entry.thinking = ranks.map((rank) => THINKING_LEVELS[Number(rank)]!);
    for (const word of rest) {
      const value = word.slice(1);
      if (word.startsWith("#")) entry.quirks = quirks[value]!;
      else if (word.startsWith(">")) entry.promotionTarget = value;
      else entry.wire = value as WireId;
    }
    return entry;
  });
}
