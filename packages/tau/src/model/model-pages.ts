// Models as text for people: aligned, one line each, within 80 columns where names allow.

import type { Model, ModelCost } from "@tau/ai/model";
import { COMMAND } from "../brand.ts";
import type { ModelExplanation } from "./explain-model.ts";
import { selectorOf } from "./equivalence.ts";
import type { ModelAccess } from "./model-access.ts";

export const NOTHING_CONNECTED = `no provider is connected; set a key or run ${COMMAND} login, or see all models with ${COMMAND} models --all`;

export function modelTable(models: readonly Model[], access: ModelAccess): string {
  const parts: string[] = [];
  for (const [provider, group] of groupBy(models, (model) => model.provider)) {
    const row = access.registry.row(provider);
    const state = access.credentials.has(provider) ? "" : "  (not connected)";
    parts.push(`${row?.name ?? provider}${state}\n`);
    const rows = group.map((model) => [
      `  ${selectorOf(model)}`,
      tokens(model.contextWindow),
      abilities(model),
      price(model.cost),
    ]);
    parts.push(`${align(rows).join("\n")}\n\n`);
  }
  return parts.join("").trimEnd() + "\n";
}

export function canonicalTable(
  groups: readonly (readonly [string, readonly Model[]])[],
  access: ModelAccess,
): string {
  const lines: string[] = [];
  for (const [id, variants] of groups) {
    lines.push(id);
    for (const model of variants) {
      lines.push(`  ${access.isAvailable(model) ? "✓" : " "} ${selectorOf(model)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

export function explanationPage(model: ModelExplanation): string {
  const { cost } = model;
  const rows: [string, string][] = [
    ["why", model.because.join("; ")],
    ["provider", `${model.provider.name} (${model.provider.source})`],
    ["wire", model.wire],
    ["endpoint", model.endpoint || "in this process"],
    ["context", `${tokens(model.contextWindow)} tokens, ${tokens(model.maxOutput)} out`],
    ["input", model.input.join(", ")],
    [
      "thinking",
      model.thinking ? `${model.thinking.levels.join(", ")} (now ${model.thinking.used})` : "no",
    ],
    ["cost", isFree(cost) ? "not known, or free" : `${price(cost)} per million tokens`],
  ];
  for (const [name, value] of Object.entries(model.quirks)) {
    rows.push(["quirk", `${name}: ${JSON.stringify(value)}`]);
  }
  if (model.headers.length > 0) rows.push(["headers", model.headers.join(", ")]);
  const { credential } = model;
  rows.push([
    "credential",
    credential ? `${credential.origin}${credential.label ? `: ${credential.label}` : ""}` : "none",
  ]);
  if (model.variants.length > 0) rows.push(["same as", model.variants.join("\n")]);
  if (model.others.length > 0) rows.push(["or was it", model.others.join("\n")]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const body = rows.map(([name, text]) =>
    text
      .split("\n")
      .map((line, at) => `  ${(at === 0 ? name : "").padEnd(width)}  ${line}`)
      .join("\n"),
  );
  return `${model.selector}\n\n${body.join("\n")}\n`;
}

function abilities(model: Model): string {
  return [model.thinking ? "thinks" : "", model.input.includes("image") ? "sees" : ""]
    .filter(Boolean)
    .join(" ");
}

function tokens(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(1))}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count);
}

function isFree(cost: ModelCost): boolean {
  return cost.input === 0 && cost.output === 0;
}

function price(cost: ModelCost): string {
  return isFree(cost) ? "" : `$${cost.input} in, $${cost.output} out`;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
