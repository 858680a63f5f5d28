// Tau itself, called from within a run: what changes its own settings, trust, logins or sessions,
// or starts another one with fewer questions, is for a person to decide.

import { readArguments, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText } from "../field.ts";

const VALUED =
  "m model mode models profile thinking api-key system-prompt append-system-prompt approval-mode config C cwd r resume max-turns";
/** They tell how things stand, and nothing else. */
const LOOKING =
  /^(?:ps|help|models|usage|gallery|completions|history|prompt|find|grep|config(?: (?:get|list|show|explain|path))?|sessions(?: (?:list|show|path))?|trust(?: (?:list|show|status))?)(?: |$)/;
const CRITICAL: readonly (readonly [RegExp, string])[] = [
  [/^config (?!get|list|show|explain|path)/, "changes Tau's own settings"],
  [/^trust (?!list|show|status)/, "changes what Tau trusts"],
  [/^(?:login|logout)\b/, "changes Tau's logins"],
  [/^token\b/, "prints Tau's keys"],
  [/^(?:run-confined|try-sandbox)\b/, "starts a program by a door that is Tau's own"],
  [/^sessions (?!list|show|path|export)/, "changes or deletes sessions of Tau"],
];

function judgeTau({ args, effects, environment }: CommandCall): void {
  const { operands, options, hasOpenOption } = readArguments(args, VALUED);
  const words = operands.map((field) => exactText(field) ?? "?").join(" ");
  if (args.length === 1 && /^(?:--version|-V|--help|-h)$/.test(args[0]!.text ?? "")) {
    effects.reads = true;
    return;
  }
  for (const [pattern, reason] of CRITICAL) if (pattern.test(words)) effects.critical.push(reason);
  const isLoosened = [...options].some((name) => /^(?:yo|approv|conf)/.test(name));
  const isMoved = [...environment.keys()].some((key) => key.startsWith("TAU_"));
  if (isLoosened || isMoved) effects.critical.push("starts Tau with other settings");
  if (hasOpenOption || words.startsWith("?"))
    effects.unknown.push("what Tau is asked to do is only known when it runs");
  if (/^edit\b/.test(words)) effects.unknown.push("its patch may change any file");
  effects.executes = true;
  // Whatever it is asked to do goes to a model.
  if (!LOOKING.test(words)) {
    effects.network = true;
    effects.sends = true;
  }
}

export const OWN_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map([["tau", judgeTau]]);
