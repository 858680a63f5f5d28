// What git exchanges with others besides pushing: mails, and references that a fetch writes over.

import {
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ReadArguments,
} from "../command-call.ts";
import { judgeLoaded } from "../judge-loading.ts";

const MAIL_VALUED =
  "to cc bcc from subject in-reply-to smtp-server smtp-server-port smtp-user smtp-pass smtp-encryption smtp-domain smtp-server-option sendmail-cmd to-cmd cc-cmd header-cmd compose-encoding transfer-encoding envelope-sender reply-to identity suppress-cc validate batch-size relogin-delay confirm";
/** Shortened as well, but `--to` is somebody. */
const MAIL_COMMAND = /^(?:sendmail-c\w*|(?:to|cc|header)-\w*)$/;

/** Some of its options are commands; what it is given goes to whom it is told. */
export function judgeMail(call: CommandCall): void {
  const { effects, walk } = call;
  effects.sends = true;
  effects.executes = true;
  const read = readArguments(call.args, MAIL_VALUED);
  for (const [name, values] of read.values) {
    if (!MAIL_COMMAND.test(name)) continue;
    for (const { text } of values) {
      if (text === undefined) effects.unknown.push("its command is only known when it runs");
      else walk.runText(call, text);
    }
  }
  for (const { text } of valuesOf(read, "smtp-server"))
    if (text?.startsWith("/")) judgeLoaded(call, text);
}

/** Branches of one's own that the other side does not have, or has in another state. */
export function judgeFetch(call: CommandCall, read: ReadArguments): void {
  const isOverwriting = hasAny(read, "p prune f force P prune-tags");
  const isOwn = call.args.some(({ text, prefix }) => {
    const reference = text ?? prefix;
    if (/^\+[^:]+:(?:main|master|trunk|develop)$/.test(reference)) return true;
    const target = /^\+?refs\/[^:]*:(refs\/\S*)$/.exec(reference)?.[1];
    if (target === undefined || /^refs\/(?:remotes|original|pull|prefetch)\//.test(target))
      return false;
    return isOverwriting || reference.startsWith("+");
  });
  if (isOwn) call.effects.critical.push("deletes or overwrites branches of this repository");
}
