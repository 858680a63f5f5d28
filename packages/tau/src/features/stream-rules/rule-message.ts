// What the model is told when it has broken a rule.

import interrupt from "./interrupt.md" with { type: "text" };
import refusal from "./refusal.md" with { type: "text" };
import reminder from "./reminder.md" with { type: "text" };
import type { StreamRule } from "../../context/stream-rule.ts";

const TEMPLATES = { interrupt, refusal, reminder } as const;

export function ruleMessage(kind: keyof typeof TEMPLATES, rules: readonly StreamRule[]): string {
  return rules.map((rule) => filled(TEMPLATES[kind], rule)).join("\n\n");
}

function filled(template: string, { name, path, content }: StreamRule): string {
  const values: Readonly<Record<string, string>> = {
    name: attribute(name),
    path: attribute(path),
    content: content.trim(),
  };
  // In one pass: what a rule says is never filled in again.
  return template.trim().replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
