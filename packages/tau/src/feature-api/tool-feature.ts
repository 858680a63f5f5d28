// The shortest feature: one tool, how it looks, and its settings.

import type { Tool } from "@tau/agent/tool";
import type { Feature, FeatureHost } from "./feature.ts";

/** All that a feature may bring, beside the one tool. */
export interface ToolFeature extends Omit<Feature, "tools" | "setup"> {
  /** The tool's. */
  readonly name: string;
  make(host: FeatureHost): Promise<Tool>;
}

export function toolFeature({ name, make, ...rest }: ToolFeature): Feature {
  return { name, ...rest, tools: [name], setup: async (host) => ({ tools: [await make(host)] }) };
}
