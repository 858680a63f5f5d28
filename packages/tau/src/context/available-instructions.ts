// What can be called by name in a prompt: commands, prompts and skills, of the user, the project and
// Tau itself. For lists and completion; it follows the files once somebody has it watch them.

import { partKey } from "../base/part.ts";
import { BUNDLED_COMMANDS } from "./bundled-commands.ts";
import type { DiscoveredItem, ItemLevel } from "../discovery/item.ts";
import type { KindId } from "../discovery/kinds.ts";
import { SOURCES } from "../config/sources.ts";
import type { DiscoveryWatch } from "../discovery/watch-discovered.ts";
import { UserError } from "../user-error.ts";
import {
  discoverInstructions,
  instructionSearch,
  type InstructionPlace,
} from "./discover-instructions.ts";
import { DEFAULT_INSTRUCTIONS } from "./instruction-settings.ts";

export interface AvailableInstruction {
  kind: "command" | "prompt" | "skill";
  /** As it is typed behind the slash: `review`, `skill:pdf`. */
  name: string;
  /** Another name for it: `plugin:skill`. */
  alias?: string;
  /** One line; empty where the file says nothing. */
  description: string;
  /** What may follow the name: `[file]`. */
  argumentHint?: string;
  /** Whose it is, in words: `Tau`, `Claude Code`. */
  source: string;
  /** `bundled`: it comes with Tau. */
  level: ItemLevel | "bundled";
  /** Where it stands; absent for what is bundled. */
  path?: string;
}

/** What can be called by name in a session; absent if the caller brings settings of its own. */
export const AVAILABLE = partKey<AvailableInstructions>("available instructions");

const KINDS = ["commands", "prompts", "skills"] as const satisfies readonly KindId[];
/** Of a first line that stands in for a description. */
const MAX_DESCRIPTION = 60;

type Listener = (all: readonly AvailableInstruction[]) => void;

export class AvailableInstructions implements AsyncDisposable {
  readonly #place: InstructionPlace;
  readonly #listeners = new Set<Listener>();
  #current: readonly AvailableInstruction[] = [];
  #looking: Promise<void> | undefined;
  #watch: Promise<DiscoveryWatch> | undefined;
  #isClosed = false;

  constructor(place: InstructionPlace) {
    this.#place = place;
  }

  /** As of the last look; empty before the first. */
  get current(): readonly AvailableInstruction[] {
    return this.#current;
  }

  /** Told after every look that found something else. Returns the way to stop. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks once, and again whenever files come, go or change, until it is disposed of. */
  async start(): Promise<void> {
    this.#watch ??= this.#startWatch();
    await this.#watch;
    await this.refresh();
  }

  /** Looks now. Whoever asks during a look is told of a later one. */
  async refresh(): Promise<void> {
    const before = this.#looking;
    const own = (async () => {
      await before;
      await this.#look();
    })();
    this.#looking = own;
    await own;
  }

  async #startWatch(): Promise<DiscoveryWatch> {
    const { watchDiscovered } = await import("../discovery/watch-discovered.ts");
    return watchDiscovered({
      ...instructionSearch(this.#place, KINDS),
      onChange: () => void this.refresh(),
    });
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    const found = await availableInstructions(this.#place);
    if (this.#isClosed || JSON.stringify(found) === JSON.stringify(this.#current)) return;
    this.#current = found;
    for (const listener of this.#listeners) listener(found);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    await (await this.#watch)?.[Symbol.asyncDispose]();
    await this.#looking;
  }
}

/** By name. */
export async function availableInstructions(
  place: InstructionPlace,
): Promise<AvailableInstruction[]> {
  const { items, places } = await discoverInstructions(place, KINDS);
  const { skills } = place.settings ?? DEFAULT_INSTRUCTIONS;
  const wanted = items.filter(
    ({ kind, frontmatter }) =>
      kind !== "skills" || (skills.enableSkillCommands && frontmatter["user-invocable"] !== false),
  );
  const found = await Promise.all(wanted.map((item) => describe(item, places.root)));
  const names = new Set(found.map(({ name }) => name));
  const bundled = BUNDLED_COMMANDS.filter(({ name }) => !names.has(name)).map(
    ({ name, description, argumentHint }): AvailableInstruction => ({
      kind: "command",
      name,
      description,
      argumentHint,
      source: SOURCES.tau.title,
      level: "bundled",
    }),
  );
  // Where a command and a prompt have one name, the command is what is called.
  const first = new Map([...bundled, ...found.toReversed()].map((one) => [one.name, one]));
  return [...first.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const SHOWN_KINDS = { commands: "command", prompts: "prompt", skills: "skill" } as const;

async function describe(item: DiscoveredItem, root: string): Promise<AvailableInstruction> {
  const { frontmatter, source, level, path } = item;
  const kind = SHOWN_KINDS[item.kind as keyof typeof SHOWN_KINDS];
  const hint = frontmatter["argument-hint"];
  const argumentHint = Array.isArray(hint) ? hint.map((one) => `[${one}]`).join(" ") : hint;
  const { description } = frontmatter;
  return {
    kind,
    name: kind === "skill" ? `skill:${item.name}` : item.name,
    alias: kind === "skill" && item.plugin ? `${item.plugin.name}:${item.name}` : undefined,
    description:
      typeof description === "string" && description.trim() !== ""
        ? oneLine(description)
        : await firstLine(item, root),
    argumentHint: typeof argumentHint === "string" ? oneLine(argumentHint) : undefined,
    source: SOURCES[source].title,
    level,
    path,
  };
}

async function firstLine(item: DiscoveredItem, root: string): Promise<string> {
  const { loadBody } = await import("../discovery/load-body.ts");
  try {
    const { text } = await loadBody(item, root);
    const line = oneLine(text.split("\n").find((one) => one.trim() !== "") ?? "");
    return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
  } catch (error) {
    // Gone or locked meanwhile: whoever calls it is told why.
    if (error instanceof UserError) return "";
    throw error;
  }
}

/** Without what would move a cursor: a repository writes these. */
function oneLine(text: string): string {
  return Bun.stripANSI(text)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
}
