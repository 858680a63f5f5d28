// Profiles: named maps from roles to models, to change several roles with one word. The
// user's own (models.yml) come before the built-in ones of the same name.

import { suggest } from "../base/suggest.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import type { ModelAccess } from "./model-access.ts";

export interface Profile {
  name: string;
  requiredProviders: readonly string[];
  roles: Readonly<Record<string, string>>;
}

/** Other tools' names for what are roles here. */
const ROLE_ALIASES: Readonly<Record<string, string>> = {
  executor: "task",
  architect: "slow",
  planner: "plan",
  critic: "advisor",
};

type Tier = "eco" | "medium" | "pro";

/** How long each role may think: cheap and quick, as usual, or thorough. */
const TIERS: Record<Tier, Readonly<Record<string, string>>> = {
  eco: { default: "low", task: "minimal", slow: "medium", plan: "low", advisor: "low" },
  medium: { default: "medium", task: "low", slow: "high", plan: "medium", advisor: "medium" },
  pro: { default: "high", task: "medium", slow: "xhigh", plan: "high", advisor: "high" },
};

/** One provider, one model, three tiers. */
const TIERED: Readonly<Record<string, string>> = {
  codex: "openai-codex/gpt-5.5",
  glm: "zai/glm-5.1",
  "kimi-coding-plan": "kimi-code/kimi-for-coding",
  mimo: "xiaomi/mimo-v2.5-pro",
  grok: "xai/grok-4.3",
  minimax: "minimax-code/MiniMax-M2.5",
};

const MIXED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "claude-opus": {
    default: "anthropic/claude-opus-4-8:high",
    task: "anthropic/claude-opus-4-8:medium",
    slow: "anthropic/claude-opus-4-8:xhigh",
    plan: "anthropic/claude-opus-4-8:high",
    advisor: "anthropic/claude-opus-4-8:high",
  },
  "opus-codex": {
    default: "anthropic/claude-opus-4-8:high",
    task: "openai-codex/gpt-5.5:medium",
    slow: "openai-codex/gpt-5.5:high",
    plan: "openai-codex/gpt-5.5:high",
    advisor: "openai-codex/gpt-5.5:high",
  },
};

export function builtInProfiles(): Profile[] {
  const tiered = Object.entries(TIERED).flatMap(([name, model]) =>
    (Object.keys(TIERS) as Tier[]).map((tier) => {
      const roles = Object.entries(TIERS[tier]).map(([role, level]) => [role, `${model}:${level}`]);
      return profileOf(`${name}-${tier}`, Object.fromEntries(roles));
    }),
  );
  return [...tiered, ...Object.entries(MIXED).map(([name, roles]) => profileOf(name, roles))];
}

function profileOf(name: string, roles: Readonly<Record<string, string>>): Profile {
  return { name, requiredProviders: providersOf(roles), roles };
}

function providersOf(roles: Readonly<Record<string, string>>): string[] {
  return [...new Set(Object.values(roles).map((selector) => selector.split("/")[0]!))];
}

/** Refused as a whole where a provider it needs is not connected. */
export function findProfile(access: ModelAccess, name: string): Profile {
  const own = access.registry.config.profiles.get(name);
  const profile = own
    ? {
        name,
        roles: withOurRoles(own.model_mapping),
        requiredProviders: own.required_providers ?? [],
      }
    : builtInProfiles().find((candidate) => candidate.name === name);
  if (!profile) {
    const names = [
      ...access.registry.config.profiles.keys(),
      ...builtInProfiles().map((candidate) => candidate.name),
    ];
    const near = suggest(name, names);
    const hint = near ? `did you mean "${near}"?` : `there are ${names.join(", ")}`;
    throw new UserError(`unknown profile "${name}"; ${hint}`, EXIT.usage);
  }
  const missing = profile.requiredProviders.filter((id) => !access.credentials.has(id));
  if (missing.length > 0) {
    throw new UserError(
      `the profile ${name} needs ${missing.join(" and ")}, which is not connected; see tau login`,
      EXIT.noCredentials,
    );
  }
  return profile;
}

function withOurRoles(mapping: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapping).map(([role, selector]) => [ROLE_ALIASES[role] ?? role, selector]),
  );
}
