// The settings file of a project, where the user trusts the project: until then it is only said
// that there is one.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { CONFIG_DIRECTORY } from "../brand.ts";
import type { ProjectTrust } from "./project-trust.ts";
import { agentDirectory, homeOf } from "../config/places.ts";

export const PROJECT_FILE = "config.yml";

export interface ProjectStanding {
  /** The file to read; undefined where there is none, or it may not count. */
  settingsFile?: string;
  /** Of what the user trusts in it. */
  settingsHash?: string;
  trust: "trusted" | "untrusted";
  /** What is held back, in a sentence. */
  notice?: string | undefined;
}

/** Looks only where something of a project could matter: most directories cost nothing here. */
export async function projectStanding(cwd: string, env: Environment): Promise<ProjectStanding> {
  const settingsFile = join(cwd, CONFIG_DIRECTORY, PROJECT_FILE);
  const hosts = join(cwd, CONFIG_DIRECTORY, "ssh.json");
  if (!existsSync(settingsFile) && !existsSync(hosts)) return { trust: "untrusted" };
  const trust = await trustOf(cwd, env);
  if (trust.state === "trusted") {
    const settingsHash = trust.vouched?.hashOf(settingsFile);
    // One that appeared since the project was looked at is not trusted.
    const isThere = existsSync(settingsFile) && settingsHash !== undefined;
    return { trust: "trusted", settingsFile: isThere ? settingsFile : undefined, settingsHash };
  }
  const what = existsSync(settingsFile) ? "its settings" : "its hosts";
  const { heldBackNotice } = await import("./held-back-notice.ts");
  return { trust: "untrusted", notice: heldBackNotice(trust, `${what} are ignored`) };
}

/** Whoever asks at the same moment gets the same answer: several parts of a start do. */
const asking = new Map<string, Promise<ProjectTrust>>();

/** What the user has said of the project, about all of it that would run. */
export function trustOf(cwd: string, env: Environment): Promise<ProjectTrust> {
  const place = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  const key = JSON.stringify(place);
  const answer = asking.get(key) ?? findTrust(place).finally(() => asking.delete(key));
  asking.set(key, answer);
  return answer;
}

async function findTrust(place: {
  cwd: string;
  home: string;
  agentDirectory: string;
}): Promise<ProjectTrust> {
  const [{ discover }, { searchPlaces }, { TRUST_KINDS }, { projectTrust, undecided }] =
    await Promise.all([
      import("../discovery/discover.ts"),
      import("../discovery/search-places.ts"),
      import("./trust-subject.ts"),
      import("./project-trust.ts"),
    ]);
  const { root } = await searchPlaces(place);
  // Most projects are ones that nobody has decided about: nothing has to be looked at to know that.
  const known = await undecided({ root, agentDirectory: place.agentDirectory });
  if (known) return known;
  const { items } = await discover({ ...place, kinds: TRUST_KINDS });
  return projectTrust({ root, agentDirectory: place.agentDirectory }, items);
}
