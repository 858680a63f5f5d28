// Tests of extensions that others have published. They are installed before the tests are named: one that
// cannot be had is skipped, and its name says why.

import { test } from "bun:test";
import { installPackages } from "./extension-packages.ts";
import type { Extended } from "./extended.ts";

/** `packages`: versions by name. Gives back the way to say what one of them does. */
export async function published<Name extends string>(packages: Readonly<Record<Name, string>>) {
  const rows = Object.entries<string>(packages).map(([name, version]) => ({ name, version }));
  // From the end on: another file that wants them may run beside this one, and begins at the beginning.
  const installed = await installPackages(rows.toReversed());
  const places = new Map(installed.map((place) => [place.name, place]));
  return (name: Name, what: string, prove: (path: string) => Promise<void>): void => {
    const { path, missing } = places.get(name)!;
    const title = `${name}: ${what}`;
    test.skipIf(path === undefined)(missing === undefined ? title : `${title} (${missing})`, () =>
      prove(path!),
    );
  };
}

export const call = (name: string, args: Record<string, unknown>) => ({
  toolCalls: [{ name, arguments: args }],
});

/** What the model was told last, of each request. */
export const lastLines = (program: Extended): (string | undefined)[] =>
  program.requests().map((lines) => lines.at(-1));
