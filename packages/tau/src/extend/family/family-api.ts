// The object that a module of the family is called with: it registers while it is loaded, and acts once
// a session is there. What acts too early says so by name, as the family's own program does.

import { checkToolName } from "../tool-name.ts";
import type { FamilyBus } from "./family-bus.ts";
import type { ExecOptions, ExecResult } from "./run-program.ts";
import {
  Registrations,
  type FamilyCommand,
  type FamilyFlag,
  type FamilyHandler,
  type FamilyRenderer,
  type FamilyShortcut,
  type FamilyTool,
} from "./registrations.ts";

/** Something was wanted of the session before there is one. */
export class ExtensionRuntimeNotInitializedError extends Error {
  override readonly name = "ExtensionRuntimeNotInitializedError";

  constructor(method: string) {
    super(
      `it calls ${method} while it is being loaded; call it from a handler, a tool or a command`,
    );
  }
}

/** What is done in a session, once the module has become part of one. */
export interface FamilyActions {
  sendMessage(message: unknown, options?: unknown): void;
  sendUserMessage(content: unknown, options?: unknown): void;
  appendEntry(customType: string, data?: unknown): void;
  setSessionName(name: string): void;
  getSessionName(): string | undefined;
  setEntryLabel(entryId: string, label: string | undefined): void;
  getActiveTools(): string[];
  getAllTools(): unknown[];
  setActiveTools(names: readonly string[]): Promise<void>;
  getCommands(): unknown[];
  getSettings(): unknown;
  setModel(model: unknown): Promise<boolean>;
  getThinkingLevel(): string;
  setThinkingLevel(level: string): void;
  /** Something was registered when the session was there already. */
  toolAdded(tool: FamilyTool): void;
  handlerAdded(event: string): void;
  commandAdded(name: string, command: FamilyCommand): void;
  providerAdded(name: string, config: unknown): void;
}

export interface FamilyApiOptions {
  readonly registrations: Registrations;
  readonly cwd: string;
  /** Undefined while the module is loaded. */
  readonly actions: () => FamilyActions | undefined;
  readonly flag: (name: string) => string | true | undefined;
  readonly events: FamilyBus;
  readonly exec: (
    command: string,
    args: readonly string[],
    options?: ExecOptions,
  ) => Promise<ExecResult>;
  readonly log: (level: "debug" | "info" | "warn" | "error", words: readonly unknown[]) => void;
}

const NOT_HERE = {
  registerMcpServer: "MCP servers are set up in mcp.json",
  registerVirtualModel: "models are set up in models.yml",
  registerMarkdownTransformer: "what models write is shown as it is",
  registerToolRenderer: "a tool is drawn by whoever brings it",
  registerAssistantThinkingRenderer: "what models think is drawn by Tau",
  registerComposerShape: "the prompt is drawn by Tau",
  registerFileWriteFallback: "files are written by Tau alone",
  registerFileDeleteFallback: "files are deleted by Tau alone",
  setServiceTier: "the service tier is a setting, serviceTier",
} as const;

export function makeFamilyApi(options: FamilyApiOptions): object {
  const { registrations, cwd, actions, flag, events, exec, log } = options;
  const act = (method: keyof FamilyActions & string): FamilyActions => {
    const ready = actions();
    if (!ready) throw new ExtensionRuntimeNotInitializedError(`pi.${method}`);
    return ready;
  };
  const refusals = Object.entries(NOT_HERE).map(([name, why]) => [
    name,
    () => {
      throw new Error(`it calls pi.${name}, which Tau does not have: ${why}`);
    },
  ]);
  return {
    ...Object.fromEntries(refusals),
    cwd,
    events,
    exec,
    logger: {
      debug: (...words: unknown[]) => log("debug", words),
      info: (...words: unknown[]) => log("info", words),
      warn: (...words: unknown[]) => log("warn", words),
      warning: (...words: unknown[]) => log("warn", words),
      error: (...words: unknown[]) => log("error", words),
    },
    get zod() {
      return require("zod/v4") as unknown;
    },
    get typebox() {
      return require("typebox") as unknown;
    },
    get pi() {
      return require("../shims/coding-agent.ts") as unknown;
    },

    on(event: string, handler: FamilyHandler): () => void {
      if (typeof handler !== "function")
        throw new TypeError(`the handler for ${event} is not a function`);
      const stop = registrations.on(event, handler);
      actions()?.handlerAdded(event);
      return stop;
    },
    registerTool(tool: FamilyTool): void {
      if (typeof tool?.name !== "string" || typeof tool.execute !== "function") {
        throw new TypeError("a tool needs a name and a function execute");
      }
      checkToolName(tool.name);
      registrations.tools.set(tool.name, tool);
      actions()?.toolAdded(tool);
    },
    registerCommand(name: string, command: FamilyCommand): void {
      if (typeof command?.handler !== "function") {
        throw new TypeError(`the command ${name} needs a function handler`);
      }
      registrations.commands.set(name, command);
      actions()?.commandAdded(name, command);
    },
    registerShortcut(key: string, shortcut: FamilyShortcut): void {
      registrations.shortcuts.set(key, shortcut);
    },
    registerFlag(name: string, row: FamilyFlag): void {
      registrations.flags.set(name, row);
    },
    getFlag(given: string): string | boolean | undefined {
      // Some write it as it stands on the command line.
      const name = given.replace(/^--/, "");
      return flag(name) ?? registrations.flags.get(name)?.default;
    },
    registerMessageRenderer(customType: string, renderer: FamilyRenderer): void {
      registrations.messageRenderers.set(customType, renderer);
    },
    registerEntryRenderer(customType: string, renderer: FamilyRenderer): void {
      registrations.entryRenderers.set(customType, renderer);
    },
    registerProvider(given: string | { id?: string; name?: string }, config?: unknown): void {
      const name = typeof given === "string" ? given : (given.id ?? given.name ?? "");
      const row = typeof given === "string" ? config : given;
      registrations.providers.set(name, row);
      actions()?.providerAdded(name, row);
    },
    unregisterProvider(name: string): void {
      registrations.providers.delete(name);
    },
    getMcpServers: () => [],
    getServiceTiers: () => ({}),

    /** The older one names the extension; the newer one an entry. */
    setLabel(first: string, label?: string): void {
      if (actions() && arguments.length > 1) act("setEntryLabel").setEntryLabel(first, label);
      else registrations.label = first;
    },
    sendMessage: (message: unknown, how?: unknown) => act("sendMessage").sendMessage(message, how),
    sendUserMessage: (content: unknown, how?: unknown) =>
      act("sendUserMessage").sendUserMessage(content, how),
    appendEntry: (customType: string, data?: unknown) =>
      act("appendEntry").appendEntry(customType, data),
    setSessionName: (name: string) => act("setSessionName").setSessionName(name),
    getSessionName: () => act("getSessionName").getSessionName(),
    getActiveTools: () => act("getActiveTools").getActiveTools(),
    getAllTools: () => act("getAllTools").getAllTools(),
    setActiveTools: (names: readonly string[]) => act("setActiveTools").setActiveTools(names),
    getCommands: () => act("getCommands").getCommands(),
    getSettings: () => act("getSettings").getSettings(),
    setModel: (model: unknown) => act("setModel").setModel(model),
    getThinkingLevel: () => act("getThinkingLevel").getThinkingLevel(),
    setThinkingLevel: (level: string) => act("setThinkingLevel").setThinkingLevel(level),
  };
}
