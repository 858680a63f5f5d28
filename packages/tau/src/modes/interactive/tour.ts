// A walk through Tau on its built-in model, in a few steps that each wait for the user: a word
// about what comes, the line already in the prompt, Enter to go on, Esc to be done with it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMMAND } from "../../brand.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "./app-context.ts";

interface TourStep {
  say: string;
  /** Put into the prompt. */
  line: string;
}

function stepsFor(cwd: string): TourStep[] {
  const file = ["README.md", "package.json", "Cargo.toml", "pyproject.toml"].find((name) =>
    existsSync(join(cwd, name)),
  );
  return [
    {
      say: "1 of 4  Say what you want. Enter sends it; the calls above the answer show what was done.",
      line: "look around",
    },
    {
      say: "2 of 4  Ask about something here. @ offers files while you type.",
      line: file === undefined ? "what is this folder" : `explain ${file}`,
    },
    {
      say: "3 of 4  ! runs your own command; the model sees its output.",
      line: "!ls",
    },
    {
      say: "4 of 4  You can go back to every answer: Esc twice opens the session tree.",
      line: "/tree",
    },
  ];
}

export function startTour(app: AppContext): void {
  const { active, surface, editor } = app;
  if (active.session.model.provider !== COMMAND) {
    throw new UserError(`the tour talks to the built-in model: start ${COMMAND} -m tau/demo`);
  }
  const steps = stepsFor(app.cwd);
  let at = 0;
  const next = (): void => {
    const step = steps[at++];
    if (!step) {
      surface.note("That's it. /login connects a model, /help shows the rest.");
      app.guide = undefined;
      return;
    }
    surface.note(step.say);
    editor.setText(step.line);
  };
  app.guide = {
    after: next,
    leave: () => {
      app.guide = undefined;
      surface.note("The tour is over; /tour starts it again.");
    },
  };
  next();
}
