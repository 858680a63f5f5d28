// The repository as it is when a session begins, for the model: branch, changed files, last commits.
// It is said once and kept in the conversation, so that a prompt cache holds and a resumed session
// remembers what it began with.

import { flag } from "../../config/setting.ts";
import { settingGroup } from "../../config/setting-group.ts";
import type { Feature } from "../../feature-api/feature.ts";

const REPOSITORY_ROWS = settingGroup("repository", "Repository", {
  tellState: flag(
    true,
    "Tell the model branch, changed files and last commits as a session begins",
  ),
});

export const repository: Feature = {
  name: "repository",
  order: 150,
  settings: [REPOSITORY_ROWS],
  isOn: ({ settings, toolNames }) =>
    toolNames.length > 0 && settings.group(REPOSITORY_ROWS).tellState,
  setup: async (host) => {
    if (!host.project.readsFiles || host.parent) return undefined;
    const { tellRepository } = await import("./tell-repository.ts");
    return { hooks: tellRepository(host) };
  },
};
