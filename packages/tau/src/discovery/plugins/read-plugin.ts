// What a plugin brings, from its manifest and its directories, as rows for discovery. Nothing of it is run,
// and nothing that it names may lie outside of it.

import { realpath } from "node:fs/promises";
import { serverParts } from "./document-parts.ts";
import { PART_KEYS, PART_KINDS, type PartKey, type PluginPart } from "./part-kinds.ts";
import { isRecord, readPluginManifest, type PluginManifest } from "./plugin-manifest.ts";
import { pathInside } from "./plugin-path.ts";

export interface PluginFeature {
  name: string;
  description: string;
  /** Wanted unless somebody says otherwise. */
  isDefault: boolean;
}

export interface PluginSetting {
  key: string;
  description: string;
  isRequired: boolean;
}

export interface PluginContents extends PluginManifest {
  parts: readonly PluginPart[];
  features: readonly PluginFeature[];
  settings: readonly PluginSetting[];
  /** What it brings that Tau has no use for, in words. */
  unused: readonly string[];
  /** What its manifest names and is not there. */
  missing: readonly string[];
}

export interface PluginWish {
  /** Those of its features that are wanted; without, the default ones. */
  features?: readonly string[];
  only?: "skills";
}

/** Of Claude Code's manifest: named ones take the place of the usual directory, or come on top of it. */
const REPLACING: ReadonlySet<PartKey> = new Set(["commands", "agents", "themes"]);
/** What a manifest for Claude Code knows of; its other directories are anything. */
const CLAUDE_KEYS: ReadonlySet<PartKey> = new Set(["commands", "agents", "skills", "themes"]);

/** Parts of Claude Code's plugins that do nothing here. */
const UNUSED: Readonly<Record<string, string>> = {
  outputStyles: "output styles",
  monitors: "monitors",
  workflows: "workflows",
  channels: "channels",
  settings: "default settings",
};

/** Rejects with `BadManifest` and `LeadsOut`. */
export async function readPlugin(given: string, wish: PluginWish = {}): Promise<PluginContents> {
  const root = await realpath(given);
  const manifest = await readPluginManifest(root);
  const reading = new Reading(root, manifest);
  if (wish.only === "skills") await reading.skillsAnywhere();
  else {
    if (manifest.claude) await reading.claude(manifest.claude);
    if (manifest.family || !manifest.claude) await reading.family(manifest.family ?? {}, wish);
    for (const part of await serverParts(root, manifest)) reading.parts.push(part);
    await reading.indexAlone();
  }
  const features = featuresOf(manifest);
  const unused = Object.entries(UNUSED).flatMap(([key, words]) =>
    manifest.claude?.[key] === undefined ? [] : [words],
  );
  return {
    ...manifest,
    parts: reading.parts,
    features,
    settings: settingsOf(manifest),
    unused,
    missing: reading.missing,
  };
}

class Reading {
  readonly parts: PluginPart[] = [];
  readonly missing: string[] = [];
  readonly #patterns = new Set<string>();
  readonly #root: string;
  readonly #hasClaude: boolean;

  constructor(root: string, { claude }: PluginManifest) {
    this.#root = root;
    this.#hasClaude = claude !== undefined;
  }

  async claude(manifest: Readonly<Record<string, unknown>>): Promise<void> {
    for (const key of CLAUDE_KEYS) {
      const named = manifest[key];
      if (named === undefined || !REPLACING.has(key)) this.#directory(key, key);
      if (isRecord(named)) await this.#mapped(key, named);
      else for (const path of texts(named)) await this.#path(key, path);
      // Some write the map as a list.
      for (const one of Array.isArray(named) ? named.filter(isRecord) : []) {
        await this.#mapped(key, { [words(one.name)]: { source: one.source ?? one.file } });
      }
    }
    // A plugin that is one skill.
    this.#add("skills", "SKILL.md");
  }

  async family(manifest: Readonly<Record<string, unknown>>, wish: PluginWish): Promise<void> {
    const wanted = featuresIn(manifest).filter(({ name, isDefault }) =>
      wish.features ? wish.features.includes(name) : isDefault,
    );
    const features = isRecord(manifest.features) ? manifest.features : {};
    for (const key of PART_KEYS) {
      const named = manifest[key];
      if (named === undefined) this.#directory(key, key);
      for (const path of texts(named)) await this.#path(key, path);
      for (const { name } of wanted) {
        const feature = features[name];
        for (const path of texts(isRecord(feature) ? feature[key] : []))
          await this.#path(key, path);
      }
    }
    this.#add("skills", "SKILL.md");
  }

