// Words that mean a loss on whatever is not a file of the project: of databases, clouds, clusters,
// other machines, services and devices. Tools for these are judged by them, whatever else they can do.

import type { CommandCall } from "../command-call.ts";
import { exactText } from "../field.ts";
import { isEmulated, opensToEverybody } from "./pointed-elsewhere.ts";
import { INSTALLS, PUBLISHES } from "./tool-row.ts";

const LOSING =
  /(?:^|[-:_./])(?:deletes?|deletion|del|destroy|drop|purge|wipe|nuke|terminate|reset|remove|rm|rmi|rb|uninstall|undefine|flush|flushall|truncate|erase|deregister|revoke|unpublish|prune|evict|drain|teardown|decommission|unregister|implode|expunge|fresh|force-unlock|overwrite|unlink|gc|collect-garbage|clear)(?:$|[-:_./])/i;
/** Others rely on what runs there. */
const STOPPING =
  /(?:^|[-:_./])(?:stop|kill|shutdown|poweroff|reboot|restart|disable|detach|cancel|abort|rollback|down|downgrade|clear|cleanup|empty|unset|scale-?down|pause|suspend|failover|promote|deallocate|rebuild|reimage|send-command|run-command|quarantine)(?:$|[-:_./])/i;
const GRANTING =
  /(?:^|[-:_./])(?:create-access-key|create-user|create-login-profile|(?:attach|put|set|add|create)-[\w-]*(?:policy|policies|role|permissions?|member|binding|grant|credentials?)[\w-]*|authorize-[\w-]+|grant|add-member|invite|make-public)(?:$|[-:_./])/i;
const OPTIONS =
  /^--(?:delete|uninstall|remove|purge|prune|reset|wipe|destroy|drop|accept-data-loss|force-reset|delete-\w+|remove-all\S*)(?:=(?!false).*)?$/i;
/** Everybody gets what is put there. */
const DEPLOYING = /(?:^|[-:])(?:deploy|redeploy)(?:$|[-:])/;
/** Of clouds only what plainly looks goes by unasked: their other words are thousands. */
const LOOKING =
  /^(?:(?:describe|list|get|head|batch-get|search|lookup|filter|query|scan|select|tail|wait|validate|test|estimate|simulate|preview|detect|check|decode|export|print|show|read|view|start-query|help|info|version|status)(?:-\S+)?|ls|cp|rsync|sync|cat|du|stat|hash|presign|logs?|login|ssh|emulators?|operations|components)$/;
/** Who may do something, and with which keys. */
const ACCESS =
  /\b(?:iam|role-?assignments?|users?|members?|roles?|polic(?:y|ies)|permissions?|access-keys?|keys|service-accounts?|credentials?|rolebindings?|grants?|collaborators?)\s(?:\S+\s)?(?:create|add|set|grant|generate|attach|update|upload|enable|put|invite)|\biam (?:create|put|attach|add|update|upload|set|enable)-/i;
const PLUGIN = /\b(?:plugins?|extensions?|krew|profile|tap)\s(?:add|install|upgrade)\b/;
/** Subcommands come first; what follows are names, which may say anything. */
const MAX_WORDS = 4;

export function isLosingWord(word: string): boolean {
  return LOSING.test(word);
}

export interface LossOptions {
  /** Whatever does not plainly look asks. */
  isClosed?: boolean;
  /** It is not this machine's alone: stopping it or letting others in counts as well. */
  isShared?: boolean;
}

/** What a tool fetches as a part of itself it runs from then on. */
export function judgePlugins({ name, args, effects }: CommandCall): void {
  const words = args.map((field) => exactText(field) ?? "").filter((text) => !text.startsWith("-"));
  if (PLUGIN.test([name, ...words.slice(0, MAX_WORDS)].join(" "))) effects.critical.push(INSTALLS);
}

export function judgeLosses(
  call: CommandCall,
  what: string,
  { isShared = false, isClosed = false }: LossOptions = {},
): void {
  const { args, effects } = call;
  if (isShared && isEmulated(call)) return;
  const texts = args.map((field) => exactText(field) ?? "");
  const words = texts.filter((text) => /^[A-Za-z][\w:./-]*$/.test(text)).slice(0, MAX_WORDS);
  if (words.some((word) => LOSING.test(word)) || texts.some((text) => OPTIONS.test(text)))
    effects.critical.push(`deletes or resets ${what}`);
  if (!isShared) return;
  if (opensToEverybody(call)) effects.critical.push("opens something to everybody");
  if (isClosed && words.length > 1 && !words.some((word) => LOOKING.test(word)))
    effects.critical.push(`changes ${what}`);
  if (words.some((word) => DEPLOYING.test(word))) effects.critical.push(PUBLISHES);
  if (words.some((word) => STOPPING.test(word))) effects.critical.push(`stops ${what}`);
  if (words.some((word) => GRANTING.test(word)) || ACCESS.test(words.join(" ")))
    effects.critical.push(`changes who has access to ${what}`);
}
