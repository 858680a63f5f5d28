// Tools of a machine that look with some of their words and change it with the others: keychains, signatures,
// property lists, the network's settings. What does not plainly look asks, or is judged by the file it writes.

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { judgeOutputs, judgeTails } from "../judge-unknown.ts";

interface Looking {
  /** Against all arguments, one blank between them. */
  looks: RegExp;
  /** What the rest does. */
  otherwise: string;
}

const TOOLS: Readonly<Record<string, Looking>> = {
  security: {
    looks:
      /^(?:find-identity|find-certificate|list-keychains(?!.* -s)|default-keychain$|login-keychain$|show-keychain-info|verify-cert|dump-trust-settings|help|cms -D)\b/,
    otherwise: "reads or changes a keychain",
  },
  spctl: { looks: /^(?:-a|--assess|--status|-v -a|-vv? -a)/, otherwise: "changes access rights" },
  scutil: {
    looks: /^(?:--dns|--nwi|--proxy|--get \w+|-r \S+|--nc (?:list|status|show)\b.*)$/,
    otherwise: "changes the machine's settings",
  },
  networksetup: {
    looks: /^-(?:list|get|show|is|version|help|printcommands)/i,
    otherwise: "changes the network",
  },
  pmset: { looks: /^-g\b/, otherwise: "changes the machine's settings" },
  // The name is one that scripts like for a function of their own.
  log: { looks: /^(?!erase\b|config\b|collect\b)/, otherwise: "deletes logs of the machine" },
  bpftrace: {
    looks: /^(?:-l|-V|--version|--info|-h|--help)\b/,
    otherwise: "watches or changes what runs on the machine",
  },
};

function judgeLooking({ looks, otherwise }: Looking): ProgramJudge {
  return (call) => {
    const line = call.args.map(({ text, prefix }) => text ?? `${prefix}?`).join(" ");
    call.effects.executes = true;
    judgeOutputs(call);
    judgeTails(call, call.args);
    if (!looks.test(line)) call.effects.critical.push(otherwise);
  };
}

/** `plutil -p x`, `-convert json -o - x`: the rest writes the file itself. */
function judgePlutil(call: CommandCall): void {
  const [first] = call.args;
  const out = valueAfter(call, "-o");
  if (out !== undefined && out.text !== "-") addTargets(call, "overwrites", [out]);
  else if (/^-(?:p|lint|help|type)$/.test(first?.text ?? "") || out !== undefined)
    call.effects.reads = true;
  else addTargets(call, "overwrites", call.args.slice(-1));
}

function judgePlistBuddy(call: CommandCall): void {
  const read = readArguments(call.args, "c");
  const orders = valuesOf(read, "c").map(({ text }) => text ?? "?");
  const isLooking =
    orders.length > 0 && orders.every((order) => /^\s*(?:print|help)\b/i.test(order));
  if (isLooking) call.effects.reads = true;
  else addTargets(call, "overwrites", read.operands);
}

function judgeCodesign(call: CommandCall): void {
  const isLooking = call.args.some(({ text }) =>
    /^(?:-d\w*|-v+|-h|--display|--verify|--hosting)$/.test(text ?? ""),
  );
  const isSigning = call.args.some(({ text }) =>
    /^(?:-f?s|--sign|--remove-signature)/.test(text ?? ""),
  );
  call.effects.executes = true;
  if (!isLooking || isSigning) addTargets(call, "overwrites", call.args.slice(-1));
  judgeOutputs(call);
}

/** Keys, and the list of machines that are known. */
function judgeKeygen(call: CommandCall): void {
  const read = readArguments(call.args, "t b C N P R F f m O s I n V D r w z a M");
  const files = valuesOf(read, "f").filter(({ text }) => text !== "-");
  const keys = `${call.context.home}/.ssh`;
  call.effects.executes = true;
  if (hasAny(read, "R H")) {
    addTargets(call, "overwrites", files.length > 0 ? files : [knownField(`${keys}/known_hosts`)]);
  } else if (hasAny(read, "l F y B L Q e i") && !hasAny(read, "p c")) call.effects.reads = true;
  else if (hasAny(read, "A")) addTargets(call, "overwrites", [knownField("/etc/ssh")]);
  else if (hasAny(read, "s Y k")) addTargets(call, "overwrites", read.operands);
  else
    addTargets(
      call,
      "overwrites",
      files.length > 0 ? [...files, ...files.map(publicKey)] : [knownField(`${keys}/id_ed25519`)],
    );
}

function publicKey(field: Field): Field {
  return field.text === undefined ? field : knownField(`${field.text}.pub`);
}

function judgeAttributes(call: CommandCall): void {
  const read = readArguments(call.args, "");
  const line = call.args.map(({ text }) => text ?? "?").join(" ");
  if (/(?:^| )-[a-z]*[dcw]/.test(line)) {
    addTargets(call, "overwrites", read.operands.slice(-1));
    // The mark by which a machine asks before it runs a download.
    if (/quarantine|provenance|(?:^| )-[a-z]*c/.test(line))
      call.effects.critical.push("lets a download run without a check");
  } else call.effects.reads = true;
}

function valueAfter({ args }: CommandCall, option: string): Field | undefined {
  const at = args.findIndex(({ text }) => text === option);
  return at < 0 ? undefined : args[at + 1];
}

export const LOOKING_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...Object.entries(TOOLS).map(([name, row]) => [name, judgeLooking(row)] as const),
  ["plutil", judgePlutil],
  ["PlistBuddy", judgePlistBuddy],
  ["codesign", judgeCodesign],
  ["ssh-keygen", judgeKeygen],
  ["xattr", judgeAttributes],
]);
