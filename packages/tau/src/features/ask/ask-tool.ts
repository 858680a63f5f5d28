// The tool with which the model asks the user. Who closes the questions without an answer stops the run: a
// model that is only told of it asks again.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import {
  array,
  boolean,
  description,
  minLength,
  number,
  optional,
  pipe,
  strictObject,
  string,
} from "valibot";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { PosedQuestion } from "../../feature-api/posed-question.ts";
import { READ_ONLY } from "../../feature-api/read-only-mode.ts";
import { resultsOf, wordsOf, type AskDetails } from "./answers.ts";
import prompt from "./prompt.md" with { type: "text" };
import { ASK_ROWS } from "./settings.ts";

const words = pipe(string(), minLength(1));

const parameters = strictObject({
  questions: pipe(
    array(
      strictObject({
        id: pipe(words, description("Short and unique: the answer names it")),
        question: words,
        options: array(strictObject({ label: words })),
        multi: optional(pipe(boolean(), description("Several options may be chosen"))),
        recommended: optional(pipe(number(), description("Index of an option, from 0"))),
      }),
    ),
    minLength(1),
  ),
});

type AskPlace = Pick<FeatureHost, "ui" | "settings" | "part"> & {
  session: Pick<FeatureHost["session"], "abort">;
};

export function createAskTool(host: AskPlace): Tool {
  const { timeout, notify } = host.settings.group(ASK_ROWS);
  return defineTool({
    name: "ask",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "exclusive",
    timeoutMs: "waits_for_person",
    async execute({ questions }, { signal }) {
      const posed = questions.map(({ options, multi = false, recommended, ...question }) => ({
        ...question,
        options: options.map(({ label }) => label),
        multi,
        recommended: isPlaceIn(options, recommended) ? recommended : undefined,
      }));
      refuseTwins(posed);
      if (!host.ui.canAsk) throw new ToolError(NOBODY_THERE);
      // Whoever only plans wants to be asked, however long it takes.
      const isUntimed = timeout <= 0 || host.part(READ_ONLY)?.isOn;
      const pickWithinMs = isUntimed ? undefined : timeout * 1000;
      const answers = await host.ui.questions(posed, { signal, pickWithinMs, isQuiet: !notify });
      if (!answers) {
        if (!signal.aborted) void host.session.abort();
        throw new ToolError(CLOSED);
      }
      const results = resultsOf(posed, answers);
      return textOutput(wordsOf(results), { results } satisfies AskDetails);
    },
  });
}

const NOBODY_THERE = "Nobody can be asked now. Decide yourself, and say what you have assumed.";
const CLOSED = "The user closed the questions without an answer.";

function isPlaceIn(options: readonly unknown[], at: number | undefined): boolean {
  return at !== undefined && Number.isInteger(at) && at >= 0 && at < options.length;
}

/** Two answers under one name could not be told apart. */
function refuseTwins(posed: readonly PosedQuestion[]): void {
  const ids = posed.map(({ id }) => id);
  const twin = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twin !== undefined) {
    throw new ToolError(`Two questions have the id "${twin}". Give each an id of its own.`);
  }
}
