// What was found for models, as the user wants it: without the tools that they leave alone, with the
// skills of their own directories, and without those that they ignore.

import { isAbsolute } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { agentDirectory, expandHome, homeOf } from "../config/places.ts";
import { discover, type DiscoverOptions, type Discovery } from "../discovery/discover.ts";
import { isInForce, type DiscoveredItem } from "../discovery/item.ts";
import type { KindId } from "../discovery/kinds.ts";
import type { DiscoveryRow } from "../discovery/row.ts";
import { DISCOVERY_TABLE } from "../discovery/table.ts";
import { shownPath } from "../resources/local-path.ts";
import {
  DEFAULT_INSTRUCTIONS,
  type InstructionSettings,
  type SkillSettings,
} from "./instruction-settings.ts";

export interface InstructionPlace {
  cwd: string;
  env: Environment;
  settings?: InstructionSettings;
}

/** Where to look; the same for finding and for watching. */
export function instructionSearch(
  { cwd, env, settings = DEFAULT_INSTRUCTIONS }: InstructionPlace,
  kinds: readonly KindId[],
): DiscoverOptions {
  return {
    cwd,
    home: homeOf(env),
    agentDirectory: agentDirectory(env),
    kinds,
    disabledSources: settings.disabledSources,
    table: [...DISCOVERY_TABLE, ...ownDirectories(settings.skills, env)],
  };
}

export interface FoundInstructions extends Discovery {
  /** What of a project is left out until the user trusts it, in a sentence. */
  notice?: string | undefined;
}

/** Only what is in force. */
export async function discoverInstructions(
  place: InstructionPlace,
  kinds: readonly KindId[],
): Promise<FoundInstructions> {
  const found = await discover(instructionSearch(place, kinds));
  const { skills } = place.settings ?? DEFAULT_INSTRUCTIONS;
  const { items, notice } = await systemUnderTrust(found.items, place);
  const wanted = items.filter((item) => isInForce(item) && isWanted(item, skills));
  return { ...found, items: wanted, notice };
}

/**
 * A project's system prompt takes the place of Tau's own words, or of the user's: only in a project
 * that the user trusts. Rules that need trust are looked after where they are sorted.
 */
async function systemUnderTrust(
  items: readonly DiscoveredItem[],
  { cwd, env }: InstructionPlace,
): Promise<Pick<FoundInstructions, "items" | "notice">> {
  const isSystem = ({ kind }: DiscoveredItem): boolean => kind === "system";
  const ofProject = items.filter((item) => isSystem(item) && item.level === "project");
  // Hardly any project has one: nothing more is loaded for the others.
  if (ofProject.length === 0) return { items: [...items] };
  const [{ trustOf }, { underTrust }, { heldBackNotice }] = await Promise.all([
    import("../trust/project-standing.ts"),
    import("../trust/project-trust.ts"),
    import("../trust/held-back-notice.ts"),
  ]);
  const trust = await trustOf(cwd, env);
  const standing = underTrust(items.filter(isSystem), trust);
  const names = ofProject.map(({ path }) => shownPath(path, cwd)).join(", ");
  return {
    items: [...standing, ...items.filter((item) => !isSystem(item))],
    notice: heldBackNotice(trust, `its system prompt is ignored (${names})`),
  };
}

function isWanted({ kind, name }: DiscoveredItem, skills: SkillSettings): boolean {
  if (kind !== "skills") return true;
  const { enabled, ignoredSkills, includeSkills } = skills;
  if (!enabled || fitsOne(name, ignoredSkills)) return false;
  return includeSkills.length === 0 || fitsOne(name, includeSkills);
}

function fitsOne(name: string, patterns: readonly unknown[]): boolean {
  return patterns.some((one) => typeof one === "string" && new Bun.Glob(one).match(name));
}

function ownDirectories({ customDirectories }: SkillSettings, env: Environment): DiscoveryRow[] {
  const paths = customDirectories
    .filter((one) => typeof one === "string")
    .map((one) => expandHome(one, env).replace(/\/+$/, ""))
    .filter(isAbsolute);
  if (paths.length === 0) return [];
  const user = paths.map((path) => `${path}/*/SKILL.md`);
  const needs = ["description"];
  return [{ source: "tau", kind: "skills", user, name: "directory", ownName: true, needs }];
}
