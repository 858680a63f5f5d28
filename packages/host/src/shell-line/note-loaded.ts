// What the code of other languages does to paths beyond reading and writing them: links that it makes
// itself lead on from then, and modules that it loads run.

import { posix } from "node:path";
import type { CodeEffects } from "../code-reading/code-effects.ts";
import { targetsOf, type CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";
import { NO_INPUT } from "./no-input.ts";
import { isFetched } from "./note-fetched.ts";
import { pathsOf } from "./place-path.ts";

/** Where the new names lead, for whatever is done through them. */
export function noteCodeLinks(call: CommandCall, { links }: CodeEffects): void {
  const { home } = call.context;
  const absolute = (path: string): string[] =>
    pathsOf(knownField(path.replace(/^~(?=\/|$)/, home)), call.state) ?? [];
  for (const { path, target } of links)
    for (const link of absolute(path))
      for (const to of absolute(target))
        if (link !== to) call.walk.links.set(posix.normalize(link), posix.normalize(to));
}

const ENDS = {
  python: [".py", "/__init__.py"],
  other: ["", ".js", ".mjs", ".cjs", ".ts", ".tsx", "/index.js", "/index.ts"],
};

/** A module that nobody has read yet runs when it is loaded. */
export function noteLoaded(call: CommandCall, { loads }: CodeEffects): void {
  const isPython = /^(?:python|pypy)/.test(call.name);
  for (const { text } of loads) {
    if (text === undefined || (!isPython && !/^\.{0,2}\//.test(text))) continue;
    for (const end of isPython ? ENDS.python : ENDS.other) judgeFile(call, knownField(text + end));
  }
}

function judgeFile(call: CommandCall, file: Field): void {
  const { walk, context, effects } = call;
  if (isFetched(call, file)) effects.downloadsAndExecutes = true;
  for (const { path } of targetsOf(call, file)) {
    if (path === undefined) continue;
    const isNew = walk.written.has(path) || context.isWritten?.(path) === true;
    const quoted = `'${path.replaceAll("'", String.raw`'\''`)}'`;
    if (isNew) walk.runText({ ...call, input: NO_INPUT }, `${call.name} ${quoted}`);
  }
}
