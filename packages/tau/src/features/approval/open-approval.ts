// Consent as one session has it: what the settings say, what other tools' settings say, what was said
// on the command line, and what of all that is lost.

import type { Environment } from "@tau/ai/environment";
import { userSettingsFile } from "../../config/open-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { placeOf } from "../../base/config-problem.ts";
import { UserError } from "../../user-error.ts";
import type { ApprovalRule } from "./approval-rule.ts";
import { Approval, type ApprovalOptions } from "./approval.ts";
import type { LoadedForeignRules } from "./load-foreign-rules.ts";
import { APPROVAL_ROWS, type ApprovalMode } from "./settings.ts";

export interface OpenApprovalOptions {
  env: Environment;
  foreign: LoadedForeignRules;
  /** Instead of the settings' mode. */
  mode?: ApprovalMode | undefined;
  hide?: ((text: string) => string) | undefined;
  granted?: ApprovalRule[] | undefined;
  keepConsent?: ApprovalOptions["keepConsent"];
}

export function openApproval(settings: Settings, options: OpenApprovalOptions): Approval {
  const { env, foreign, mode, hide, granted, keepConsent } = options;
  const rows = settings.group(APPROVAL_ROWS);
  return new Approval({
    settings: { ...rows, approvalMode: mode ?? rows.approvalMode },
    foreign: foreign.rules,
    lost: [...settings.lost, ...foreign.lost],
    keepRules: (rules) => keepRules(settings, env, rules),
    hide,
    granted,
    keepConsent,
  });
}

const RULES = "tools.rules";

/** At the end of the user's own rules, where they have the last word. */
async function keepRules(
  { lost }: Settings,
  env: Environment,
  rules: readonly string[],
): Promise<void> {
  const file = userSettingsFile(env);
  // A list in the place of one that lost its entries would hide that it did.
  const blank = lost.find(({ problem }) => problem.file === file && problem.key === RULES)?.problem;
  if (blank) throw new UserError(`${placeOf(blank)} cannot be read; fix it first.`);
  const { appendToSetting } = await import("../../config/write-setting.ts");
  await appendToSetting(file, RULES, rules);
}
