// tau models: what there is to talk to, and why a name means what it means.

import { currentDirectory } from "../../base/working-directory.ts";
import type { Model } from "@tau/ai/model";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { findCommand } from "../command-table.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { COMMAND } from "../../brand.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { selectorOf } from "../../model/equivalence.ts";
import { explainModel } from "../../model/explain-model.ts";
import { openModels } from "../../features/open-models.ts";
import type { ModelAccess } from "../../model/model-access.ts";
import {
  modelTable,
  canonicalTable,
  explanationPage,
  NOTHING_CONNECTED,
} from "../../model/model-pages.ts";
import { openUserSettings } from "../../features/open-user-settings.ts";
import { ownEnvironment } from "@tau/host/process/own-environment";
import { modelPool } from "../../model/resolve-model.ts";
import { expandPattern, type ModelPool } from "../../model/selector.ts";
import { UsageError, usageLine } from "../../user-error.ts";

export async function run(args: ParsedArgs): Promise<ExitCode> {
  const { flags, positionals } = args;
  const access = await openAccess(args);
  // Names that match nothing are found by looking for them.
  if (access.settings.enabledModels.length > 0) await modelPool(access);
  for (const problem of access.problems) writeError(`${COMMAND}: ${describeProblem(problem)}\n`);
  const json = flags.json === true;
  const [verb, ...rest] = positionals;
  if (verb === "explain") return explain(access, rest, json);
  if (verb === "refresh") return refresh(access, rest);
  if (verb === "canonical") return canonical(access, rest, json);
  return list(access, positionals, { json, all: flags.all === true });
}

/** With the providers, and the settings, of the extensions that a session here would have. */
async function openAccess(args: ParsedArgs): Promise<ModelAccess> {
  const place = { env: ownEnvironment(), cwd: currentDirectory() };
  const settings = await openUserSettings(place);
  const { extensionWishOf, featuresWithExtensions } = await import("../extension-settings.ts");
  const features = await featuresWithExtensions({ ...place, settings }, extensionWishOf(args));
  if (settings.problems.length === 0) return openModels({ ...place, settings, features });
  // What Tau does not understand of them may be an extension's.
  return openModels({
    ...place,
    features,
    settings: await openUserSettings({ ...place, features }),
  });
}

async function list(
  access: ModelAccess,
  patterns: readonly string[],
  options: { json: boolean; all: boolean },
): Promise<ExitCode> {
  const pool = await modelPool(access, { all: options.all });
  // Asking for something by name is asking for it wherever it is.
  const shown =
    options.all || patterns.length > 0
      ? pool.models
      : pool.models.filter((model) => access.isAvailable(model));
  const matching = patterns.length === 0 ? shown : matchAll(patterns, { ...pool, models: shown });
  if (options.json) {
    await writeOutput(
      `${JSON.stringify(
        matching.map((model) => toJson(model, access)),
        null,
        2,
      )}\n`,
    );
    return EXIT.done;
  }
  if (matching.length === 0) {
    const why = patterns.length > 0 ? noMatch(patterns, access) : NOTHING_CONNECTED;
    writeError(`${COMMAND}: ${why}\n`);
    return patterns.length > 0 ? EXIT.failed : EXIT.done;
  }
  await writeOutput(modelTable(matching, access));
  return EXIT.done;
}

/** A provider is known by its row, though nobody knows its models yet. */
function noMatch(patterns: readonly string[], { registry }: ModelAccess): string {
  const [named = "", ...more] = patterns;
  const row = more.length === 0 ? registry.row(named.replace(/\/$/, "")) : undefined;
  if (!row) return `no model matches "${patterns.join(" ")}"`;
  const ask = row.discovery ? `\`${COMMAND} models refresh ${row.id}\` asks its server, or ` : "";
  return `no models of ${row.name} are listed; ${ask}name one: -m ${row.id}/ID`;
}

/** Each word narrows; a glob or an exact name stands for itself. */
function matchAll(patterns: readonly string[], pool: ModelPool): Model[] {
  const exact = patterns.flatMap((pattern) =>
    /[*?[]/.test(pattern) ? expandPattern(pattern, pool) : [],
  );
  if (exact.length > 0) return [...new Set(exact)];
  const words = patterns.map((pattern) => pattern.toLowerCase());
  return pool.models.filter((model) => {
    const text = `${selectorOf(model)} ${model.name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function toJson(model: Model, access: ModelAccess): Record<string, unknown> {
  const { provider, id, name, wire, contextWindow, maxOutput, input, thinking, cost } = model;
  const available = access.isAvailableByName(model);
  return {
    provider,
    id,
    name,
    wire,
    contextWindow,
    maxOutput,
    input,
    thinking: thinking ?? [],
    cost,
    available,
  };
}

async function canonical(
  access: ModelAccess,
  patterns: readonly string[],
  json: boolean,
): Promise<ExitCode> {
  const pool = await modelPool(access);
  const models = patterns.length === 0 ? pool.models : matchAll(patterns, pool);
  const groups = new Map<string, Model[]>();
  for (const model of models) {
    const id = pool.equivalence.canonicalId(model);
    groups.set(id, [...(groups.get(id) ?? []), model]);
  }
  const shared = [...groups].filter(([, variants]) => variants.length > 1);
  if (json) {
    const out = shared.map(([id, variants]) => ({ id, variants: variants.map(selectorOf) }));
    await writeOutput(`${JSON.stringify(out, null, 2)}\n`);
  } else await writeOutput(canonicalTable(shared, access));
  return EXIT.done;
}

async function explain(
  access: ModelAccess,
  selectors: readonly string[],
  json: boolean,
): Promise<ExitCode> {
  if (selectors.length > 1) {
    throw new UsageError("explain takes one selector", usageLine(findCommand("models")!));
  }
  const explanation = await explainModel(access, selectors[0]);
  await writeOutput(
    json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationPage(explanation),
  );
  return EXIT.done;
}

async function refresh(access: ModelAccess, providers: readonly string[]): Promise<ExitCode> {
  const { refreshDiscovery } = await import("../../model/refresh-discovery.ts");
  const results = await refreshDiscovery(access, providers);
  for (const { provider, found, problem } of results) {
    if (problem === undefined) await writeOutput(`${provider}: ${found} models\n`);
    else writeError(`${COMMAND}: ${provider}: ${problem}\n`);
  }
  const failed = results.some((result) => result.problem !== undefined);
  return failed && providers.length > 0 ? EXIT.failed : EXIT.done;
}
