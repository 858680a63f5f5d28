// Jobs: commands that go on in the background, the model's and the user's way to look after them, and
// the word to the model when one has ended.

import type { Feature } from "../../feature-api/feature.ts";
import { JOB_ROWS } from "../../jobs/settings.ts";
import { BASH_ROWS } from "../bash/settings.ts";
import { JOBS_COMMAND } from "./jobs-command.ts";

export const jobs: Feature = {
  name: "jobs",
  settings: [JOB_ROWS],
  tools: ["job"],
  // Without commands there are no jobs.
  offersTools: (settings) => settings.group(BASH_ROWS).enabled,
  commands: [JOBS_COMMAND],
  // Commands may go on in the background though the model cannot look after them.
  worksWithoutTools: true,
  setup: async (host) => (await import("./setup.ts")).setUpJobs(host),
  terminal: () => import("./terminal.ts"),
};
