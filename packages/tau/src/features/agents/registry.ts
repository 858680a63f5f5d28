// Every agent of a conversation: those at work, those that wait, those that sleep, and those of an earlier
// run of Tau. It belongs to the user's own session; the agents share it.

import { developerText, userText } from "@tau/ai/message";
import { partKey } from "../../base/part.ts";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { Admission, type MemoryProbe } from "./admission.ts";
import {
  Agent,
  UnknownAgent,
  type AgentPlace,
  type AgentRecord,
  type EarlierAgent,
} from "./agent.ts";
import type { AgentTrees } from "./agent-trees.ts";
import { AgentNames, MAIN } from "./agent-names.ts";
import { isAtWork, type AgentView } from "../../feature-api/agent-view.ts";
import { Waiting } from "./waiting.ts";

/** For the feature itself; a feature from outside has `feature-api/agents.ts`, and nothing of this. */
export const AGENTS = partKey<AgentRegistry>("agents", { viewOf: () => ({}) });

/** Changes come in bursts; whoever draws them is told at most so often. */
const TELL_AFTER_MS = 150;
const GO_ON = "[you were interrupted; go on with your task where you were]";

export interface RegistryOptions {
  main: Session;
  maxConcurrency(): number;
  idleTtlMs(): number;
  /** Opens the session of an agent: a new one, or one from its log. */
  open(agent: Agent, isNew: boolean): Promise<Session>;
  /** One that was interrupted is here again, because somebody has spoken to it. */
  cameBack(agent: Agent): void;
  /** Working trees of their own. */
  trees: Pick<AgentTrees, "finish" | "leave">;
  memory?: MemoryProbe;
}

export type AgentListener = (agents: readonly AgentView[]) => void;
export type AgentEventListener = (event: SessionEvent, agent: Agent) => void;

