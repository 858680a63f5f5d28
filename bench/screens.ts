// How fast the screens answer: what is seen first of a long session's tree, and the slowest key
// in it and in the list of all models. A key counts with the frame that it leads to.

import { createScratchDirectory } from "@tau/testkit/scratch";
import type { NewEntry } from "@tau/tau/session/entry";
import { createMemorySession } from "@tau/tau/session/log/open-session";
import { readSessionTree } from "@tau/tau/session/operations/session-tree";
import { openModels } from "@tau/tau/features/open-models";
import { openModelPicker } from "@tau/tau/modes/interactive/screens/model-picker";
import { pickableModels } from "@tau/tau/modes/interactive/screens/pickable-models";
import { FakeStage } from "@tau/tau/modes/interactive/screens/test/fake-stage";
import { openTreeNavigator } from "@tau/tau/modes/interactive/screens/tree-navigator";
import type { SessionLog } from "@tau/tau/session/session-log";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

const ENTRIES = 10_000;
const FIRST_FRAME_BAR_MS = 100;
/** One refresh of a common display. */
const KEY_BAR_MS = 16;
const SIZE = { columns: 200, rows: 50 };
/** Every so often the session goes back and tries again. */
const BRANCH_EVERY = 500;

type Press = (stage: FakeStage) => void;

const TREE_KEYS: readonly Press[] = [
  (stage) => stage.press("Up"),
  (stage) => stage.press("PageUp"),
  (stage) => stage.press("Home"),
  (stage) => stage.type("w"),
  (stage) => stage.type("o"),
  (stage) => stage.press("Escape"),
  (stage) => stage.press("Ctrl+O"),
  (stage) => stage.press("Alt+A"),
  (stage) => stage.press("Left"),
];

const MODEL_KEYS: readonly Press[] = [
  (stage) => stage.press("Down"),
  (stage) => stage.press("End"),
  (stage) => stage.type("s"),
  (stage) => stage.type("o"),
  (stage) => stage.press("Backspace"),
  (stage) => stage.press("Tab"),
];

async function longSession(): Promise<SessionLog> {
  const log = createMemorySession({ cwd: "/" });
  const said = (role: "user" | "developer", text: string, timestamp: number): NewEntry => ({
    type: "message",
    message: { role, content: [{ type: "text", text }], timestamp },
  });
  for (let at = 0; at < ENTRIES; at += 1) {
    const words = `entry ${at} ${"some words to search ".repeat(40)}`;
    const { id } = await log.append(said(at % 2 === 0 ? "user" : "developer", words, at));
    if (at % BRANCH_EVERY === 0) await log.moveLeaf(id, "tree");
  }
  return log;
}

/** Of each key one sample a round; the slowest key is the one whose median is largest. */
class KeyTimes {
  readonly #samples: number[][];
  readonly #keys: readonly Press[];

  constructor(keys: readonly Press[]) {
    this.#keys = keys;
    this.#samples = keys.map(() => []);
  }

  press(stage: FakeStage): void {
    for (const [index, press] of this.#keys.entries()) {
      const started = performance.now();
      press(stage);
      stage.rows();
      this.#samples[index]!.push(performance.now() - started);
    }
  }

  get slowest(): number {
    return Math.max(...this.#samples.map((samples) => median(samples)));
  }
}

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await Bun.sleep(1);
}

export async function measureScreens(rounds: number): Promise<Figure[]> {
  const log = await longSession();
  const first: number[] = [];
  const treeKeys = new KeyTimes(TREE_KEYS);
  const modelKeys = new KeyTimes(MODEL_KEYS);
  await using scratch = await createScratchDirectory();
  const env = { HOME: scratch.root, TAU_AGENT_DIR: scratch.path("agent") };
  const access = await openModels({ env, cwd: scratch.root });
  for (let round = 0; round < rounds; round += 1) {
    const tree = new FakeStage(SIZE);
    const started = performance.now();
    void openTreeNavigator(tree, {
      read: (options) => readSessionTree(log.entries(), { leafId: log.leafId, ...options }),
      label: async () => undefined,
      summaries: "never",
    });
    tree.rows();
    first.push(performance.now() - started);
    await until(() => !tree.picture().includes("reading…"));
    treeKeys.press(tree);
    const models = new FakeStage(SIZE);
    const load = () => pickableModels(access);
    void openModelPicker(models, { load, current: "tau/demo", roles: {} });
    await until(() => !models.picture().includes("reading the models…"));
    modelKeys.press(models);
  }
  const unit = "ms" as const;
  const tree = `tree of ${ENTRIES} entries`;
  return [
    { name: `${tree}, first frame`, value: median(first), unit, bar: FIRST_FRAME_BAR_MS },
    { name: `${tree}, slowest key`, value: treeKeys.slowest, unit, bar: KEY_BAR_MS },
    { name: "list of all models, slowest key", value: modelKeys.slowest, unit, bar: KEY_BAR_MS },
  ];
}
