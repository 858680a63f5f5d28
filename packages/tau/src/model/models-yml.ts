// Reads models.yml. Each provider, profile and section is judged on its own: a mistake
// costs what it is in, never the rest, and never the built-in models.

import { lineOf } from "../config/yaml-position.ts";
import { suggest } from "../base/suggest.ts";
import { type GenericSchema, type InferOutput, safeParse, type BaseIssue } from "valibot";
import { checkCompat } from "./check-compat.ts";
import type { ConfigProblem } from "../base/config-problem.ts";
import { emptyModelsConfig, type ModelsConfig } from "./models-config.ts";
import {
  bindingsSchema,
  equivalenceSchema,
  profileSchema,
  providerSchema,
  type ProviderConfig,
} from "./models-yml-schema.ts";

type Path = readonly (string | number)[];

/** `builtIn` tells which providers Tau knows: those need no endpoint of their own. */
export async function parseModelsYml(
  text: string,
  file: string,
  builtIn: (provider: string) => boolean,
): Promise<ModelsConfig> {
  const reader = new ModelsReader(text, file);
  const config = emptyModelsConfig();
  config.problems = reader.problems;
  const top = await reader.top();
  for (const [key, value] of Object.entries(top)) {
    if (key === "providers") {
      for (const [id, raw] of await reader.entries(value, [key])) {
        const provider = await reader.check(providerSchema, raw, [key, id]);
        if (provider && (await isComplete(reader, id, provider, builtIn(id)))) {
          await checkCompat(provider, [key, id], (path, message) => reader.report(path, message));
          config.providers.set(id, provider);
        }
      }
    } else if (key === "profiles") {
      for (const [name, raw] of await reader.entries(value, [key])) {
        const profile = await reader.check(profileSchema, raw, [key, name]);
        if (profile) config.profiles.set(name, profile);
      }
    } else if (key === "equivalence") {
      config.equivalence = (await reader.check(equivalenceSchema, value, [key])) ?? {};
    } else if (key === "modelBindings") {
      config.bindings = (await reader.check(bindingsSchema, value, [key])) ?? {};
    } else {
      const near = suggest(key, ["providers", "profiles", "equivalence", "modelBindings"]);
      await reader.report([key], `unknown key${near ? `; did you mean "${near}"?` : ""}`);
    }
  }
  return config;
}

/** What the parts of a provider need of one another. */
async function isComplete(
  reader: ModelsReader,
  id: string,
  provider: ProviderConfig,
  isBuiltIn: boolean,
): Promise<boolean> {
  const at = (...path: (string | number)[]): Path => ["providers", id, ...path];
  const before = reader.problems.length;
  const { models = [], discovery } = provider;
  const isCustom = !isBuiltIn && (models.length > 0 || discovery !== undefined);
  if (isCustom) {
    if (!provider.baseUrl) await reader.report(at(), "needs baseUrl");
    if (provider.auth !== "none" && !provider.apiKey && !provider.apiKeyEnv) {
      await reader.report(at(), "needs apiKey, or auth: none for a server without keys");
    }
  }
  for (const [index, model] of models.entries()) {
    if (!isBuiltIn && !model.api && !provider.api && discovery?.type !== "proxy") {
      await reader.report(at("models", index), `${model.id} needs api, here or at the provider`);
    }
  }
  if (discovery && !isBuiltIn && discovery.type !== "proxy" && !provider.api) {
    await reader.report(at("discovery"), "discovery needs api at the provider");
  }
  if (provider.baseUrl && !URL.canParse(provider.baseUrl)) {
    await reader.report(at("baseUrl"), `"${provider.baseUrl}" is not a URL`);
  }
  if (Object.keys(provider).length === 0) await reader.report(at(), "says nothing");
  if (!isBuiltIn && models.length === 0 && !discovery) {
    await reader.report(at(), "is not a provider that Tau knows, and it lists no models");
  }
  return reader.problems.length === before;
}

class ModelsReader {
  readonly problems: ConfigProblem[] = [];
  readonly #text: string;
  readonly #file: string;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  async top(): Promise<Record<string, unknown>> {
    if (this.#text.trim() === "") return {};
    try {
      const parsed: unknown = Bun.YAML.parse(this.#text);
      if (parsed === null || parsed === undefined) return {};
      if (isMapping(parsed)) return parsed;
      this.#add({ message: "must be a mapping with `providers`" });
    } catch (error) {
      await this.#syntaxError(error);
    }
    return {};
  }

  async entries(value: unknown, path: Path): Promise<[string, unknown][]> {
    if (value === null || value === undefined) return [];
    if (isMapping(value)) return Object.entries(value);
    await this.report(path, "must be a mapping of names");
    return [];
  }

  async check<S extends GenericSchema>(
    schema: S,
    value: unknown,
    path: Path,
  ): Promise<InferOutput<S> | undefined> {
    const parsed = safeParse(schema, value ?? {});
    if (parsed.success) return parsed.output;
    for (const issue of parsed.issues) {
      const inner = (issue.path ?? []).map((item) => item.key as string | number);
      await this.report([...path, ...inner], wordIssue(issue, schema, inner));
    }
    return undefined;
  }

  async report(path: Path, message: string): Promise<void> {
    const line = await lineOf(this.#text, path);
    this.#add({ line, key: path.join("."), message });
  }

  async #syntaxError(error: unknown): Promise<void> {
    // The built-in parser tells what, the other one where.
    const { parseDocument, LineCounter } = await import("yaml");
    const counter = new LineCounter();
    const [first] = parseDocument(this.#text, { lineCounter: counter }).errors;
    const message = first?.message.split("\n")[0] ?? String(error);
    if (first) this.#add({ line: counter.linePos(first.pos[0]).line, message });
    else this.#add({ message });
  }

  #add(problem: Omit<ConfigProblem, "file" | "severity">): void {
    this.problems.push({ file: this.#file, severity: "error", ...problem });
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wordIssue(issue: BaseIssue<unknown>, schema: GenericSchema, path: Path): string {
  if (issue.type === "strict_object" && issue.expected === "never") {
    const last = String(path.at(-1) ?? "");
    const near = suggest(last, keysAt(schema, path.slice(0, -1)));
    return `unknown key${near ? `; did you mean "${near}"?` : ""}`;
  }
  if (issue.kind === "schema" && issue.expected !== null) {
    if (issue.received === "undefined") return "is missing";
    return `must be ${issue.expected.replaceAll(" | ", " or ")}, not ${issue.received}`;
  }
  return issue.message;
}

/** The keys that a nested object of the schema knows, for "did you mean". */
function keysAt(schema: GenericSchema, path: Path): string[] {
  let at: unknown = schema;
  for (const part of path) {
    const { entries, item, value, wrapped } = unwrap(at);
    at = entries?.[part] ?? item ?? value ?? wrapped;
  }
  return Object.keys(unwrap(at).entries ?? {});
}

interface SchemaShape {
  entries?: Record<string | number, unknown>;
  item?: unknown;
  value?: unknown;
  wrapped?: unknown;
}

function unwrap(schema: unknown): SchemaShape {
  const shape = (schema ?? {}) as SchemaShape;
  return shape.wrapped === undefined ? shape : unwrap(shape.wrapped);
}
