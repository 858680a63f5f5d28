// The packages of the family, under every name that they have been published with.

import { absentExports } from "./absent.ts";
import type { Shims } from "./install-shims.ts";

const SCOPES = ["@earendil-works", "@mariozechner", "@oh-my-pi"] as const;

/** By the part of the name behind the scope. */
const PACKAGES: Shims = {
  "pi-coding-agent": () => import("./coding-agent.ts"),
  "pi-coding-agent/extensibility/hooks": () => import("./coding-agent.ts"),
  "pi-coding-agent/extensibility/extensions": () => import("./coding-agent.ts"),
  "pi-coding-agent/extensibility/custom-tools": () => import("./coding-agent.ts"),
  "pi-tui": () => import("./tui.ts"),
  "pi-ai": () => import("./ai.ts"),
  "pi-ai/compat": () => import("./ai.ts"),
  "pi-agent-core": async () => ({}),
};

const SCHEMAS: Shims = {
  typebox: () => import("typebox"),
  "typebox/compile": () => import("typebox/compile"),
  "typebox/value": () => import("typebox/value"),
  "@sinclair/typebox": () => import("@sinclair/typebox"),
};

export const FAMILY_SHIMS: Shims = {
  ...Object.fromEntries(
    SCOPES.flatMap((scope) =>
      Object.entries(PACKAGES).map(
        ([name, load]) =>
          [
            `${scope}/${name}`,
            async () => ({ ...absentExports(name), ...(await load()) }),
          ] as const,
      ),
    ),
  ),
  ...SCHEMAS,
};
