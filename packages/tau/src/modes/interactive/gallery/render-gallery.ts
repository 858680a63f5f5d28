// Draws items of the gallery, each under a rule with its full name.

import { clampRow } from "@tau/tui/width";
import type { GalleryItem, GalleryLook, GallerySection } from "./gallery-section.ts";

export interface NamedItem {
  /** `section/item`. */
  name: string;
  item: GalleryItem;
}

export function namedItems(gallery: readonly GallerySection[]): NamedItem[] {
  return gallery.flatMap((section) =>
    section.items.map((item) => ({ name: `${section.name}/${item.name}`, item })),
  );
}

/** A section, an item, or an item of a section; none where nothing has that name. */
export function chosenItems(gallery: readonly GallerySection[], wanted: string): NamedItem[] {
  return namedItems(gallery).filter(({ name }) => {
    const [section, item] = name.split("/");
    return name === wanted || section === wanted || item === wanted;
  });
}

export async function renderItem({ name, item }: NamedItem, look: GalleryLook): Promise<string[]> {
  const { rule } = look.theme.symbols;
  const head = `${rule}${rule} ${name} `;
  const line = `${head}${rule.repeat(Math.max(0, look.columns - head.length))}`;
  const rows = await item.rows(look);
  return [look.theme.style("border")(clampRow(line, look.columns)), ...rows, ""];
}
