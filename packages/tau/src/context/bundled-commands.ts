// The commands that come with Tau. A file of that name, of a user or a project, takes the place of one.

import init from "./bundled/init.md" with { type: "text" };
import review from "./bundled/review.md" with { type: "text" };

export interface BundledCommand {
  name: string;
  description: string;
  argumentHint?: string;
  body: string;
}

export const BUNDLED_COMMANDS: readonly BundledCommand[] = [
  {
    name: "init",
    description: "Write or renew the AGENTS.md of this repository",
    body: init,
  },
  {
    name: "review",
    description: "Review what has changed",
    argumentHint: "[what]",
    body: review,
  },
];
