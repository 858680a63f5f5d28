// Words that mean a loss on whatever is not a file of the project: of databases, clouds, clusters,
// other machines, services and devices. Tools for these are judged by them, whatever else they can do.

import type { CommandCall } from "../command-call.ts";
import { exactText } from "../field.ts";

const LOSING =
  /(?:^|[-:_./])(?:deletes?|deletion|del|destroy|drop|purge|wipe|nuke|terminate|reset|remove|rm|rmi|rb|uninstall|undefine|flush|flushall|truncate|erase|deregister|revoke|unpublish|prune|evict|drain|teardown|decommission|unregister|implode|expunge|fresh|force-unlock|overwrite|unlink)(?:$|[-:_./])/i;
/** Others rely on what runs there. */
const STOPPING =
  /(?:^|[-:_./])(?:stop|kill|shutdown|poweroff|reboot|restart|disable|detach|cancel|abort|rollback|down|downgrade|clear|cleanup|empty|unset|scale-?down|pause|suspend|failover|promote)(?:$|[-:_./])/i;
const GRANTING =
  /(?:^|[-:_./])(?:create-access-key|create-user|create-login-profile|(?:attach|put|set|add|create)-[\w-]*(?:policy|policies|role|permissions?|member|binding|grant|credentials?)[\w-]*|authorize-[\w-]+|grant|add-member|invite|make-public)(?:$|[-:_./])/i;
const OPTIONS =
  /^--(?:delete|purge|prune|reset|wipe|destroy|drop|accept-data-loss|force-reset|delete-\w+|remove-all\S*)(?:=(?!false).*)?$/i;
/** Subcommands come first; what follows are names, which may say anything. */
const MAX_WORDS = 4;

export interface LossOptions {
  /** It is not this machine's alone: stopping it or letting others in counts as well. */
  isShared?: boolean;
}

export function judgeLosses(
  { args, effects }: CommandCall,
  what: string,
  { isShared = false }: LossOptions = {},
): void {
  const texts = args.map((field) => exactText(field) ?? "");
  const words = texts.filter((text) => /^[A-Za-z][\w:./-]*$/.test(text)).slice(0, MAX_WORDS);
  if (words.some((word) => LOSING.test(word)) || texts.some((text) => OPTIONS.test(text)))
    effects.critical.push(`deletes or resets ${what}`);
  if (!isShared) return;
  if (words.some((word) => STOPPING.test(word))) effects.critical.push(`stops ${what}`);
  if (words.some((word) => GRANTING.test(word)))
    effects.critical.push(`changes who has access to ${what}`);
}