  /** However a repository of skills is laid out. */
  async skillsAnywhere(): Promise<void> {
    const { file } = PART_KINDS.skills;
    const patterns = ["SKILL.md", "*/SKILL.md", "skills/**/SKILL.md", ".claude/skills/*/SKILL.md"];
    this.parts.push({ ...file, patterns, isNamespace: false });
  }

  /** A package that brings nothing else is a module. */
  async indexAlone(): Promise<void> {
    if (this.#hasClaude || (await this.#bringsAnything())) return;
    this.#add("extensions", "index.{ts,js}");
  }

  async #bringsAnything(): Promise<boolean> {
    for (const { patterns } of this.parts) {
      for (const pattern of patterns) {
        const found = new Bun.Glob(pattern).scan({ cwd: this.#root, dot: true });
        if (!(await found.next()).done) return true;
      }
    }
    return false;
  }

  async #mapped(key: PartKey, named: Record<string, unknown>): Promise<void> {
    for (const [name, one] of Object.entries(named)) {
      const path = isRecord(one) ? one.source : one;
      if (typeof path === "string") await this.#path(key, path, name);
      else this.missing.push(`${key}.${name}, which has no file of its own`);
    }
  }

  async #path(key: PartKey, named: string, fixedName?: string): Promise<void> {
    // As npm's own patterns leave something out again; then it is not named.
    if (named.startsWith("!")) return;
    const { path, kind } = await pathInside(this.#root, named, key);
    if (kind === "absent") this.missing.push(`${named} (${key})`);
    else if (kind === "directory") await this.#named(key, path);
    else this.#add(key, path, fixedName);
  }

  /** A directory that a manifest names is a module if it has an index. */
  async #named(key: PartKey, path: string): Promise<void> {
    if (!PART_KINDS[key].isCode) return this.#directory(key, path, { isNamed: true });
    for (const index of ["index.ts", "index.js"]) {
      const inside = path === "." ? index : `${path}/${index}`;
      if ((await pathInside(this.#root, inside, key)).kind === "file")
        return this.#add(key, inside);
    }
    this.#directory(key, path, { isNamed: true });
  }

  #directory(key: PartKey, path: string, { isNamed = false } = {}): void {
    const { directory, isNamespace } = PART_KINDS[key];
    const prefix = path === "." ? "" : `${path}/`;
    for (const { below, ...part } of directory) {
      // The usual directory of skills holds directories; a skill of its own is named.
      const wanted = below.filter((one) => isNamed || one !== "SKILL.md");
      const patterns = wanted
        .map((one) => prefix + one)
        .filter((one) => this.#isNew(part.kind, one));
      if (patterns.length === 0) continue;
      this.parts.push({ ...part, patterns, isNamespace: isNamespace || this.#isSpace(key) });
    }
  }

  #add(key: PartKey, path: string, fixedName?: string): void {
    const { file, isNamespace } = PART_KINDS[key];
    if (!this.#isNew(file.kind, path) && fixedName === undefined) return;
    this.parts.push({
      ...file,
      fixedName,
      patterns: [path],
      isNamespace: isNamespace || this.#isSpace(key),
    });
  }

  /** Manifests often name the usual directory as well: nothing is looked for twice. */
  #isNew(kind: string, pattern: string): boolean {
    const known = this.#patterns.size;
    return this.#patterns.add(`${kind} ${pattern}`).size > known;
  }

  /** Users of such plugins type `/plugin:command`. */
  #isSpace(key: PartKey): boolean {
    return this.#hasClaude && key === "commands";
  }
}

function texts(named: unknown): string[] {
  return [named].flat().filter((one): one is string => typeof one === "string");
}

function featuresOf({ family, claude }: PluginManifest): PluginFeature[] {
  return [...featuresIn(family ?? {}), ...featuresIn(claude ?? {})];
}

function featuresIn({ features }: Readonly<Record<string, unknown>>): PluginFeature[] {
  if (!isRecord(features)) return [];
  return Object.entries(features).flatMap(([name, one]) => {
    if (!isRecord(one)) return [];
    const { description, default: isDefault } = one;
    return [{ name, description: words(description), isDefault: isDefault === true }];
  });
}

function settingsOf({ family, claude }: PluginManifest): PluginSetting[] {
  return [family?.settings, claude?.userConfig].filter(isRecord).flatMap((settings) =>
    Object.entries(settings).flatMap(([key, one]) => {
      if (!isRecord(one)) return [];
      const { description, title, required } = one;
      return [{ key, description: words(description ?? title), isRequired: required === true }];
    }),
  );
}

function words(value: unknown): string {
  return typeof value === "string" ? value : "";
}
