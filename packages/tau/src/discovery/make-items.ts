// From a file that a row found to the items in it: the name, the frontmatter or the entries, and
// whether something about it must be held back. What leads out of the project is never opened.

import { basename } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../base/is-below.ts";
import type { DirectoryReader } from "./directory-reader.ts";
import { mapAt, parseDocument, type ParsedDocument } from "./document.ts";
import type { Candidate } from "./expand-pattern.ts";
import { parseFrontmatter } from "./frontmatter.ts";
import type { DiscoveredItem, HeldBack, ItemLevel } from "./item.ts";
import { nameOf, whyRefused } from "./item-name.ts";
import { MAX_DOCUMENT_BYTES, MAX_ENTRIES, MAX_FRONTMATTER_BYTES } from "./limits.ts";
import { NotAFile, readBounded } from "../base/read-bounded.ts";
import { fillPlugin } from "./plugins/fill-plugin.ts";
import { isInPackages } from "./plugins/plugin-path.ts";
import type { DiscoveryRow } from "./row.ts";

export interface FoundAt {
  level: ItemLevel;
  depth: number;
  /** What may not be left, for a project. */
  root: string | undefined;
}

/** Only these begin with frontmatter; a program may begin with anything. */
const WITH_FRONTMATTER = /\.(?:md|mdc|txt)$|^\.\w+rules$/;

export class ItemMaker {
  readonly #reader: DirectoryReader;
  /** One file may hold the items of several rows. */
  readonly #documents = new Map<string, Promise<ParsedDocument | undefined>>();

  constructor(reader: DirectoryReader) {
    this.#reader = reader;
  }

  async items(row: DiscoveryRow, candidate: Candidate, at: FoundAt): Promise<DiscoveredItem[]> {
    const { path, holder } = candidate;
    const realPath = await this.#reader.real(path);
    if (realPath === undefined) return [];
    const name = namespaced(row, row.fixedName ?? nameOf(candidate, row.name));
    const item: DiscoveredItem = {
      kind: row.kind,
      name,
      source: row.source,
      level: at.level,
      path,
      // Code of a plugin may load anything of it.
      holder: row.plugin?.root ?? holder,
      depth: at.depth,
      frontmatter: {},
      addsUp: row.addsUp,
      isInert: row.isInert ?? false,
      isShadowed: false,
      ...(row.bodyKey !== undefined && { bodyKey: row.bodyKey }),
      ...(row.variant !== undefined && { variant: row.variant }),
      ...(row.plugin && { plugin: row.plugin }),
    };
    if (at.root !== undefined && !isBelow(realPath, at.root)) {
      const whose = row.plugin ? "plugin" : "project";
      return [{ ...item, heldBack: { reason: "outside", why: `it leads out of the ${whose}` } }];
    }
    if (row.plugin && isInPackages(realPath, row.plugin.root)) {
      return [{ ...item, heldBack: { reason: "outside", why: "it leads into node_modules" } }];
    }
    const real = { ...item, realPath };
    if (row.members !== undefined) {
      const way = row.members.split(".").filter((one) => one !== "");
      return this.#members(real, way);
    }
    const frontmatter = await this.#frontmatter(row, path, realPath);
    if (frontmatter === undefined) return [];
    const own = row.ownName ? frontmatter.name : undefined;
    const hasOwn = typeof own === "string" && own.trim() !== "";
    const called = hasOwn ? namespaced(row, own.trim()) : name;
    const heldBack = refusal(called) ?? incomplete(row, frontmatter);
    return [{ ...real, name: called, frontmatter, ...(heldBack && { heldBack }) }];
  }

  async #members(item: DiscoveredItem, path: readonly string[]): Promise<DiscoveredItem[]> {
    const data = await this.#document(item.path, item.realPath!);
    const found = data && mapAt(data, path);
    if (!found) return [];
    if (!found.ok) {
      this.#report(item.path, `${path.join(".")}: expected a map of names to values`);
      return [];
    }
    const entries = Object.entries(found.map);
    if (entries.length > MAX_ENTRIES) {
      this.#report(item.path, `only the first ${MAX_ENTRIES} of ${entries.length} are read`);
    }
    return entries.slice(0, MAX_ENTRIES).map(([name, value]) => {
      const heldBack = refusal(name);
      const meant = item.plugin ? fillPlugin(value, item.plugin) : value;
      const member = { path: [...path, name], value: meant };
      return { ...item, name, member, ...(heldBack && { heldBack }) };
    });
  }

  async #frontmatter(
    row: DiscoveryRow,
    path: string,
    realPath: string,
  ): Promise<Record<string, unknown> | undefined> {
    if (row.bodyKey !== undefined) {
      const data = await this.#document(path, realPath);
      if (!data) return undefined;
      const { [row.bodyKey]: _, ...attributes } = data;
      return attributes;
    }
    if (!WITH_FRONTMATTER.test(basename(path))) return {};
    const head = await this.#read(path, realPath, MAX_FRONTMATTER_BYTES);
    if (!head) return undefined;
    const { attributes, problems } = parseFrontmatter(head.text);
    for (const { line, message } of problems) this.#report(path, message, line);
    return attributes;
  }

  async #document(path: string, realPath: string): Promise<Record<string, unknown> | undefined> {
    const before = this.#documents.get(realPath);
    const parsing = before ?? this.#parse(path, realPath);
    this.#documents.set(realPath, parsing);
    const parsed = await parsing;
    return parsed?.ok ? parsed.data : undefined;
  }

  async #parse(path: string, realPath: string): Promise<ParsedDocument | undefined> {
    const whole = await this.#read(path, realPath, MAX_DOCUMENT_BYTES);
    if (!whole) return undefined;
    if (whole.isCut) {
      this.#report(path, `is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB and was not read`);
      return undefined;
    }
    const parsed = await parseDocument(path, whole.text);
    if (!parsed.ok) this.#report(path, parsed.message, parsed.line);
    return parsed;
  }

  async #read(path: string, realPath: string, maxBytes: number) {
    if (this.#reader.isLate(path)) return undefined;
    try {
      return await readBounded(realPath, maxBytes);
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined && !(error instanceof NotAFile)) throw error;
      this.#report(path, `cannot be read (${code ?? "not a file"})`);
      return undefined;
    }
  }

  #report(file: string, message: string, line?: number): void {
    this.#reader.report({
      file,
      severity: "warning",
      message,
      ...(line !== undefined && { line }),
    });
  }
}

function namespaced({ plugin }: DiscoveryRow, name: string): string {
  if (!plugin?.isNamespace) return name;
  // A scope's slash would be a path, and nobody could type it after the slash of a command.
  return `${plugin.name.replace(/^@/, "").replace("/", ".")}:${name}`;
}

function refusal(name: string): HeldBack | undefined {
  const why = whyRefused(name);
  return why === undefined ? undefined : { reason: "name", why };
}

function incomplete(
  { needs = [] }: DiscoveryRow,
  frontmatter: Record<string, unknown>,
): HeldBack | undefined {
  const missing = needs.find((key) => {
    const value = frontmatter[key];
    return typeof value !== "string" || value.trim() === "";
  });
  if (missing === undefined) return undefined;
  return { reason: "incomplete", why: `it has no ${missing}; add one to its frontmatter` };
}
