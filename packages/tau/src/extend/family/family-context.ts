// `ctx`: what the family's handlers, tools and commands have to work with, on Tau's session. It always
// says what holds at the moment when it is asked.

import type { FeatureHost } from "../../feature-api/feature.ts";
import { currentSignal } from "./current-host.ts";
import { toFamilyModel } from "./family-model.ts";
import { FamilyModels } from "./family-models.ts";
import type { FamilySession } from "./family-session.ts";
import { makeFamilyUi } from "./family-ui.ts";
import { systemPromptOptions } from "./system-prompt-options.ts";

export interface ContextOptions {
  readonly host: FeatureHost;
  readonly session: FamilySession;
  readonly extension: string;
  readonly hasPromptParts: boolean;
  /** Failures of what nobody waits for. */
  readonly failed: (error: unknown) => void;
  /** It is called for what Tau does not have. */
  readonly lacks: (method: string) => void;
}

interface CompactOptions {
  readonly customInstructions?: string;
  readonly onComplete?: (result: unknown) => void;
  readonly onError?: (error: unknown) => void;
}

/** The modes of the family's own program. */
const MODES = {
  terminal: "tui",
  plain: "tui",
  print: "print",
  rpc: "rpc",
  program: "print",
} as const;

export function makeFamilyContext(options: ContextOptions): object {
  const { host, session, extension, hasPromptParts, failed, lacks } = options;
  const { session: own } = host;
  const sessionManager = session.view;
  const ui = makeFamilyUi(host.ui, lacks);
  const settle = (work: Promise<unknown>): void => void work.catch(failed);
  return {
    ui,
    sessionManager,
    get mode() {
      return MODES[host.ui.front];
    },
    get hasUI() {
      return host.ui.canAsk;
    },
    cwd: host.cwd,
    get model() {
      return toFamilyModel(own.model);
    },
    get modelRegistry() {
      const { makeModelRegistry } =
        require("./family-registry.ts") as typeof import("./family-registry.ts");
      return makeModelRegistry(host, extension);
    },
    scopedModels: [],
    get thinkingLevel() {
      return own.thinking ?? "off";
    },
    get signal() {
      return currentSignal();
    },
    settings: {},
    isIdle: () => !own.isBusy,
    isProjectTrusted: () => host.project.trust === "trusted",
    hasPendingMessages: () => own.mailbox.queued().length > 0,
    hasQueuedMessages: () => own.mailbox.queued().length > 0,
    abort: () => settle(own.abort()),
    shutdown: () => host.ui.leave?.(),
    getContextUsage: () => contextUsage(host),
    compact: (given: string | CompactOptions = {}) => {
      const how = typeof given === "string" ? { customInstructions: given } : given;
      const { customInstructions: instructions, onComplete, onError } = how;
      return own.compact({ instructions }).then(onComplete, onError ?? failed);
    },
    getSystemPrompt: () => (hasPromptParts ? [...own.system] : own.system.join("\n\n")),
    get models() {
      return modelQuery(host);
    },
    agent: { id: own.id, name: "main", isSubagent: host.parent !== undefined },
    // What is still pending does not keep a session that is left alive.
    setInterval: (work: () => void, ms?: number) => setInterval(work, ms).unref(),
    setTimeout: (work: () => void, ms?: number) => setTimeout(work, ms).unref(),
    clearTimer: (timer: ReturnType<typeof setTimeout>) => clearTimeout(timer),
  };
}

/** The other branch's way to ask for models. */
function modelQuery({ session }: FeatureHost): object {
  const models = FamilyModels.of(session);
  return {
    list: () =>
      models.list.filter((one) => one.isAvailable).map(({ model }) => toFamilyModel(model)),
    current: () => toFamilyModel(session.model),
    resolve: (selector: string) => {
      const [provider = "", ...id] = String(selector).split("/");
      const found = models.find(provider, id.join("/"));
      return found && toFamilyModel(found.model);
    },
  };
}

/** What the last reply says that it was sent, and what it added. */
function contextUsage({ session }: FeatureHost): object | undefined {
  const reply = session.messages.findLast((message) => message.role === "assistant");
  const { contextWindow } = session.model;
  if (!reply) return { tokens: null, contextWindow, percent: null };
  const { input, output, cacheRead, cacheWrite } = reply.usage;
  const tokens = input + output + cacheRead + cacheWrite;
  return {
    tokens,
    contextWindow,
    percent: contextWindow > 0 ? (100 * tokens) / contextWindow : null,
  };
}

/** What a command may do besides: it is a person who has called it. */
export function withControl(
  context: object,
  host: FeatureHost,
  { waitForIdle, lacks }: { waitForIdle: () => Promise<void>; lacks: ContextOptions["lacks"] },
): object {
  const { session, control } = host;
  const change = async (work: Promise<unknown> | undefined): Promise<{ cancelled: boolean }> => {
    if (!work) return { cancelled: true };
    try {
      await work;
      return { cancelled: false };
    } catch (error) {
      if (error instanceof Error && error.name === "ChangeRefused") return { cancelled: true };
      throw error;
    }
  };
  return Object.create(
    context,
    Object.getOwnPropertyDescriptors({
      waitForIdle,
      newSession(options: Record<string, unknown> = {}) {
        for (const name of ["setup", "withSession"]) {
          if (options[name] !== undefined) lacks(`ctx.newSession with ${name}`);
        }
        return change(control?.startNew());
      },
      switchSession: (path: string) => change(control?.resume(path)),
      branch: (entryId: string) => change(control?.branch(entryId)),
      fork: (entryId: string) => change(control?.branch(entryId)),
      navigateTree: (
        id: string,
        {
          summarize: summarise,
          customInstructions: instructions,
        }: { summarize?: boolean; customInstructions?: string } = {},
      ) => change(session.navigate(id, { summarise, instructions })),
      // The command that calls it is part of what goes: it is not waited for.
      reload: async () => void control?.reload().catch(() => {}),
      getSystemPromptOptions: () => systemPromptOptions(host),
    }),
  ) as object;
}
