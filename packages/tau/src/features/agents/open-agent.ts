// Opens an agent's session: with the words, the tools, the model and the budget that its kind and its
// task call for.

import { Budget } from "@tau/agent/budget";
import type { IsolatedTree } from "@tau/host/isolation/isolated-tree";
import type { ChildLog, ChildWish, OpenChild } from "../../feature-api/child-sessions.ts";
import type { ReadOnlyMode } from "../../feature-api/read-only-mode.ts";
import type { Session } from "../../session/session.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { UserError } from "../../user-error.ts";
import type { Agent } from "./agent.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { MAIN } from "./agent-names.ts";
import type { AgentSeat } from "./agent-seat.ts";
import { toolsFor } from "./agent-tools.ts";
import type { AgentRegistry } from "./registry.ts";
import type { TaskSettings } from "./settings.ts";
import rules from "./prompt-agent.md" with { type: "text" };

export interface AgentOrder {
  readonly definition: AgentDefinition;
  /** What all agents of a call are told. */
  readonly context?: string;
  /** Instead of the definition's. */
  readonly model?: string;
  readonly output?: AgentDefinition["output"];
}

export interface OpeningPlace {
  registry: AgentRegistry;
  settings: TaskSettings;
  /** The session that started it. */
  parent: Session;
  open: OpenChild;
  log: ChildLog;
  readOnly?: ReadOnlyMode;
  /** Its own. */
  tree?: IsolatedTree;
  /** What it has to know of that, if it is not the one it began in. */
  treeWords?: string;
}

/** Past its soft budget an agent is told to finish; past this much more it is stopped. */
const HARD_BUDGET = 1.5;

export async function openAgent(
  agent: Agent,
  order: AgentOrder,
  place: OpeningPlace,
): Promise<Session> {
  const { registry, settings, parent, log, tree } = place;
  const { definition } = order;
  const isReadOnly = place.readOnly?.isOn ?? false;
  const maySpawn = agent.record.depth < settings.maxRecursionDepth;
  const spawns = maySpawn && !isReadOnly ? definition.spawns : [];
  const seat: AgentSeat = { agent, registry, spawns, output: order.output ?? definition.output };
  const chosen = log.kind === "open" ? undefined : await chooseModel(order, parent);
  const wish: ChildWish = {
    agent: agent.id,
    log,
    cwd: tree?.cwd,
    tree,
    ...chosen,
    toolNames: toolsFor({
      parentTools: parent.parts.need(WORKSPACE).toolNames ?? [],
      definition,
      maySpawn,
      only: isReadOnly ? place.readOnly?.tools : undefined,
    }),
    agentWords: wordsFor(agent, order, place),
    budget: budgetFor(agent, settings, parent),
    seat,
    readsWhole: definition.readsWhole || undefined,
  };
  return place.open(wish);
}

function wordsFor(agent: Agent, { definition, context }: AgentOrder, place: OpeningPlace): string {
  const { id, parent } = agent.record;
  const peers = place.registry
    .agents()
    .filter((one) => one !== agent && one.state !== "aborted")
    .map(({ id: peer, record }) => `${peer} (${record.kind})`);
  const roster = [`${MAIN} (the user's own session)`, ...peers].join(", ");
  const who = rules
    .trim()
    .replaceAll("{id}", id)
    .replaceAll("{parent}", parent)
    .replaceAll("{peers}", roster);
  const sections = [
    place.readOnly?.isOn ? place.readOnly.words : "",
    definition.words,
    who,
    place.treeWords ?? "",
    context?.trim() ? `<context>\n${context.trim()}\n</context>` : "",
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

/** What a child spends its parents spend, too; its own limits come on top. */
function budgetFor(agent: Agent, settings: TaskSettings, parent: Session): Budget {
  const { softRequestBudget: soft, maxRuntimeMs } = settings;
  const limits = {
    requests: soft > 0 ? Math.ceil(soft * HARD_BUDGET) : undefined,
    wallClockMs: maxRuntimeMs > 0 ? maxRuntimeMs : undefined,
  };
  const owner = `the agent ${agent.id}`;
  return parent.budget?.child(limits, owner) ?? new Budget(limits, { owner });
}

/** Another tool's words for a size of model: what there is of it here is taken. */
const LOOSE = /^(?:sonnet|opus|haiku|default)$/;

async function chooseModel(
  { definition, model }: AgentOrder,
  { models }: Session,
): Promise<Pick<ChildWish, "model" | "thinking">> {
  const wanted = model === undefined ? definition.models : [model];
  const { thinking } = definition;
  if (!models) return { thinking };
  let failure: UserError | undefined;
  for (const selector of wanted) {
    // A role that nobody has given a model is the parent's.
    if (models.hasRole(selector) === false) continue;
    try {
      await models.resolve(selector, thinking);
      return { model: selector, thinking };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (!LOOSE.test(selector)) failure ??= error;
    }
  }
  if (failure) throw failure;
  return { thinking };
}
