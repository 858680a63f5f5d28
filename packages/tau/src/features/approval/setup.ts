// Consent in one session: opened from the settings and from other tools', with the command that shows
// and changes how much is asked.

import { disabledSourcesFrom } from "../../discovery/settings.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { offer } from "../../session/session-host.ts";
import { UsageError } from "../../user-error.ts";
import { APPROVAL } from "./approval.ts";
import { loadForeignRules, NO_FOREIGN_RULES } from "./load-foreign-rules.ts";
import { openApproval } from "./open-approval.ts";
import { APPROVAL_MODES, type ApprovalMode } from "./settings.ts";

export async function setUpApproval(host: FeatureHost): Promise<FeatureParts> {
  const { cwd, env, settings, project, wishes } = host;
  const disabledSources = disabledSourcesFrom(settings);
  const foreign = project.readsFiles
    ? await loadForeignRules({ cwd, env, disabledSources })
    : NO_FOREIGN_RULES;
  for (const { problem } of foreign.lost) host.tell(describeProblem(problem));
  const approval = openApproval(settings, {
    env,
    foreign,
    mode: modeOf(wishes.approvalMode),
    hide: (text) => host.hide(text),
    granted: host.parent?.part(APPROVAL)?.granted,
  });
  return {
    part: offer(APPROVAL, approval),
    hooks: approval.hooks,
    asking: (ask) => async (question, options) => {
      const { announced } = await import("./announce.ts");
      return announced(ask, host)(question, options);
    },
  };
}

function modeOf(wanted: string | undefined): ApprovalMode | undefined {
  const mode = APPROVAL_MODES.find((known) => known === wanted);
  if (wanted !== undefined && !mode) {
    throw new UsageError(
      `there is no approval mode "${wanted}"; choose ${APPROVAL_MODES.join(", ")}`,
    );
  }
  return mode;
}
