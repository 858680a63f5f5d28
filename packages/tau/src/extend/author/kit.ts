// What an author imports as `@tau/extension`. An extension is a feature, exactly as the built-in ones
// are; what stands here only spares its author the parts that nearly everybody would write the same way.

import type { HookHandlers } from "@tau/agent/hooks";
import { type Tool, type ToolContext, type ToolOutput, type ToolTier } from "@tau/agent/tool";
import type { Feature, FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { anySchema, type AnySchema } from "../any-schema.ts";

export { textOutput, ToolError } from "@tau/agent/tool";
export { partKey } from "../../base/part.ts";
export { offer } from "../../session/session-host.ts";
export { amount, flag, list, map, oneOf, text } from "../../config/setting.ts";
export { settingGroup } from "../../config/setting-group.ts";
export { note } from "../../session/projection/block.ts";
export { keeping } from "../../session/event-row.ts";
export { defineProtocolCommand } from "../../feature-api/protocol.ts";
export { UserError } from "../../user-error.ts";
export { textOf, userText } from "@tau/ai/message";

/** What a call of a tool has to work with, besides its parameters. */
export interface ExtensionToolContext extends ToolContext {
  readonly host: FeatureHost;
}

export interface ExtensionTool<P = Record<string, unknown>> {
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  /** JSON Schema, or a schema of zod, valibot, typebox or anything else that follows Standard Schema. */
  readonly parameters: AnySchema<P>;
  /** What a call may do to the machine; `exec`, the strictest, if absent. */
  readonly tier?: ToolTier;
  /** `shared` calls of one turn run side by side; alone if absent. */
  readonly concurrency?: Tool["concurrency"];
  readonly timeoutMs?: number;
  readonly assess?: Tool["assess"];
  /** A failure that the model should read is a `ToolError`. */
  execute(
    params: P,
    context: ExtensionToolContext,
  ): Promise<string | ToolOutput> | string | ToolOutput;
}

export interface Extension extends Omit<Feature, "tools" | "setup" | "order" | "redactor"> {
  /** Tools that are always there; `setup` may bring more, whose names stand in `moreTools`. */
  readonly tools?: readonly ExtensionTool<never>[];
  readonly moreTools?: readonly string[];
  /** Handlers that need nothing of the session; those that do are made in `setup`. */
  readonly hooks?: HookHandlers;
  setup?(host: FeatureHost): MadeParts | undefined | Promise<MadeParts | undefined>;
}

/** As a feature gives them; its tools may be written as those of an extension are. */
export interface MadeParts extends Omit<FeatureParts, "tools"> {
  readonly tools?: readonly (Tool | ExtensionTool<never>)[];
}

/** Keeps the types of the parameters inside the one definition. */
export function defineTool<P>(tool: ExtensionTool<P>): ExtensionTool<never> {
  return tool as ExtensionTool<never>;
}

export function defineExtension(extension: Extension): Feature {
  const { tools = [], moreTools = [], hooks = {}, setup, ...rest } = extension;
  return {
    ...rest,
    tools: [...tools.map(({ name }) => name), ...moreTools],
    worksWithoutTools: rest.worksWithoutTools ?? true,
    setup: async (host) => {
      const parts = (await setup?.(host)) ?? {};
      return {
        ...parts,
        tools: [...tools, ...(parts.tools ?? [])].map((tool) => asTool(tool, host)),
        hooks: bothHooks(hooks, parts.hooks),
      };
    },
  };
}

/** As the tool table takes it. */
function asTool(tool: Tool | ExtensionTool<never>, host: FeatureHost): Tool {
  if ("validate" in tool.parameters) return tool as Tool;
  const {
    parameters,
    execute,
    tier = "exec",
    concurrency = "exclusive",
    ...traits
  } = tool as ExtensionTool<never>;
  return {
    ...traits,
    tier,
    concurrency,
    parameters: anySchema(parameters),
    async execute(params, context) {
      const output = await execute(params as never, { ...context, host });
      return typeof output === "string" ? { content: [{ type: "text", text: output }] } : output;
    },
  };
}

function bothHooks(fixed: HookHandlers, made: HookHandlers = {}): HookHandlers {
  const twice = Object.keys(fixed).find((name) => name in made);
  if (twice === undefined) return { ...fixed, ...made };
  throw new TypeError(`the handler for ${twice} is there twice: in hooks, and in what setup gives`);
}
