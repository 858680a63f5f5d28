// The prompt's editor, with what the interactive mode has to offer it: earlier prompts, completion,
// and the user's own editor.

import { PromptEditor, type Submission } from "@tau/tui/editor/prompt-editor";
import type { AppContext } from "./app-context.ts";
import type { PromptCompletion } from "./completion.ts";
import type { PastPrompts } from "./past-prompts.ts";

/** The rules above and below the prompt, and the status line. */
const AROUND_PROMPT_ROWS = 3;

export interface EditorParts {
  app: Pick<AppContext, "surface" | "env" | "cwd">;
  history: PastPrompts;
  completion: PromptCompletion;
  onSubmit(submission: Submission): void;
  onChange(): void;
  onFailure(error: unknown): void;
}

export function makeEditor({ app, ...parts }: EditorParts): PromptEditor {
  const { surface } = app;
  return new PromptEditor({
    ...parts,
    theme: surface.theme,
    bindings: surface.bindings,
    requestRender: surface.requestRender,
    externalEditor: async (text) => {
      const { editOutside } = await import("./external-editor.ts");
      return editOutside(text, app);
    },
    escape: "pass",
    prompt: "› ",
    room: () => {
      const { columns, rows } = surface.size;
      return rows - AROUND_PROMPT_ROWS - surface.strip.height(columns);
    },
  });
}
