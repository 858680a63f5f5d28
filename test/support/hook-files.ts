// What tests about hooks write down and look at.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Extended } from "./extended.ts";

export interface Group {
  matcher?: string;
  hooks: readonly (string | Record<string, unknown>)[];
}

/** A settings file with these hooks. */
export const groups = (given: Readonly<Record<string, readonly Group[]>>): string =>
  JSON.stringify({
    hooks: Object.fromEntries(
      Object.entries(given).map(([event, list]) => [
        event,
        list.map(({ matcher, hooks }) => ({
          matcher,
          hooks: hooks.map((hook) =>
            typeof hook === "string"
              ? { type: "command", command: hook }
              : { type: "command", ...hook },
          ),
        })),
      ]),
    ),
  });

export const bash = (command: string) => ({
  toolCalls: [{ name: "bash", arguments: { command } }],
});
export const there = (program: Extended, name: string): boolean =>
  existsSync(join(program.cwd, name));
export const lastOf = (program: Extended, at: number): string => program.requests()[at]!.at(-1)!;
