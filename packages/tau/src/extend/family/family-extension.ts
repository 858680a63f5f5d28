// One module of the family in one session: what it registers, what it may do, and what it is told.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import type { TerminalFeature } from "../../feature-api/terminal-feature.ts";
import type { Shortcut } from "../../feature-api/shortcut.ts";
import type { SessionCommand } from "../../session/session-command.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { BUILT_IN_TOOLS } from "../../features/tool-names.ts";
import type { ExtensionPlace } from "../loaded-extension.ts";
import { UserError } from "../../user-error.ts";
import { beginRunning } from "../running-now.ts";
import { locateError } from "../locate-error.ts";
import { makeFamilyActions } from "./family-actions.ts";
import { makeFamilyApi, type FamilyActions } from "./family-api.ts";
import { makeFamilyContext, withControl } from "./family-context.ts";
import { currentSignal, runIn } from "./current-host.ts";
import { callHandlers, type Answered, type EventPlace, type FamilyEvent } from "./event-place.ts";
import { familyHooks } from "./family-events.ts";
import { logLine, writeFamilyLog } from "./family-log.ts";
import { FamilyModels } from "./family-models.ts";
import { toProvider, unusedOfProvider } from "./family-provider.ts";
import { FamilySession } from "./family-session.ts";
import { failingForModel, toTool } from "./family-tools.ts";
import { familyBus } from "./family-bus.ts";
import { traitsOf, type ModuleTraits } from "./module-traits.ts";
import {
  Registrations,
  type FamilyCommand,
  type FamilyHandler,
  type FamilyShortcut,
  type FamilyTool,
} from "./registrations.ts";
import { runProgram } from "./run-program.ts";
import { isHeard, ToldEvents } from "./told-events.ts";

export class FamilyExtension {
  readonly registrations = new Registrations();
  readonly traits: ModuleTraits;
  readonly api: object;
  readonly #place: ExtensionPlace;
  #actions: FamilyActions | undefined;
  #host: FeatureHost | undefined;
  #context: object | undefined;
  readonly #runs = new Set<Promise<unknown>>();
  /** Handlers that nobody waits for, as long as they take. */
  readonly #telling = new Set<Promise<unknown>>();
  /** Sentences that its user has read. */
  readonly #told = new Set<string>();
  /** What it needs before it is first called. */
  #prepared: (() => Promise<void>) | undefined;

