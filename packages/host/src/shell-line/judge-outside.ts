// Paths that a program is given although they are neither the project's nor temporary. What a program
// does to them nobody knows unless its options are modelled one by one, so somebody is asked.

import { targetsOf, type CommandCall } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";

/** Options under which nearly every program takes what it only reads. */
const READING =
  /^-{0,2}(?:[cIL]|(?:config(?:-?file|-?path)?|conf|rcfile|rc-file|settings|schema|project|tsconfig|include(?:-path|-dir)?|includes?|input(?:-?file)?|in|infile|from|source|src|file-list|ignore-?(?:path|file)|exclude(?:-from)?|inventory|key|key-?file|identity(?:-file)?|cert|certfile|ca|ca-?cert|cacert|kubeconfig|env-file|python|interpreter|compiler|sysroot|toolchain|plugin-search-dir|stubPath|typeshed\S*|dictionary|theme|template|font|fonts|rootdir|base|compare|against|baseline|makefile|settings|justfile|buildfile))$/;
/** Nobody writes there without other rights, and compilers are pointed there all day. */
const SYSTEM =
  /^\/(?:usr|lib|lib32|lib64|bin|sbin|opt|nix|snap|proc|sys|dev|System|Library|Applications|private\/var\/select)(?:\/|$)/;
const URL = /^[A-Za-z][\w+.-]*:\/\//;
/** `name=value`, `--name=value`, `-Dname=value` */
const ASSIGNED = /^(-{0,2}[A-Za-z][\w.:-]*)=(.*)$/s;
/** A path behind the letters of options: `-o/x`, `-C../x`, `-xvf~/x`. */
const GLUED = /^(-[A-Za-z]{1,4})((?:\/|~\/|~$|\.\.?\/|\.\.$).*)$/s;

const MENDING =
  /^--(?:fix|write|in-?place|apply|update|overwrite|auto-?correct\S*|modify|replace|format)(?:=(?!false|none).*)?$/i;

export interface OutsideOptions {
  /** Operands are only read; values of options may be written. */
  readsOperands?: boolean;
}

/** Notes each path outside that the program may do something to. */
export function judgeOutsidePaths(call: CommandCall, options: OutsideOptions = {}): void {
  const { args, effects } = call;
  // What mends writes what it was only to read.
  const readsOperands =
    options.readsOperands === true && !args.some(({ text }) => MENDING.test(text ?? ""));
  args.forEach((field, index) => {
    const text = field.text ?? field.prefix;
    const assigned = ASSIGNED.exec(text);
    const glued = GLUED.exec(text);
    const before = args[index - 1]?.text ?? "";
    const isOptionBefore = /^-{1,2}[A-Za-z]/.test(before) && !before.includes("=");
    const [option, value] = assigned
      ? [assigned[1]!, assigned[2]!]
      : glued
        ? [glued[1]!, glued[2]!]
        : [isOptionBefore ? before : "", text];
    const isRead = option === "" ? readsOperands : READING.test(option);
    // What stands after an option that takes no value is an operand.
    const isMaybeOperand = !assigned && !glued && readsOperands && isOptionBefore;
    if (isRead || (isMaybeOperand && !isWritingName(option))) return;
    // Alone it is as likely a route or a pattern.
    if (value === "/" && option === "") return;
    for (const path of outsideIn(call, field, value))
      effects.unknown.push(`it is not known what ${call.name} does to ${path}`);
  });
}

/** Names that say that something is made or thrown away there. */
function isWritingName(option: string): boolean {
  return /out|dest|target|dir|path|cache|temp|tmp|log|report|save|write|file|export|dump|store|data|prefix|root|xml|json|html|coverage|result|artifact|record|snapshot|^-[oOdDtTCwWrRfp]$/i.test(
    option,
  );
}

function outsideIn(call: CommandCall, field: Field, value: string): string[] {
  if (URL.test(value) || value.includes("\n")) return [];
  const isHome = /^~(?=\/|$)/.test(value);
  const isPath = isHome || /^(?:\/|\.\.?(?:\/|$))/.test(value) || value.includes("/../");
  // `//pkg:target` names what bazel and its kin build.
  if (!isPath || value.startsWith("//")) return [];
  const text = isHome ? call.context.home + value.slice(1) : value;
  const given =
    field.text === undefined ? { ...field, prefix: text } : knownField(text, field.isPattern);
  return targetsOf(call, given).flatMap(({ place, path }) =>
    place === "outside" && path !== undefined && !SYSTEM.test(path) ? [path] : [],
  );
}
