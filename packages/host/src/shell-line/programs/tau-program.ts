// Tau itself, called from within a run: what changes its own settings, trust, logins or sessions,
// or starts another one with fewer questions, is for a person to decide.

import { readArguments, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText, type Field } from "../field.ts";

const VALUED =
  "m model mode models smol slow plan profile thinking api-key system-prompt append-system-prompt approval-mode config C cwd r resume max-turns e extension hook feature";
/** They tell how things stand, and nothing else. */
const LOOKING =
  /^(?:ps|help|models|usage|gallery|completions|history|prompt|find|grep|config(?: (?:get|list|show|explain|path))?|sessions(?: (?:list|show|path))?|trust(?: (?:list|show|status))?|plugin (?:list|doctor)|skill list|extension new)(?: |$)/;
const CRITICAL: readonly (readonly [RegExp, string])[] = [
  [/^config (?!get|list|show|explain|path)/, "changes Tau's own settings"],
  [/^trust (?!list|show|status)/, "changes what Tau trusts"],
  [/^plugin (?!list|show|search|doctor)/, "changes what runs inside Tau"],
  [/^skill (?!list)/, "changes what Tau is told"],
  [/^extension (?!new)/, "runs a module inside Tau, where nothing is judged"],
  [/^(?:login|logout)\b/, "changes Tau's logins"],
  [/^token\b/, "prints Tau's keys"],
  [/^(?:run-confined|try-sandbox)\b/, "starts a program by a door that is Tau's own"],
  [/^sessions (?!list|show|path|export)/, "changes or deletes sessions of Tau"],
];

/** Where Tau finds its user's settings, and what the runtime loads before it. */
const MOVING = /^(?:TAU_|OMP_|PI_|BUN_|NODE_OPTIONS$|HOME$|USERPROFILE$)/;
const PRINTING = /^(?:--mode=)?(?:text|json)$/;

function isPrinting(field: Field): boolean {
  return PRINTING.test(exactText(field) ?? "");
}

function judgeTau({ args, effects, environment }: CommandCall): void {
  const { operands, options, hasOpenOption } = readArguments(args, VALUED);
  const words = operands.map((field) => exactText(field) ?? "?").join(" ");
  const isMoved = [...environment.keys()].some((key) => MOVING.test(key));
  const asksOnly = args.length === 1 && /^(?:--version|-V|--help|-h)$/.test(args[0]!.text ?? "");
  if (asksOnly && !isMoved) {
    effects.reads = true;
    return;
  }
  for (const [pattern, reason] of CRITICAL) if (pattern.test(words)) effects.critical.push(reason);
  const isLoosened = [...options].some((name) => /^(?:yo|approv|conf)/.test(name));
  if ([...options].some((name) => /^(?:e$|ext|hook)/.test(name))) {
    effects.critical.push("loads code into Tau, where nothing is judged");
  }
  if ([...options].some((name) => /^mod(?:e|$)/.test(name)) && !args.some(isPrinting)) {
    effects.critical.push("starts Tau for another program, which then decides for you");
  }
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
