// Entries of versions 1 to 3, one after the other, in the form of version 4. Those versions
// hung labels into the conversation and kept leaf moves in memory; here a label stands
// beside the tree, so its children move up to its parent. Whatever is not understood
// becomes a `custom` entry with the original in it.

import { THINKING_LEVELS, type ThinkingLevel } from "@tau/ai/model";
import type { NewEntry, SessionEntry } from "../../entry.ts";
import { newEntry } from "../flag-aside.ts";
import { isRecord } from "../line.ts";
import { leafAfter } from "../stored-entry.ts";
import { convertMessage } from "./convert-message.ts";
import { convertSpoken, customMessage } from "./convert-spoken.ts";

type Json = Record<string, unknown>;

/** Unlike the hexadecimal ids of those versions, so that the two do not meet. */
const ID_PREFIX = "m";
const ID_DIGITS = 7;
/** A rough measure where the older format did not count. */
const CHARACTERS_PER_TOKEN = 4;

export class LegacyConverter {
  readonly #version: 1 | 2 | 3;
  readonly #started: string;
  readonly #taken = new Set<string>();
  /** Parents of entries that no longer stand in the tree. */
  readonly #aside = new Map<string, string | null>();
  /** Ids by line, the header being 0: how version 1 refers to entries. */
  readonly #byIndex: (string | undefined)[] = [undefined];
  #leaf: string | null = null;
  #generated = 0;

  constructor(version: 1 | 2 | 3, header: Json) {
    this.#version = version;
    this.#started = isoTime(header.timestamp) ?? new Date(0).toISOString();
  }

  /** The title that a header of version 3 holds. */
  *title(header: Json): Generator<SessionEntry> {
    if (typeof header.title !== "string" || header.title === "") return;
    const source = header.titleSource === "user" ? "user" : "auto";
    yield this.#place({ type: "title", title: header.title, source }, null, {}, this.#newId());
  }

  *convert(raw: Json): Generator<SessionEntry> {
    // Before its own id is known: a parent stands earlier in the file.
    const parentId = this.#version === 1 ? this.#leaf : this.#resolve(raw.parentId);
    const id = this.#idOf(raw);
    this.#byIndex.push(id);
    const entry = this.#convertPayload(raw);
    if (entry.type === "label" || entry.type === "title") {
      this.#aside.set(id, parentId);
      // It was written where the user stood; without this the position would be lost.
      if (parentId !== this.#leaf) {
        const move: NewEntry = { type: "leaf", leafId: parentId, reason: "migrated" };
        yield this.#place(move, this.#leaf, raw, this.#newId());
      }
    }
    yield this.#place(entry, parentId, raw, id);
  }

