// Plan mode in one session. The user's own session has the mode; an agent only follows that of the
// session that it works for, also if it was there before.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { OWN_TOOLS } from "../../feature-api/own-tools.ts";
import { READ_ONLY, type ReadOnlyMode } from "../../feature-api/read-only-mode.ts";
import { offer } from "../../session/session-host.ts";
import { PLAN_DESK, PlanDesk } from "./plan-desk.ts";
import { guardCalls, planHooks } from "./plan-hooks.ts";
import { PLAN_MODE, PlanMode } from "./plan-mode.ts";
import { AGENT_WORDS } from "./plan-words.ts";
import { AGENT_TOOLS, isOffered, SUBMIT_PLAN, type OfferPlace } from "./read-only-tools.ts";
import { PLAN_ROWS } from "./settings.ts";
import { createSubmitPlanTool } from "./submit-plan-tool.ts";

export function setUpPlanMode(host: FeatureHost): FeatureParts {
  const settings = host.settings.group(PLAN_ROWS);
  const place: OfferPlace = {
    isOwn: (tool) => host.part(OWN_TOOLS)?.has(tool) ?? false,
    listed: new Set(settings.tools.map(String)),
  };
  const { parent, session } = host;
  if (parent) {
    const mode = followed(parent.part(READ_ONLY));
    session.tools.addGate((tool) => !mode.isOn || isOffered(tool, place));
    return { part: offer(READ_ONLY, mode), hooks: guardCalls(() => mode.isOn, place) };
  }
  const mode = new PlanMode(host, settings);
  const desk = new PlanDesk(host, mode);
  session.tools.addGate((tool) => {
    if (tool.name === SUBMIT_PLAN) return mode.isOn;
    return !mode.isOn || isOffered(tool, place);
  });
  session.parts.provide(READ_ONLY, mode);
  session.parts.provide(PLAN_DESK, desk);
  return {
    part: offer(PLAN_MODE, mode),
    tools: [createSubmitPlanTool(mode, desk)],
    hooks: { ...guardCalls(() => mode.isOn, place), ...planHooks(host, { mode, desk }) },
  };
}

function followed(parent: ReadOnlyMode | undefined): ReadOnlyMode {
  return {
    get isOn() {
      return parent?.isOn ?? false;
    },
    words: AGENT_WORDS,
    tools: AGENT_TOOLS,
  };
}
