// Where the settings screen reads and writes: the user's file, and the project's where the
// project is trusted. A change that the user makes here to the project's file is a change the
// user agrees to: the trust goes on, but only if nothing else of the project is another one.

import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { COMMAND, CONFIG_DIRECTORY } from "../../../brand.ts";
import { userSettingsFile } from "../../../config/open-settings.ts";
import type { Feature } from "../../../feature-api/feature.ts";
import { BUILT_IN } from "../../../features/built-in.ts";
import { settingGroupsOf } from "../../../features/settings-table.ts";
import { openUserSettings } from "../../../features/open-user-settings.ts";
import { agentDirectory, homeOf } from "../../../config/places.ts";
import { writeSetting } from "../../../config/write-setting.ts";
import { discover } from "../../../discovery/discover.ts";
import { KIND_IDS, KINDS } from "../../../discovery/kinds.ts";
import { decideTrust, projectTrust, type ProjectTrust } from "../../../trust/project-trust.ts";
import { UserError } from "../../../user-error.ts";
import type { SettingsScreenDeps } from "./settings-screen.ts";

const FILE = "config.yml";

type Source = Pick<SettingsScreenDeps, "groups" | "load" | "write" | "userFile" | "project">;

export async function settingsSource(place: {
  env: Environment;
  cwd: string;
  /** Of the session. */
  active: { readonly features: readonly Feature[] };
}): Promise<Source> {
  const { env, cwd, active } = place;
  // A built-in feature that has not joined has its settings all the same: one may switch it on.
  const builtIn = new Set(BUILT_IN.map(({ name }) => name));
  const features = [...BUILT_IN, ...active.features.filter(({ name }) => !builtIn.has(name))];
  const userFile = userSettingsFile(env);
  const projectFile = join(cwd, CONFIG_DIRECTORY, FILE);
  const isTrusted = (await trustIn(place)).state === "trusted";
  return {
    groups: settingGroupsOf(features),
    userFile,
    project: isTrusted
      ? { file: projectFile }
      : { why: `This project is not trusted; \`${COMMAND} trust\` shows what it has.` },
    load: async () => {
      const isThere = isTrusted && (await Bun.file(projectFile).exists());
      const file = isThere ? projectFile : undefined;
      return openUserSettings({ env, cwd, features, projectFile: file });
    },
    write: (target, key, value) =>
      target === "user"
        ? writeSetting(userFile, key, value)
        : writeTrusted(place, projectFile, () => writeSetting(projectFile, key, value)),
  };
}

async function trustIn({ env, cwd }: { env: Environment; cwd: string }): Promise<ProjectTrust> {
  const places = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  const kinds = KIND_IDS.filter((kind) => KINDS[kind].executes);
  const discovery = await discover({ ...places, kinds });
  const { agentDirectory: directory } = places;
  return projectTrust({ root: discovery.places.root, agentDirectory: directory }, discovery.items);
}

async function writeTrusted(
  place: { env: Environment; cwd: string },
  file: string,
  write: () => Promise<void>,
): Promise<void> {
  const before = await trustIn(place);
  if (before.state !== "trusted") {
    throw new UserError(`the project has changed since you allowed it; see \`${COMMAND} trust\``);
  }
  await write();
  const after = await trustIn(place);
  const isOnlyOurs = after.subjects.every(({ id, hash, item }) => {
    const isOurs = item?.kind === "settings" && item.path === file;
    return isOurs || before.subjects.some((known) => known.id === id && known.hash === hash);
  });
  if (after.state === "trusted") return;
  if (!isOnlyOurs) {
    throw new UserError(
      `it is written, but something else of the project has changed, too; see \`${COMMAND} trust\``,
    );
  }
  const agent = agentDirectory(place.env);
  await decideTrust({ root: after.root, agentDirectory: agent }, "allow", after.subjects);
}