  #place(entry: NewEntry, parentId: string | null, raw: Json, id: string): SessionEntry {
    const timestamp = isoTime(raw.timestamp) ?? this.#started;
    const placed = newEntry(entry, { id, parentId, timestamp });
    this.#leaf = leafAfter(placed);
    return placed;
  }

  #idOf(raw: Json): string {
    const { id } = raw;
    if (this.#version === 1 || typeof id !== "string" || id === "" || this.#taken.has(id)) {
      return this.#newId();
    }
    this.#taken.add(id);
    return id;
  }

  #newId(): string {
    for (;;) {
      this.#generated += 1;
      const id = ID_PREFIX + this.#generated.toString(16).padStart(ID_DIGITS, "0");
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }

  /** A parent that is not there makes a root, as it did in those versions. */
  #resolve(parentId: unknown): string | null {
    if (typeof parentId !== "string" || !this.#taken.has(parentId)) return null;
    return this.#aside.has(parentId) ? (this.#aside.get(parentId) ?? null) : parentId;
  }

  #convertPayload(raw: Json): NewEntry {
    return this.#knownPayload(raw) ?? unknownEntry(raw);
  }

  #knownPayload(raw: Json): NewEntry | undefined {
    const { type } = raw;
    switch (type) {
      case "message":
        return convertMessageEntry(raw);
      case "compaction":
        return this.#convertCompaction(raw);
      case "custom_message":
        return customMessage(raw);
      case "label": {
        if (typeof raw.targetId !== "string") return undefined;
        const label = typeof raw.label === "string" && raw.label !== "" ? raw.label : undefined;
        return { type, targetId: raw.targetId, label };
      }
      case "session_info":
        if (typeof raw.name !== "string") return undefined;
        return { type: "title", title: raw.name, source: "user" };
      default:
        return convertState(raw);
    }
  }

  #convertCompaction(raw: Json): NewEntry | undefined {
    const { summary, tokensBefore } = raw;
    if (typeof summary !== "string") return undefined;
    const index = raw.firstKeptEntryIndex;
    const kept = typeof index === "number" ? this.#byIndex[index] : raw.firstKeptEntryId;
    // Without it nothing before the summary was kept.
    const firstKeptEntryId = this.#resolve(kept) ?? this.#byIndex.at(-1)!;
    return {
      type: "compaction",
      summary,
      firstKeptEntryId,
      tokensBefore: typeof tokensBefore === "number" ? tokensBefore : 0,
      tokensAfter: Math.ceil(summary.length / CHARACTERS_PER_TOKEN),
      shortSummary: typeof raw.shortSummary === "string" ? raw.shortSummary : undefined,
      details: raw.details,
      preserveData: isRecord(raw.preserveData) ? raw.preserveData : undefined,
      fromExtension: raw.fromExtension === true || raw.fromHook === true ? true : undefined,
    };
  }
}

function unknownEntry(raw: Json): NewEntry {
  const type = typeof raw.type === "string" ? raw.type : "entry";
  return { type: "custom", customType: `legacy.${type}`, data: raw };
}

function isoTime(value: unknown): string | undefined {
  const time = typeof value === "string" || typeof value === "number" ? new Date(value) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}

function convertMessageEntry(raw: Json): NewEntry | undefined {
  if (!isRecord(raw.message)) return undefined;
  const converted = convertMessage(raw.message, Date.parse(isoTime(raw.timestamp) ?? "") || 0);
  if (!converted) return convertSpoken(raw.message);
  const { message, rest } = converted;
  // An extra key of the entry: the message itself goes to models and stays clean.
  const extra = Object.keys(rest).length === 0 ? {} : { legacy: rest };
  return { type: "message", message, ...extra };
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Entries that say the same in version 4, where they are well formed. */
function convertState(raw: Json): NewEntry | undefined {
  const { type } = raw;
  switch (type) {
    case "branch_summary": {
      const { summary, fromId, details } = raw;
      if (typeof summary !== "string" || typeof fromId !== "string") return undefined;
      const origin = raw.fromExtension === true || raw.fromHook === true;
      return {
        type,
        summary,
        fromId,
        details,
        fromExtension: origin ? true : undefined,
      };
    }
    case "model_change": {
      const model = modelName(raw);
      const role = typeof raw.role === "string" ? raw.role : "default";
      return model === undefined ? undefined : { type, model, role };
    }
    case "thinking_level_change":
      return isThinkingLevel(raw.thinkingLevel)
        ? { type, thinkingLevel: raw.thinkingLevel }
        : undefined;
    case "custom": {
      if (typeof raw.customType !== "string") return undefined;
      const { customType, data } = raw;
      return { type, customType, data };
    }
    case "ttsr_injection":
      return isNames(raw.injectedRules) ? { type, injectedRules: raw.injectedRules } : undefined;
    default:
      return undefined;
  }
}

function modelName(raw: Json): string | undefined {
  if (typeof raw.model === "string") return raw.model;
  const { provider, modelId } = raw;
  const isNamed = typeof provider === "string" && typeof modelId === "string";
  return isNamed ? `${provider}/${modelId}` : undefined;
}

function isThinkingLevel(value: unknown): value is ThinkingLevel {
  return THINKING_LEVELS.some((level) => level === value);
}
