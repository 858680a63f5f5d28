// Chooses how much the model thinks, among the levels that it knows.

import type { Model, ThinkingLevel } from "@tau/ai/model";
import type { Stage } from "../stage.ts";
import { askOneOf } from "./ask-over.ts";

const MEANING: Readonly<Record<ThinkingLevel, string>> = {
  off: "answers at once",
  minimal: "a moment",
  low: "briefly",
  medium: "as long as most tasks need",
  high: "thoroughly",
  xhigh: "as long as it likes; slow and expensive",
};

/** Undefined, too, where the model does not think: a note says so. */
export async function openThinkingPicker(
  stage: Stage,
  { model, current }: { model: Model; current?: ThinkingLevel },
): Promise<ThinkingLevel | undefined> {
  if (!model.thinking) {
    stage.note(
      `${model.name} does not support thinking; choose another model for that.`,
      "warning",
    );
    return undefined;
  }
  const levels: ThinkingLevel[] = ["off", ...model.thinking.filter((level) => level !== "off")];
  const { marked } = stage.theme.symbols;
  return askOneOf(stage, {
    title: `Thinking level of ${model.name}`,
    items: levels.map((level) => ({
      value: level,
      label: `${level === current ? marked : " "} ${level}`,
      detail: MEANING[level],
    })),
    selected: current === undefined ? undefined : levels.indexOf(current),
  });
}