export class AgentRegistry implements AsyncDisposable {
  readonly names = new AgentNames();
  readonly admission: Admission;
  /** Who waits for a message of whom. */
  readonly waiting = new Waiting(this);
  readonly main: Session;
  readonly #options: RegistryOptions;
  readonly #agents = new Map<string, Agent>();
  readonly #listeners = new Set<AgentListener>();
  readonly #hearers = new Set<AgentEventListener>();
  readonly #whenDone: (() => void)[] = [];
  readonly #whenOver: (() => void)[] = [];
  #telling: ReturnType<typeof setTimeout> | undefined;
  #isLeft = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.main = options.main;
    this.admission = new Admission(options.maxConcurrency, options.memory);
  }

  /** One that is new; it is queued until it is given work. */
  add(record: AgentRecord): Agent {
    return this.#put(new Agent(record, this.#place));
  }

  /** One of an earlier run of Tau. */
  restore(record: AgentRecord, earlier: EarlierAgent): Agent {
    this.names.take(record.id);
    return this.#put(new Agent(record, this.#place, earlier));
  }

  /** As it is written, or in other capitals. */
  get(id: string): Agent | undefined {
    const exact = this.#agents.get(id);
    if (exact) return exact;
    const lower = id.toLowerCase();
    return [...this.#agents.values()].find((one) => one.id.toLowerCase() === lower);
  }

  agents(): Agent[] {
    return [...this.#agents.values()];
  }

  views(): AgentView[] {
    return this.agents().map(({ view }) => view);
  }

  /** Those that it has started, and those that they have. */
  below(id: string): Agent[] {
    return this.agents().filter(({ record }) => isBelow(record.parent, id, this.#agents));
  }

  /** Whether it waits for somebody: for their work, or for word of what came of it. */
  hasChildrenAtWork(id: string): boolean {
    return this.below(id).some((one) => isAtWork(one) || one.isOwed);
  }

  /** One that it waited for is done: it may have been the last. */
  lookAt(id: string): void {
    void this.#agents.get(id)?.look();
    for (const resolve of this.#whenOver.splice(0)) resolve();
    this.#lookForEnd();
  }

  /** Resolves when nobody is at work any more, and every result was told. */
  whenDone(): Promise<void> {
    if (this.#isLeft || this.pending.length === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenDone.push(resolve);
    return promise;
  }

  /** Its conversation is left: nothing more will come of them. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** How many are at work or wait for their turn. */
  get atWork(): number {
    return this.agents().filter(isAtWork).length;
  }

  /** Whoever waits for work to be done waits for word of it as well. */
  get pending(): Agent[] {
    return this.agents().filter((one) => isAtWork(one) || one.isOwed);
  }

  /** The session behind a name, brought back if need be. Throws `AgentGone`, or what opening it throws. */
  async live(id: string): Promise<Session> {
    return id === MAIN ? this.main : this.need(id).live();
  }

  /** What a person says to it: into its run, or as a run of its own. */
  async say(id: string, text: string): Promise<void> {
    const session = await this.live(id);
    await session.steer(userText(text), { isDurable: true });
  }

  /** Out of its log, to be spoken to; one that was interrupted goes on. Throws what `live` throws. */
  async revive(id: string): Promise<void> {
    const agent = this.need(id);
    const wasInterrupted = agent.end === "interrupted" && agent.session === undefined;
    const { mailbox } = await agent.live();
    if (!wasInterrupted) return;
    const delivery = "steer";
    await mailbox.post(developerText(GO_ON), { delivery, sender: "agents", isDurable: true });
  }

  /** It and all that it has started. */
  async stop(id: string): Promise<void> {
    const agent = this.need(id);
    const all = [...this.below(agent.id), agent];
    await Promise.all(all.map((one) => one.stop()));
    // Whoever waited for one of them has been told, too.
    while (all.some(({ isOwed }) => isOwed)) await this.#nextOver();
  }

  #nextOver(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenOver.push(resolve);
    return promise;
  }

  /** Told of every change, in bursts. Returns the way to stop listening. */
  subscribe(listener: AgentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told of everything that happens in the sessions of agents, as it happens. */
  hear(listener: AgentEventListener): () => void {
    this.#hearers.add(listener);
    return () => this.#hearers.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeft = true;
    clearTimeout(this.#telling);
    // Children before their parents: what they were at is put down while those are still there.
    const deepest = this.agents().toSorted((a, b) => b.record.depth - a.record.depth);
    for (const agent of deepest) await agent.leave();
    this.#listeners.clear();
    this.#hearers.clear();
    // Nothing more will come of it.
    for (const resolve of this.#whenDone.splice(0)) resolve();
  }

  #put(agent: Agent): Agent {
    this.#agents.set(agent.id, agent);
    this.#changed();
    return agent;
  }

  need(id: string): Agent {
    const agent = this.get(id);
    if (!agent) throw new UnknownAgent(id, [...this.#agents.keys()]);
    return agent;
  }

  #lookForEnd(): void {
    if (this.#whenDone.length === 0 || this.pending.length > 0) return;
    for (const resolve of this.#whenDone.splice(0)) resolve();
  }

  readonly #place: AgentPlace = {
    tryEnter: (depth) => this.admission.tryEnter(depth),
    enter: (depth, signal) => this.admission.enter(depth, signal),
    enterNow: (depth) => this.admission.enterNow(depth),
    open: (agent, isNew) => this.#options.open(agent, isNew),
    idleTtlMs: () => this.#options.idleTtlMs(),
    hasChildrenAtWork: (id) => this.hasChildrenAtWork(id),
    finish: (agent, end) => this.#options.trees.finish(agent, end),
    left: (agent) => this.#options.trees.leave(agent),
    cameBack: (agent) => this.#options.cameBack(agent),
    changed: () => {
      this.#changed();
      // Nobody is owed anything by one that was only spoken to; that it rests is all there is to see.
      this.#lookForEnd();
    },
    heard: (agent, event) => {
      for (const hearer of this.#hearers) hearer(event, agent);
    },
  };

  #changed(): void {
    if (this.#isLeft || this.#telling !== undefined || this.#listeners.size === 0) return;
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      const views = this.views();
      for (const listener of this.#listeners) listener(views);
    }, TELL_AFTER_MS);
    this.#telling.unref();
  }
}

function isBelow(parent: string, id: string, agents: ReadonlyMap<string, Agent>): boolean {
  for (let at: string | undefined = parent; at !== undefined; at = agents.get(at)?.record.parent) {
    if (at === id) return true;
    if (at === MAIN) return false;
  }
  return false;
}
