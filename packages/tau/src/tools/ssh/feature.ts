// Ssh: commands on hosts that the user has named.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { homeOf } from "../../config/places.ts";
import type { Feature, FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { WORKSPACE } from "../workspace.ts";
import { SSH_ROWS } from "./settings.ts";

export const ssh: Feature = {
  name: "ssh",
  settings: [SSH_ROWS],
  tools: ["ssh"],
  setup: (host) => (mayHaveHosts(host) ? setUpSsh(host) : undefined),
  terminal: () => import("./terminal.ts"),
};

/** Nothing is loaded on the way to the first request if there can be no host. */
function mayHaveHosts({ cwd, env, settings, agentDirectory }: FeatureHost): boolean {
  const home = homeOf(env);
  const files = [
    join(cwd, ".tau", "ssh.json"),
    join(agentDirectory, "ssh.json"),
    join(home, ".ssh", "config"),
    join(home, ".omp", "agent", "ssh.json"),
  ];
  return settings.layers.length > 0 || files.some((file) => existsSync(file));
}

async function setUpSsh(host: FeatureHost): Promise<FeatureParts | undefined> {
  const { cwd, env, settings, project } = host;
  const [{ loadHosts }, { createSshTool }] = await Promise.all([
    import("./load-hosts.ts"),
    import("./tool.ts"),
  ]);
  const loaded = loadHosts({
    cwd,
    env,
    settings: settings.group(SSH_ROWS),
    project: project.trust,
  });
  for (const problem of loaded.problems) host.tell(describeProblem(problem));
  const tool = createSshTool(host.need(WORKSPACE), loaded);
  return tool && { tools: [tool], dispose: () => tool[Symbol.asyncDispose]() };
}
