// The trees of a conversation's isolated agents: which agent has one, and what becomes of it at each end
// that an agent can come to.

import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import type { Session } from "../../session/session.ts";
import { temporaryDirectory } from "../../config/places.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import type { Agent, AgentOutcome } from "./agent.ts";
import { TREES, type AgentFiles } from "./agent-files.ts";
import type { AgentTree } from "./agent-tree.ts";
import type { TaskSettings } from "./settings.ts";

export interface TreesPlace {
  sessionId: string;
  env: Environment;
  agentDirectory: string;
  settings: TaskSettings;
  files: AgentFiles | undefined;
}

/** Of a session's id, enough to tell it from others. */
const ID_CHARACTERS = 12;

export class AgentTrees {
  readonly #place: TreesPlace;
  readonly #trees = new Map<string, AgentTree>();

  constructor(place: TreesPlace) {
    this.#place = place;
  }

  /** Throws `IsolationRefused`. */
  async open({ id, record }: Agent, parent: Session): Promise<AgentTree> {
    const { AgentTree } = await import("./agent-tree.ts");
    const { sessionId, env, agentDirectory, settings, files } = this.#place;
    const session = sessionId.replaceAll("-", "").slice(-ID_CHARACTERS);
    const tree = await AgentTree.open({
      id,
      cwd: parent.parts.need(WORKSPACE).cwd,
      env,
      directory: join(agentDirectory, TREES),
      name: `${session}-${id}`,
      settings,
      patchFile: files?.patch(id) ?? join(temporaryDirectory(env), `tau-${session}-${id}.patch`),
      description: record.description ?? `Work of the agent ${id}`,
    });
    this.#trees.set(id, tree);
    return tree;
  }

  /** In a tree that was made anew: what it has to know of what is there of its work. */
  async comeBack({ id }: Agent): Promise<string> {
    const hasAll = await this.#trees.get(id)!.bringBack();
    const words = "Your working tree was made anew, from your parent's as it is now.";
    return hasAll
      ? `${words} What was kept of your changes is in it; look before you go on.`
      : `${words} Your earlier changes do not fit any more, and are not in it.`;
  }

  /** Its task is over: what it did is merged, or kept if it was stopped or failed. */
  async finish(agent: Agent, end: AgentOutcome["end"]): Promise<string | undefined> {
    const tree = this.#trees.get(agent.id);
    if (!tree) return undefined;
    try {
      if (end === "completed") return await tree.merge();
      const file = await tree.keep();
      return (
        file && `What it had changed is not merged; it is kept as ${file} (git apply takes it).`
      );
    } finally {
      this.#trees.delete(agent.id);
      await tree.remove();
      agent.goneBecause = "it worked in a tree of its own, which is gone";
    }
  }

  /** Tau is left: it may go on another time. */
  async leave({ id }: Agent): Promise<void> {
    const tree = this.#trees.get(id);
    if (!tree) return;
    this.#trees.delete(id);
    try {
      await tree.keep();
    } finally {
      await tree.remove();
    }
  }
}
