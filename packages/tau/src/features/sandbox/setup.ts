// The sandbox of one session. It is tried at once, beside everything else, so that what is shown of it is
// what is in force.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { offer } from "../../session/session-host.ts";
import { Confinement, CONFINEMENT } from "../../tools/confinement.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { SANDBOX_ROWS } from "./settings.ts";

export function setUpSandbox(host: FeatureHost): FeatureParts {
  const settings = host.settings.group(SANDBOX_ROWS);
  const { cwd, env } = host;
  const workspace = host.need(WORKSPACE);
  const confinement = new Confinement({
    network: settings.network,
    make: async (network) => {
      const { workspaceSandbox } = await import("./workspace-sandbox.ts");
      const { writable, enter } = workspace.shells.place;
      const wanted = { cwd, env, settings: { ...settings, network }, writable };
      return workspaceSandbox(wanted, { enter });
    },
  });
  workspace.confine(confinement);
  confinement.onChange = () => host.notify({ type: "sandbox_changed", status: confinement.status });
  host.background(async () => void (await confinement.check()));
  return { part: offer(CONFINEMENT, confinement) };
}
