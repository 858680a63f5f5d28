// `ctx`: what the family's handlers, tools and commands have to work with, on Tau's session. It always
// says what holds at the moment when it is asked.

import type { FeatureHost } from "../../feature-api/feature.ts";
import { toFamilyModel } from "./family-model.ts";
import type { FamilySession } from "./family-session.ts";
import { makeFamilyUi } from "./family-ui.ts";

export interface ContextOptions {
  readonly host: FeatureHost;
  readonly session: FamilySession;
  /** Failures of what nobody waits for. */
  readonly failed: (error: unknown) => void;
}

/** The modes of the family's own program. */
const MODES = {
  terminal: "tui",
  plain: "tui",
  print: "print",
  rpc: "rpc",
  program: "print",
} as const;

export function makeFamilyContext({ host, session, failed }: ContextOptions): object {
  const { session: own } = host;
  const sessionManager = session.view;
  const ui = makeFamilyUi(host.ui);
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
      return makeModelRegistry(host);
    },
    scopedModels: [],
    get thinkingLevel() {
      return own.thinking ?? "off";
    },
    signal: undefined,
    settings: {},
    isIdle: () => !own.isBusy,
    isProjectTrusted: () => host.project.trust === "trusted",
    hasPendingMessages: () => own.mailbox.queued().length > 0,
    hasQueuedMessages: () => own.mailbox.queued().length > 0,
    abort: () => settle(own.abort()),
    shutdown: () => host.ui.leave?.(),
    getContextUsage: () => contextUsage(host),
    compact: (
      options: {
        customInstructions?: string;
        onComplete?: (r: unknown) => void;
        onError?: (e: unknown) => void;
      } = {},
    ) => {
      const { customInstructions: instructions, onComplete, onError } = options;
      own.compact({ instructions }).then(onComplete, onError ?? failed);
    },
    getSystemPrompt: () => own.system.join("\n\n"),
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
  { session, control }: FeatureHost,
  waitForIdle: () => Promise<void>,
): object {
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
      newSession: () => change(control?.startNew()),
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
      getSystemPromptOptions: () => ({}),
    }),
  ) as object;
}
