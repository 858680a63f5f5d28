// A provider that brings its own way to its models: code in this process instead of an address. It goes with the
// provider's configuration, which is otherwise only data.

import type { TargetCaller } from "./model-target.ts";

const clients = new WeakMap<object, TargetCaller>();

export function withClient<C extends object>(config: C, client: TargetCaller): C {
  clients.set(config, client);
  return config;
}

export function clientOf(config: unknown): TargetCaller | undefined {
  return typeof config === "object" && config !== null ? clients.get(config) : undefined;
}
