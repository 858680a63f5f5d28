// Consent as one session has it: what the settings say, what other tools' settings say, what was said
// on the command line, and what of all that is lost.

import type { Environment } from "@tau/ai/environment";
import { homeOf } from "../../config/places.ts";
import { userSettingsFile } from "../../config/open-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { placeOf } from "../../base/config-problem.ts";
import { UserError } from "../../user-error.ts";
import { Approval, type ApprovalOptions, type LastingScope } from "./approval.ts";
import { holdsSecret } from "./holds-secret.ts";
import type { LoadedForeignRules } from "./load-foreign-rules.ts";
import { PROJECT_RULES, projectName } from "./project-rules.ts";
import { APPROVAL_ROWS, type ApprovalMode } from "./settings.ts";

export interface OpenApprovalOptions {
  env: Environment;
  foreign: LoadedForeignRules;
  /** Instead of the settings' mode. */
  mode?: ApprovalMode | undefined;
  hide?: ((text: string) => string) | undefined;
  parent?: ApprovalOptions["parent"];
  isStrictest?: boolean;
  /** The directory that "always" is about. */
  project: string;
  /** Names of tools. */
  tools?: readonly string[];
  /** Where the session works. */
  cwd: string;
  keepConsent?: ApprovalOptions["keepConsent"];
  allowedByHook?: ApprovalOptions["allowedByHook"];
  /** Told when rules are in the user's file. */
  saved?: (kept: { rules: readonly string[]; scope: LastingScope; file: string }) => void;
}

export function openApproval(settings: Settings, options: OpenApprovalOptions): Approval {
  const { env, foreign, mode, hide, parent, isStrictest, project, cwd, tools, keepConsent } =
    options;
  const rows = settings.group(APPROVAL_ROWS);
  return new Approval({
    settings: { ...rows, approvalMode: mode ?? rows.approvalMode },
    foreign: foreign.rules,
    lost: [...settings.lost, ...foreign.lost],
    project,
    tools,
    places: {
      places: { home: homeOf(env), cwd },
      sourceOf: (key) => settings.layers.findLast(({ values }) => values.has(key))?.source,
    },
    keepRules: async (rules, scope) => {
      await keepRules(settings, env, { rules, scope, project });
      options.saved?.({ rules, scope, file: userSettingsFile(env) });
    },
    dropRule: (rule) => dropRule(settings, env, { rule, project }),
    hide,
    holdsSecret: (text) => holdsSecret(text, env),
    parent,
    isStrictest,
    allowedByHook: options.allowedByHook,
    keepConsent,
  });
}

const RULES = "tools.rules";

/** At the end of the user's own rules, where they have the last word. */
async function keepRules(
  settings: Settings,
  env: Environment,
  kept: { rules: readonly string[]; scope: LastingScope; project: string },
): Promise<void> {
  const { rules, scope, project } = kept;
  const file = userSettingsFile(env);
  const key = scope === "everywhere" ? RULES : PROJECT_RULES;
  // A list in the place of one that lost its entries would hide that it did.
  const isKey = (found = ""): boolean =>
    [RULES, PROJECT_RULES].some((one) => found === one || found.startsWith(`${one}.`));
  const blank = settings.lost.find(
    ({ problem }) => problem.file === file && isKey(problem.key),
  )?.problem;
  if (blank) throw new UserError(`${placeOf(blank)} cannot be read; fix it first.`);
  const { appendToSetting } = await import("../../config/write-setting.ts");
  const { projectRules } = settings.group(APPROVAL_ROWS);
  const below = scope === "everywhere" ? undefined : projectName(projectRules, project);
  await appendToSetting(file, key, rules, below);
}

async function dropRule(
  settings: Settings,
  env: Environment,
  { rule, project }: { rule: string; project: string },
): Promise<void> {
  const { removeFromSetting } = await import("../../config/write-setting.ts");
  const { projectRules } = settings.group(APPROVAL_ROWS);
  const below = projectName(projectRules, project);
  await removeFromSetting(userSettingsFile(env), PROJECT_RULES, { item: rule, below });
}
