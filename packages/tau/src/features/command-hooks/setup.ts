// Hooks in one session: each event of theirs at the point where it happens here.

import { EXTENSION_ORDER, type HookHandlers } from "@tau/agent/hooks";
import { disabledSourcesFrom } from "../../discovery/settings.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { UserError } from "../../user-error.ts";
import { nameOf } from "./command-hook.ts";
import { codexNotifier, turnComplete } from "./codex-notify.ts";
import { hookFacts } from "./hook-facts.ts";
import { HookRunner } from "./hook-runner.ts";
import { loadHooks } from "./load-hooks.ts";
import { hearPrompt } from "./prompt-hooks.ts";
import { RunStop } from "./run-stop.ts";
import { SessionHooks } from "./session-hooks.ts";
import { isStillTrusted } from "./still-trusted.ts";
import { StopHooks } from "./stop-hooks.ts";
import { ToolHooks } from "./tool-hooks.ts";

/** After this long without anything happening somebody may want to be called. */
const IDLE_AFTER_MS = 60_000;
/** For a notifier that nobody waits for. */
const NOTIFY_TIMEOUT_MS = 60_000;
const OWNER = { kind: "behaviour", name: "command-hooks", order: EXTENSION_ORDER } as const;

export async function setUpHooks(host: FeatureHost): Promise<FeatureParts | undefined> {
  const isNotified =
    host.parent === undefined && !disabledSourcesFrom(host.settings).includes("codex");
  const [{ hooks, notices }, notifier] = await Promise.all([
    loadHooks(host),
    isNotified ? codexNotifier(host.env) : undefined,
  ]);
  for (const notice of notices) host.tell(notice);
  if (hooks.length === 0 && !notifier) return undefined;
  const workspace = host.need(WORKSPACE);
  const runner = new HookRunner(hooks, {
    cwd: host.cwd,
    env: host.env,
    facts: () => hookFacts(host),
    isStillTrusted: () => isStillTrusted(host),
    slow: (hook, waitedMs) =>
      host.notify({
        type: "hook_slow",
        behaviour: OWNER.name,
        hook: hook.event,
        command: nameOf(hook),
        waitedMs,
      }),
    tell: (event, message) =>
      message instanceof UserError
        ? host.notify({ type: "hook_error", behaviour: OWNER.name, hook: event, error: message })
        : host.notify({ type: "hook_message", event, text: message }),
  });
  const stop = new RunStop();
  const tools = new ToolHooks({ runner, workspace, stop, hide: (value) => host.hide(value) });
  const session = new SessionHooks(host, runner);
  const ends = new StopHooks({
    runner,
    isChild: host.parent !== undefined,
    mailbox: host.mailbox,
    tell: (text) => host.notify({ type: "hook_message", event: "Stop", text }),
  });
  const handlers: HookHandlers = {
    run_start: async (_told, { signal }) => {
      ends.begin();
      stop.take();
      return { messages: await session.context(signal) };
    },
    turn_end: () => {
      const reason = stop.take();
      return reason === undefined ? undefined : { type: "stop", reason };
    },
    idle: async ({ messages }, { signal }) => {
      const isOver = await ends.end(messages, signal);
      if (!notifier || !isOver || signal.aborted) return;
      const origin = { file: notifier.file, level: "user", projectDirectory: host.cwd } as const;
      runner.launch([...notifier.argv, turnComplete(host, messages)], NOTIFY_TIMEOUT_MS, origin);
    },
  };
  if (host.parent === undefined) Object.assign(handlers, session.handlers);
  if (runner.has("UserPromptSubmit")) {
    const reject = (reason: string): void => host.notify({ type: "prompt_rejected", reason });
    handlers.input = (told, { signal }) => hearPrompt({ runner, reject }, told, signal);
  }
  if (runner.has("PreToolUse", "PostToolUse", "PostToolUseFailure")) {
    Object.assign(handlers, tools.handlers);
    host.hooks.register(OWNER, tools.questions);
  }
  if (runner.has("Notification")) {
    host.whenIdle(IDLE_AFTER_MS, async () =>
      runner.inBackground({
        event: "Notification",
        names: ["idle_prompt"],
        input: { message: "Tau is waiting for your input", notification_type: "idle_prompt" },
      }),
    );
  }
  return {
    hooks: handlers,
    asking: tools.asking,
    dispose: async () => {
      session[Symbol.dispose]();
      await runner[Symbol.asyncDispose]();
    },
  };
}
