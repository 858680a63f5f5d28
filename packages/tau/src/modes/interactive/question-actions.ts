// The one key of a question that waits. It has a context of its own, because it works over the
// prompt and over every screen, and only while there is something to answer.

import type { KeyAction } from "@tau/tui/keys/key-bindings";

export const QUESTION_CONTEXT = "question";

export const ANSWER_ACTION = "app.question.answer";

export const QUESTION_ACTIONS: readonly KeyAction[] = [
  {
    id: ANSWER_ACTION,
    description: "Answer the waiting question, or put it aside",
    defaultKeys: ["Ctrl+X"],
    context: QUESTION_CONTEXT,
  },
];
