// The shortest feature: one tool, how it looks, and its settings.

import type { Tool } from "@tau/agent/tool";
import type { Feature, FeatureHost } from "./feature.ts";

export interface ToolFeature extends Pick<
  Feature,
  "settings" | "variables" | "commandLine" | "terminal"
> {
  /** The tool's. */
  readonly name: string;
  make(host: FeatureHost): Promise<Tool>;
}

export function toolFeature({ name, make, ...rest }: ToolFeature): Feature {
  return { name, ...rest, tools: [name], setup: async (host) => ({ tools: [await make(host)] }) };
}
