// Which other machines a command names. Rules about hosts are for refusing: a name too many costs a
// question, one too few lets a refused host be reached.

import type { CommandEffects } from "@tau/host/shell-line/command-effects";

const IN_ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@'"]*@)?([^\s/:?#'"]+)/gi;
/** `evil.example`, `me@evil.example:x`, `10.0.0.1`: only in commands that use the network or may. */
const NAME =
  /(?:^|[\s=@,'"])((?:[a-z0-9_-]+\.)+[a-z0-9_-]*[a-z0-9]|\d+(?:\.\d+){3})(?=$|[\s:/,'"])/gi;
/** Commands name a few; a generated list is not read to its end. */
const MAX_HOSTS = 200;

export function hostsIn(text: string): string[] {
  return found(text, IN_ADDRESS);
}

export function namedHosts(commands: readonly CommandEffects[]): string[] {
  const hosts = commands.flatMap(({ text, spellings, network, sends, executes }) => {
    const words = [text, ...spellings].join("\n");
    const named = network || sends || executes ? found(words, NAME) : [];
    return [...hostsIn(words), ...named];
  });
  return [...new Set(hosts)].slice(0, MAX_HOSTS);
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, host]) => host!.toLowerCase());
}
