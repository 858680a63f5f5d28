// What kind of agent there can be: a Markdown file whose head says what it may use and whose body is
// what it is told. Bundled ones, the user's and a project's are the same.

import type { JsonSchema } from "@tau/ai/request";
import { THINKING_LEVELS, type ThinkingLevel } from "@tau/ai/model";
import { jsonSchemaOf } from "./output-schema.ts";
import { toolsNamed } from "./named-tools.ts";

export interface AgentDefinition {
  readonly name: string;
  /** When to choose it. */
  readonly description: string;
  /** What it is told, after everything that its parent is told. */
  readonly words: string;
  /** Those of its parent if absent. */
  readonly tools?: readonly string[];
  /** Which agents it may start in turn; `*` is all. */
  readonly spawns: "*" | readonly string[];
  /** The first that can be called; the parent's if none is named. */
  readonly models: readonly string[];
  readonly thinking?: ThinkingLevel;
  /** What its result has to look like. */
  readonly output?: JsonSchema;
  /** The call that starts it waits for it. */
  readonly isBlocking: boolean;
  /** Skills that it begins with. */
  readonly skills: readonly string[];
  /** `read` shows it files as they are. */
  readonly readsWhole: boolean;
  readonly source: "bundled" | "user" | "project";
  readonly path?: string;
}

export interface AgentFile {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
  body: string;
  source: AgentDefinition["source"];
  path?: string;
}

export function agentDefinition({
  name,
  attributes,
  body,
  source,
  path,
}: AgentFile): AgentDefinition {
  const tools = attributes.tools === undefined ? undefined : toolsNamed(words(attributes.tools));
  return {
    name,
    description: String(attributes.description ?? ""),
    words: body.trim(),
    tools,
    spawns: spawnsOf(attributes.spawns, tools),
    models: words(attributes.model).filter((one) => one !== "inherit"),
    thinking: THINKING_LEVELS.find(
      (level) => level === (attributes.thinkingLevel ?? attributes.thinking),
    ),
    output: jsonSchemaOf(attributes.output),
    isBlocking: isSaid(attributes.blocking, true),
    skills: words(attributes.autoloadSkills ?? attributes.skills),
    readsWhole: isSaid(attributes["read-summarize"] ?? attributes.readSummarize, false),
    source,
    path,
  };
}

/** A list, or words with commas between them. */
function words(given: unknown): string[] {
  const list = Array.isArray(given) ? given : typeof given === "string" ? given.split(",") : [];
  return list
    .filter((one) => typeof one === "string")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Who may use `task` and does not say for what may use it for everything. */
function spawnsOf(given: unknown, tools: readonly string[] | undefined): AgentDefinition["spawns"] {
  if (given === undefined || given === null) return tools && !tools.includes("task") ? [] : "*";
  const names = words(given);
  return names.includes("*") ? "*" : names;
}

/** YAML that was read leniently has words for truth. */
function isSaid(given: unknown, wanted: boolean): boolean {
  return given === wanted || given === String(wanted);
}
