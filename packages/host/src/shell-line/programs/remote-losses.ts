// What is lost or opened on another machine, by the programs that reach it: a request that deletes, a
// script that nobody has read, a file that is obeyed there, a way back into this machine.

import { posix } from "node:path";
import type { CommandCall } from "../command-call.ts";
import type { Field } from "../field.ts";

const OWN_MACHINE =
  /^(?:\w+:\/\/)?(?:[^@/]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|[\w-]+\.localhost)(?=[:/?#]|$)/i;

/** `curl -X DELETE https://…` */
export function noteMethod(
  { effects }: CommandCall,
  method: string | undefined,
  addresses: readonly Field[],
): void {
  const isNamed = addresses.some(({ prefix }) =>
    /[/_](?:delete|purge|drop|destroy|flush|reset)(?:[/_?]|$)/i.test(prefix),
  );
  const isDeleting = method === "DELETE" || method === "PURGE";
  if (!isDeleting && !(isNamed && method !== undefined && method !== "GET" && method !== "HEAD"))
    return;
  if (addresses.length > 0 && addresses.every(({ prefix }) => OWN_MACHINE.test(prefix))) return;
  effects.critical.push("deletes on another machine");
}

/** Commands for another machine that come from a file, a pipe or a value are not known here. */
export function noteRemoteScript(call: CommandCall, command: readonly Field[]): void {
  const { effects, input } = call;
  if (command.some(({ text, prefix }) => text === undefined && prefix.trim() === ""))
    effects.unknown.push("what it runs on the other machine is only known when it runs");
  const words = command.map(({ text }) => text ?? "").join(" ");
  const isShell = /^(?:(?:sudo|env|exec) )*(?:\S*\/)?(?:ba|z|da|k)?sh(?: -[\w]+)*(?: -)?$/.test(
    words.trim(),
  );
  const isReading = command.length === 0 || isShell;
  if (isReading && input.isPresent && input.text === undefined)
    effects.unknown.push("what it runs on the other machine comes from elsewhere");
}

/** Ports that others may use, and keys that the other machine may use. */
export function noteOpenings(call: CommandCall, options: readonly Field[]): void {
  const texts = options.map(({ text, prefix }) => text ?? prefix);
  const line = texts.join(" ");
  if (/(?:^| )-\w*[RwA]/.test(line) || /(?:^| )-\w*[LD] ?(?:0\.0\.0\.0|\*|::|\[::\]):/.test(line))
    call.effects.critical.push("lets another machine into this one");
  if (/(?:^| )-\w*g/.test(line) && /(?:^| )-\w*[LD]/.test(line))
    call.effects.critical.push("lets another machine into this one");
}

/** `host:.ssh/authorized_keys`: what is obeyed there is as good as what is obeyed here. */
export function noteRemoteTarget({ context, effects }: CommandCall, target: Field): void {
  const text = target.text ?? target.prefix;
  const path = /^(?:rsync:\/\/[^/]*|[^/:]*:)(.*)$/s.exec(text)?.[1];
  if (path === undefined || path === "") return;
  const there = posix.resolve(context.home, path.replace(/^~(?:\/|$)/, ""));
  const what = context.guards?.(there);
  if (what !== undefined) effects.critical.push(`changes ${text}, ${what}`);
}
