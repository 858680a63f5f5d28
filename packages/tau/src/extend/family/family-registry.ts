// `ctx.modelRegistry`: which models there are. Keys and logins stay with Tau: code that wants to ask a
// model does so through the session.

import type { FeatureHost } from "../../feature-api/feature.ts";
import { toFamilyModel } from "./family-model.ts";

export function makeModelRegistry({ session }: FeatureHost): object {
  const current = (): object[] => [toFamilyModel(session.model)];
  return {
    getAll: current,
    getAvailable: current,
    find: (provider: string, id: string) =>
      session.model.provider === provider && session.model.id === id
        ? toFamilyModel(session.model)
        : undefined,
    hasConfiguredAuth: () => true,
    isUsingOAuth: () => false,
    getError: () => undefined,
    refresh: () => {},
  };
}
