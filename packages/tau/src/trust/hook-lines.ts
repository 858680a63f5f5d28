// What the hooks of one event run, a line each, for whoever decides about them or looks for them. It
// shows whatever stands there, also what Tau would not run: nobody should have to guess.

import type { DiscoveredItem } from "../discovery/item.ts";

export function hookLines({ member }: Pick<DiscoveredItem, "member">): string[] {
  const lines = asList(member?.value).flatMap((group) => {
    const { matcher, hooks } = asRecord(group);
    const about = typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : "";
    return asList(hooks).map((hook) => describe(asRecord(hook), about));
  });
  return lines.length > 0 ? lines : ["runs nothing"];
}

function describe(hook: Record<string, unknown>, about: string): string {
  const { type = "command", command, prompt, url } = hook;
  const what = [command, prompt, url].find((one) => typeof one === "string") ?? "(nothing)";
  const kind = type === "command" ? "runs" : `not run by Tau (${String(type)})`;
  return `${kind}${about === "" ? "" : ` for ${about}`}: ${String(what)}`;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
