// What an author imports as `@tau/extension`. An extension is a feature, exactly as the built-in ones
// are; what stands here only spares its author the parts that nearly everybody would write the same way.

import type { HookHandlers } from "@tau/agent/hooks";
import {
  ToolError,
  type Tool,
  type ToolContext,
  type ToolOutput,
  type ToolTier,
} from "@tau/agent/tool";
import { AGENT_RUNNER, type AgentJob } from "../../feature-api/agent-runner.ts";
import type { Feature, FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import type { Shortcut } from "../../feature-api/shortcut.ts";
import type { Session } from "../../session/session.ts";
import type { CommandPlace, SessionCommand } from "../../session/session-command.ts";
import { EXTENSIONS } from "../extension-book.ts";
import { familyBus, type FamilyBus } from "../family/family-bus.ts";
import type { ExecResult } from "../family/run-program.ts";
import { anySchema, type AnySchema } from "../any-schema.ts";

export { textOutput, ToolError } from "@tau/agent/tool";
export { partKey } from "../../base/part.ts";
export { offer } from "../../session/session-host.ts";
export { amount, flag, list, map, oneOf, text } from "../../config/setting.ts";
export { settingGroup } from "../../config/setting-group.ts";
export { note } from "../../session/projection/block.ts";
export { keeping } from "../../session/event-row.ts";
export { defineProtocolCommand } from "../../feature-api/protocol.ts";
export { AGENTS } from "../../feature-api/agents.ts";
export { UserError } from "../../user-error.ts";
export { textOf, userText } from "@tau/ai/message";

/** What a feature has to work with, and what extensions need besides. */
export interface ExtensionHost extends FeatureHost {
  /** What extensions of the session tell one another; those of the family are among them. */
  readonly bus: FamilyBus;
  /** Runs a program: awaited, stopped with the signal, ended with Tau. A code of 127 if there is none. */
  exec(
    command: string,
    args: readonly string[],
    options?: { cwd?: string; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<ExecResult>;
  /**
   * Has an agent of the session's work on something, and gives what it handed in. Rejects with a `ToolError`
   * if it cannot be started, fails or is stopped.
   */
  runAgent(assignment: string, options?: AgentJob & { signal?: AbortSignal }): Promise<unknown>;
}

/** What a call of a tool has to work with, besides its parameters. */
export interface ExtensionToolContext extends ToolContext {
  readonly host: ExtensionHost;
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

/** A slash command that has the session's host at hand: what it shows, what it asks, what it does. */
export interface ExtensionCommand extends Omit<SessionCommand, "run"> {
  run(
    place: CommandPlace & { readonly host: ExtensionHost },
    argument: string,
  ): Promise<string | undefined | void> | string | undefined | void;
}

/** The same for a key. */
export interface ExtensionShortcut extends Omit<Shortcut, "run"> {
  run(
    place: Parameters<Shortcut["run"]>[0] & { readonly host: ExtensionHost },
  ): void | Promise<void>;
}

export interface Extension extends Omit<
  Feature,
  "tools" | "setup" | "order" | "redactor" | "commands" | "shortcuts"
> {
  readonly commands?: readonly ExtensionCommand[];
  readonly shortcuts?: readonly ExtensionShortcut[];
  /** Tools that are always there; `setup` may bring more, whose names stand in `moreTools`. */
  readonly tools?: readonly ExtensionTool<never>[];
  readonly moreTools?: readonly string[];
  /** Handlers that need nothing of the session; those that do are made in `setup`. */
  readonly hooks?: HookHandlers;
  setup?(host: ExtensionHost): MadeParts | undefined | Promise<MadeParts | undefined>;
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
  const { tools = [], moreTools = [], hooks = {}, setup, commands, shortcuts, ...rest } = extension;
  // One value serves every session that it is part of: a subagent's too.
  const hosts = new WeakMap<Session, ExtensionHost>();
  const hostOf = (session: Session): ExtensionHost => {
    const host = hosts.get(session);
    if (!host) throw new TypeError(`${extension.name} is not part of this session`);
    return host;
  };
  return {
    ...rest,
    commands: commands?.map((command) => ({
      ...command,
      run: async (place, argument) => {
        const host = hostOf(place.session);
        return (await command.run({ ...place, host }, argument)) ?? undefined;
      },
    })),
    shortcuts: shortcuts?.map((shortcut) => ({
      ...shortcut,
      run: (place) => shortcut.run({ ...place, host: hostOf(place.session) }),
    })),
    tools: [...tools.map(({ name }) => name), ...moreTools],
    worksWithoutTools: rest.worksWithoutTools ?? true,
    setup: async (given) => {
      const host = withHelpers(given);
      hosts.set(given.session, host);
      const parts = (await setup?.(host)) ?? {};
      return {
        ...parts,
        tools: [...tools, ...(parts.tools ?? [])].map((tool) => asTool(tool, host)),
        hooks: bothHooks(hooks, parts.hooks),
      };
    },
  };
}

function withHelpers(host: FeatureHost): ExtensionHost {
  const { session, cwd } = host;
  const own: Pick<ExtensionHost, "bus" | "exec" | "runAgent"> = {
    bus: familyBus(session.part(EXTENSIONS)?.group ?? session),
    exec: async (command, args, { timeoutMs: timeout, ...options } = {}) => {
      const { runProgram } = await import("../family/run-program.ts");
      return runProgram(command, args, { cwd, ...options, timeout });
    },
    runAgent: async (assignment, { signal, ...job } = {}) => {
      const runner = host.part(AGENT_RUNNER);
      if (!runner) throw new ToolError("This session cannot start agents: it has no task tool.");
      return runner.run(assignment, job, signal);
    },
  };
  // The host's own getters stay getters.
  return Object.create(host, Object.getOwnPropertyDescriptors(own)) as ExtensionHost;
}

/** As the tool table takes it. */
function asTool(tool: Tool | ExtensionTool<never>, host: ExtensionHost): Tool {
  if (isMade(tool)) return tool;
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

/** A schema that somebody wrote has methods of its own; only the table's has both of these. */
function isMade(tool: Tool | ExtensionTool<never>): tool is Tool {
  return "jsonSchema" in tool.parameters && "validate" in tool.parameters;
}

function bothHooks(fixed: HookHandlers, made: HookHandlers = {}): HookHandlers {
  const twice = Object.keys(fixed).find((name) => name in made);
  if (twice === undefined) return { ...fixed, ...made };
  throw new TypeError(`the handler for ${twice} is there twice: in hooks, and in what setup gives`);
}
