// Variables that hold options of one program: `ZIPOPT=-m zip x y` is `zip -m x y`. The command is judged once
// more with them in it.

import type { CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";
import { takeOver } from "./judge-unknown.ts";

const HOLDERS: readonly (readonly [programs: RegExp, variables: RegExp])[] = [
  [/^(?:g?tar|bsdtar)$/, /^TAR_(?:OPTIONS|READER_OPTIONS|WRITER_OPTIONS)$/],
  [/^zip$/, /^ZIPOPT$/],
  [/^unzip$/, /^UNZIP(?:OPT)?$/],
  [/^(?:gzip|gunzip)$/, /^GZIP$/],
  [/^(?:bzip2|bunzip2)$/, /^BZIP2?$/],
  [/^(?:xz|unxz)$/, /^XZ_(?:OPT|DEFAULTS)$/],
  [/^(?:mvn|mvnw|mvnd)$/, /^MAVEN_ARGS$/],
  [/^go$/, /^GOFLAGS$/],
  [
    /^(?:java|javac|jshell|mvn|gradle|sbt|kotlin|scala)$/,
    /^(?:_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS)$/,
  ],
  [/^(?:terraform|tofu)$/, /^TF_CLI_ARGS(?:_\w+)?$/],
  [/^(?:ansible\S*)$/, /^ANSIBLE_\w+_ARGS$/],
  [/^rsync$/, /^RSYNC_OPTIONS$/],
  [/^parallel$/, /^PARALLEL$/],
  [/^(?:jq|yq|mlr)$/, /^(?:JQ|YQ|MLR)_(?:OPTS|OPTIONS)$/],
];

export function judgeEnvironmentOptions(call: CommandCall): void {
  const { name, args, environment, state, effects, walk } = call;
  if (environment.size === 0 && state.variables.size === 0) return;
  const holders = HOLDERS.filter(([programs]) => programs.test(name));
  for (const [, variables] of holders)
    for (const [variable, field] of [...state.variables, ...environment]) {
      if (!variables.test(variable) || field.text === "") continue;
      if (field.text === undefined) {
        effects.unknown.push("an option of it is only known when it runs");
        continue;
      }
      const options = field.text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      const words = options.map((word) => knownField(word.replace(/^["']|["']$/g, "")));
      // A program with subcommands wants them behind the word, the others take them anywhere.
      const at = name === "parallel" ? 0 : /^(?:go|terraform|tofu)$/.test(name) ? 1 : args.length;
      const all = [knownField(name), ...args.slice(0, at), ...words, ...args.slice(at)];
      const inner = { ...state, variables: without(call, variables) };
      const bare = { ...call, environment: new Map(), state: inner };
      takeOver(effects, walk.probeArguments(bare, all), true);
    }
}

function without({ state }: CommandCall, variables: RegExp): ReadonlyMap<string, Field> {
  return new Map([...state.variables].filter(([name]) => !variables.test(name)));
}
