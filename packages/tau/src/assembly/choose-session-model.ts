// Which model a session is with: the one that was asked for, else the one that it was with before,
// else what the settings say.

import type { ThinkingLevel } from "@tau/ai/model";
import type { Settings } from "../config/settings.ts";
import { EXIT } from "../exit-code.ts";
import type { Feature } from "../feature-api/feature.ts";
import { broughtProviders } from "../features/brought-providers.ts";
import { chooseModel, type ChosenModel } from "../model/choose-model.ts";
import { ModelNotFound } from "../model/model-not-found.ts";
import type { LineOptions } from "../model/model-line.ts";
import { foldState } from "../session/context/fold-state.ts";
import { chosenModel, DEFAULT_ROLE } from "../session/context/runtime-state.ts";
import { readContext } from "../session/read-context.ts";
import type { SessionLog } from "../session/session-log.ts";
import { UserError } from "../user-error.ts";
import type { PlacedOptions } from "./assemble-session.ts";

interface ChoiceContext {
  /** Hides secrets from the model, and in what it says. */
  redactor: LineOptions["redactor"];
  notices: string[];
  settings: Settings;
  features: readonly Feature[];
}

type Choice = Pick<ChosenModel, "line"> & Partial<Pick<ChosenModel, "models" | "access">>;

export async function chooseSessionModel(
  options: PlacedOptions,
  earlier: SessionLog | undefined,
  { notices, settings: opened, features, redactor }: ChoiceContext,
): Promise<Choice> {
  const { model: wanted } = options;
  if (typeof wanted === "object") {
    const { lineTo } = await import("../model/own-model.ts");
    return { line: lineTo(wanted, { thinking: options.thinking, redactor }) };
  }
  const before = earlier && (await earlierChoice(earlier));
  const { cwd, env, apiKey, profile, roles, scope, settings } = options;
  const selector = wanted ?? before?.model;
  const thinking = options.thinking ?? (wanted === undefined ? before?.thinking : undefined);
  const wish = {
    env,
    cwd,
    sessionId: earlier?.header.id ?? crypto.randomUUID(),
    redactor,
    providers: broughtProviders(features),
    ...(settings ? { isolated: settings.models ?? {} } : { settings: opened }),
    apiKey,
    profile,
    roles,
    scope,
    thinking,
  };
  if (wanted !== undefined || selector === undefined) {
    return chooseModel(selector === undefined ? wish : { ...wish, selector });
  }
  try {
    return await chooseModel({ ...wish, selector });
  } catch (error) {
    if (error instanceof ModelNotFound) throw gone(selector, error);
    // What the session was with is a wish of the past: without its key another model goes on.
    const isGone = error instanceof UserError && error.exitCode === EXIT.noCredentials;
    if (!isGone) throw error;
    const chosen = await chooseModel(wish);
    const { provider, id } = chosen.line.target.model;
    notices.push(
      `this session was with ${selector}, which has no API key now; continuing with ${provider}/${id}`,
    );
    return chosen;
  }
}

/** Whoever resumes has not named it: the sentence says where it comes from, and how to go on. */
function gone(selector: string, { reason }: ModelNotFound): UserError {
  const next = "continue with another model (-m PROVIDER/MODEL), or set it up again";
  return new UserError(`this session was with ${selector}, but ${reason}; ${next}`, EXIT.usage);
}

async function earlierChoice(
  log: SessionLog,
): Promise<{ model: string | undefined; thinking?: ThinkingLevel }> {
  const { branch, before } = await readContext(log);
  const state = branch.reduce(foldState, before);
  const model = chosenModel(state);
  // Where nobody chose a model, nobody chose a level either: "off" is then no choice.
  const isChosen = state.models[DEFAULT_ROLE] !== undefined;
  return isChosen ? { model, thinking: state.thinkingLevel } : { model };
}
