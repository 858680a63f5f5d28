// Consent in one session: opened from the settings and from other tools', and announced to whoever
// watches.

import type { Approval, ApprovalQuestion, Asker } from "@tau/agent/judge-call";
import { homeOf } from "../../config/places.ts";
import { disabledSourcesFrom } from "../../discovery/settings.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { offer } from "../../session/session-host.ts";
import { rootOf } from "../../tools/project-root.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { UsageError } from "../../user-error.ts";
import { APPROVAL } from "./approval.ts";
import { loadForeignRules, NO_FOREIGN_RULES } from "./load-foreign-rules.ts";
import { openApproval } from "./open-approval.ts";
import {
  describeLost,
  NO_CONSENT,
  readConsent,
  SESSION_CONSENT,
  type SessionConsent,
} from "./session-consent.ts";
import { APPROVAL_MODES, APPROVAL_ROWS, type ApprovalMode } from "./settings.ts";

export async function setUpApproval(host: FeatureHost): Promise<FeatureParts> {
  const { cwd, env, settings, project, wishes } = host;
  const disabledSources = disabledSourcesFrom(settings);
  const foreign = project.readsFiles
    ? await loadForeignRules({ cwd, env, disabledSources })
    : NO_FOREIGN_RULES;
  for (const { problem } of foreign.lost) host.tell(describeProblem(problem));
  for (const note of foreign.notes) host.tell(note);
  const approval = openApproval(settings, {
    env,
    foreign,
    mode: modeOf(wishes.approvalMode),
    hide: (text) => host.hide(text),
    parent: host.parent?.part(APPROVAL),
    isStrictest: wishes.mustAsk,
    project: await rootOf(cwd, homeOf(env)),
    cwd,
    tools: host.toolNames,
    keepConsent: (consent) => keepConsent(host, consent),
    allowedByHook: host.need(WORKSPACE).consent.allowedByHook,
    saved: (kept) => host.notify({ type: "approval_saved", ...kept }),
  });
  host.need(WORKSPACE).consent.decide = (tool, call) => approval.decide(tool, call).type;
  host.need(WORKSPACE).consent.mode = () => approval.mode;
  host.need(WORKSPACE).consent.refusesReads = approval.refusesReads;
  const before = host.view.state.kept[SESSION_CONSENT];
  const lost = describeLost(readConsent(before), {
    mode: approval.mode,
    rules: settings.group(APPROVAL_ROWS).rules.map(String),
  });
  if (lost !== undefined) host.tell(lost);
  return {
    part: offer(APPROVAL, approval),
    hooks:
      lost === undefined
        ? approval.hooks
        : { ...approval.hooks, run_start: toldOnce(host, before) },
    asking: (ask) => announced(ask, host),
  };
}

function keepConsent(host: FeatureHost, consent: SessionConsent): Promise<void> {
  return host.append([{ type: "custom", customType: SESSION_CONSENT, data: consent }]);
}

/** Whoever works on was told: the next time there is nothing to tell. Opening alone writes nothing. */
function toldOnce(host: FeatureHost, before: unknown): () => Promise<void> {
  let isPutDown = false;
  return async () => {
    if (isPutDown) return;
    isPutDown = true;
    const { kept } = host.view.state;
    // Unless there is consent of this run by now.
    if (kept[SESSION_CONSENT] === before) await keepConsent(host, NO_CONSENT);
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

/** A word to whoever watches before a call is put to a person and after: somebody is waited for. */
function announced(ask: Asker, { notify, hide }: Pick<FeatureHost, "notify" | "hide">): Asker {
  return async (question, options) => {
    const { call, tier, subjects, rules } = question;
    const reasons = question.reasons.map(({ reason }) => reason);
    notify({ type: "approval_start", call, reasons, tier, subjects, rules });
    let answer: Approval = { allowed: false };
    try {
      answer = await ask(withoutSecrets(question, hide), options);
      return answer;
    } finally {
      const about = { callId: call.id, tool: call.name, subjects };
      notify({ type: "approval_end", ...about, ...outcomeOf(answer, rules) });
    }
  };
}

/** The call itself has them: it is judged, and runs, with what it will really say. */
function withoutSecrets(question: ApprovalQuestion, hide: FeatureHost["hide"]): ApprovalQuestion {
  const { prepared, preview } = question;
  return {
    ...question,
    prepared: { ...prepared, params: hide(prepared.params) },
    preview: preview && (async () => hide(await preview())),
  };
}

function outcomeOf(answer: Approval, rules: readonly string[]) {
  if (!answer.allowed) return { allowed: false, reason: answer.reason };
  const { remember } = answer;
  return { allowed: true, scope: remember ?? ("once" as const), rules: remember && rules };
}
