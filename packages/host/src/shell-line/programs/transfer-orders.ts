// Orders for a program that transfers files: some of them run a command here, or write and delete here.

import { addReads, addTargets, type CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";

export function judgeTransferOrders(call: CommandCall, orders: string): void {
  const { effects, walk, context } = call;
  const field = (path: string): Field => knownField(path.replace(/^~(?=\/|$)/, context.home));
  for (const order of orders.split(/[\n;]/).map((line) => line.trim())) {
    const command = /^!\s*(.+)$|^shell\s+(.+)$/s.exec(order);
    if (command) walk.runText(call, command[1] ?? command[2]!);
    const [verb = "", ...words] = order.split(/\s+/);
    const operands = words.filter((word) => !word.startsWith("-"));
    const output = operands[words.includes("-o") ? operands.length - 1 : 1];
    if (/^(?:get|reget|recv|pget|get1|mget)$/.test(verb) && output !== undefined)
      addTargets(call, "overwrites", [field(output)]);
    // Where files come to be that are fetched without a name.
    if (/^(?:lcd|lmkdir|lpwd)$/.test(verb) && operands[0] !== undefined)
      addTargets(call, "overwrites", [field(operands[0])]);
    if (verb === "mirror") judgeMirror(call, words, operands.map(field));
    if (/^(?:source|exec|eval|debug|alias|\.)$/.test(verb))
      effects.unknown.push("its orders are in a file or in another order");
  }
}

/** `mirror [-R] [--delete] SOURCE TARGET`: with `-R` from here to there. */
function judgeMirror(
  call: CommandCall,
  words: readonly string[],
  operands: readonly Field[],
): void {
  const isReverse = words.some((word) => /^(?:-[a-zA-Z]*R|--reverse)/.test(word));
  const isDeleting = words.some((word) =>
    /^(?:-[a-zA-Z]*e|--delete\S*|--Remove-source\S*)$/.test(word),
  );
  if (isReverse) {
    call.effects.sends = true;
    const place = operands[0] ?? knownField(".");
    addReads(call, [place], { isDeep: true });
    for (const what of call.effects.mayReadSecrets) call.effects.readsSecrets.push(what);
    if (isDeleting) call.effects.critical.push("deletes on another machine");
  } else addTargets(call, isDeleting ? "deletes" : "overwrites", [operands[1] ?? knownField(".")]);
}