  constructor(place: ExtensionPlace) {
    this.#place = place;
    this.traits = traitsOf(place.source);
    const { cwd, flags } = place;
    this.api = makeFamilyApi({
      registrations: this.registrations,
      cwd,
      actions: () => this.#actions,
      flag: (name) => flags[name],
      events: familyBus(place.group),
      exec: (command, args, options) => runProgram(command, args, { cwd, ...options }),
      log: (level, words) => {
        const line = logLine(this.#name, level, words);
        writeFamilyLog(this.#host?.hide(line) ?? line, this.#failed);
      },
    });
  }

  get #name(): string {
    return this.#place.source.name;
  }

  readonly #failed = (error: unknown): void => this.#failedAt("action", error);

  #failedAt(hook: string, error: unknown): void {
    locateError(error, this.#place.source);
    this.#host?.notify({ type: "hook_error", behaviour: this.#name, hook, error });
  }

  readonly #tellOnce = (sentence: string): void => {
    if (this.#told.has(sentence)) return;
    this.#told.add(sentence);
    this.#failed(new UserError(sentence));
  };

  readonly #lacks = (method: string): void =>
    this.#tellOnce(`the extension ${this.#name} calls ${method}, which Tau does not have`);

  async enter(host: FeatureHost): Promise<FeatureParts> {
    const session = await FamilySession.of(host.session);
    this.#host = host;
    const { asksForModels, hasPromptParts } = this.traits;
    const context = makeFamilyContext({
      host,
      session,
      extension: this.#name,
      hasPromptParts,
      failed: this.#failed,
      lacks: this.#lacks,
    });
    this.#context = context;
    if (asksForModels) this.#prepared = () => FamilyModels.of(host.session).ready();
    const { registrations } = this;
    const place: EventPlace = {
      host,
      registrations,
      extension: this.#name,
      hasPromptParts,
      call: this.#call,
      attempt: this.#attempt,
      during: (signal, work) => this.#within(work, signal),
      follow: () => session.follow(),
    };
    const hooks = familyHooks(place);
    const heard = new Set(Object.keys(hooks));
    this.#actions = makeFamilyActions({
      host,
      extension: this.#name,
      failed: this.#failed,
      tellOnce: this.#tellOnce,
      prompting: (run) => this.#prompting(run),
      added: {
        toolAdded: (tool) => this.#joinTools(host, [tool]),
        handlerAdded: () => {
          const more = Object.entries(familyHooks(place)).filter(([hook]) => !heard.has(hook));
          for (const [hook] of more) heard.add(hook);
          host.hooks.register({ kind: "extension", name: this.#name }, Object.fromEntries(more));
        },
        commandAdded: (name, command) =>
          host.session.join({
            owner: { kind: "extension", name: this.#name },
            commands: [this.command(name, command)],
          }),
        providerAdded: (id, config) => this.#bring(id, config),
      },
    });
    const told = new ToldEvents(host.session);
    const stop = host.session.subscribe((event) => this.#tell(event, told), "part");
    const all = [...registrations.tools.values()];
    const own = all.filter(({ name }) => !BUILT_IN_TOOLS.includes(name));
    const replacements = all.filter(({ name }) => BUILT_IN_TOOLS.includes(name));
    return {
      tools: own.map((tool) => this.#tool(tool)),
      replacements: replacements.map((tool) => this.#tool(tool)),
      hooks,
      dispose: async () => {
        stop();
        await Promise.allSettled(this.#telling);
        session.leave();
      },
    };
  }

  command(
    name: string,
    { description, getArgumentCompletions, handler }: FamilyCommand,
  ): SessionCommand {
    return {
      name,
      help: (description ?? "").split("\n", 1)[0]!,
      when: "any",
      complete: getArgumentCompletions
        ? async (_place, typed) => completions(await getArgumentCompletions(typed))
        : undefined,
      run: async (_place, argument) => {
        await this.#prepared?.();
        await this.#within(() => handler(argument, this.#commandContext()));
        // Print mode ends with the command: what it has begun belongs to it there.
        if (this.#host?.ui.front === "print") await this.#whenIdle();
        return undefined;
      },
    };
  }

  /** What it draws itself, if there is anything. */
  get terminal(): (() => Promise<TerminalFeature>) | undefined {
    const { registrations } = this;
    const { tools, messageRenderers, entryRenderers } = registrations;
    const draws = [...tools.values()].some((tool) => tool.renderCall || tool.renderResult);
    if (!draws && messageRenderers.size + entryRenderers.size === 0) return undefined;
    return async () => {
      const { familyTerminal } = await import("./family-terminal.ts");
      const within = <T>(work: () => T): T => (this.#host ? this.#within(work) : work());
      return familyTerminal({ registrations, foreignTools: BUILT_IN_TOOLS, within });
    };
  }

  shortcut(key: string, { description = "", handler }: FamilyShortcut): Shortcut {
    return {
      key,
      help: description,
      run: async () => void (await this.#within(() => handler(this.#commandContext()))),
    };
  }

  /** Until no run that it has started goes on any more. */
  readonly #whenIdle = async (): Promise<void> => {
    while (this.#runs.size > 0) await Promise.allSettled(this.#runs);
    await this.#host?.session.whenIdle();
  };

  #prompting(run: Promise<unknown>): void {
    this.#runs.add(run);
    run.catch(this.#failed).finally(() => this.#runs.delete(run));
  }

  /** What it imports of the family's packages finds the session that it works in. */
  #within<T>(work: () => T, signal = currentSignal()): T {
    const host = this.#host;
    if (!host) throw new Error("the session is not open yet");
    return runIn({ host, extension: this.#name, signal }, work);
  }

  readonly #call = async (handler: FamilyHandler, event: FamilyEvent): Promise<Answered> => {
    await this.#prepared?.();
    const answer: unknown = await this.#within(() => handler(event, this.#context));
    return typeof answer === "object" && answer !== null ? (answer as Answered) : undefined;
  };

  readonly #attempt = async (handler: FamilyHandler, event: FamilyEvent): Promise<Answered> => {
    try {
      return await this.#call(handler, event);
    } catch (error) {
      this.#failedAt(event.type, error);
      return undefined;
    }
  };

  /** From now on its models can be chosen; what of it cannot be used is told. */
  async #bring(id: string, config: unknown): Promise<void> {
    const { session } = this.#host!;
    const provider = { extension: this.#name, config: toProvider(config) };
    try {
      const problems = await FamilyModels.of(session).bring(id, provider);
      for (const one of [...problems, ...unusedOfProvider(config)]) {
        this.#failed(new Error(`of the provider ${id} this is not used: ${one}`));
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  #commandContext(): object {
    if (!this.#context || !this.#host) throw new Error("the session is not open yet");
    return withControl(this.#context, this.#host, {
      waitForIdle: this.#whenIdle,
      lacks: this.#lacks,
    });
  }

  #tool(tool: FamilyTool) {
    const { kind } = this.#place.source;
    const made = failingForModel(toTool(tool, { kind, context: () => this.#context! }));
    const { execute } = made;
    return {
      ...made,
      execute: async (...call: Parameters<typeof execute>) => {
        await this.#prepared?.();
        const done = beginRunning({ extension: this.#name, hook: tool.name });
        try {
          return await this.#within(() => execute(...call), call[1].signal);
        } finally {
          done();
        }
      },
    };
  }

  #joinTools(host: FeatureHost, tools: readonly FamilyTool[]): void {
    const owner = { kind: "extension", name: this.#name } as const;
    host.session.join({ owner, tools: tools.map((tool) => this.#tool(tool)) });
  }

  /** Nobody waits for these: what fails is told, and the run goes on. */
  #tell(event: SessionEvent, told: ToldEvents): void {
    const { registrations } = this;
    if (!isHeard(event, (name) => registrations.of(name).length > 0)) return;
    const place = { registrations, attempt: this.#attempt };
    for (const one of told.of(event)) {
      if (registrations.of(one.type).length === 0) continue;
      const telling = callHandlers(place, one).catch(this.#failed);
      this.#telling.add(telling);
      void telling.finally(() => this.#telling.delete(telling));
    }
  }
}

function completions(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given.map((one: unknown) =>
    typeof one === "object" && one !== null && "value" in one ? String(one.value) : String(one),
  );
}
