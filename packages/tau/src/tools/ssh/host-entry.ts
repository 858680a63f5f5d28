// One host as a user writes it in a file: several spellings of the same words are known, because
// such files come along from elsewhere.

import { dirname, isAbsolute, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { hostProblem, type SshHost } from "@tau/host/ssh/ssh-host";
import { expandHome } from "../../config/places.ts";

export interface EntryPlace {
  env: Environment;
  /** Relative keys count from its directory. */
  file: string;
}

export type EntryResult = { ok: true; host: SshHost } | { ok: false; why: string };

const WORDS: Readonly<Record<string, string>> = {
  host: "address",
  hostname: "address",
  address: "address",
  user: "user",
  username: "user",
  port: "port",
  key: "key",
  keyPath: "key",
  identityFile: "key",
  compat: "compat",
  description: "description",
};
/** Of a description, in what the model is told. */
const MAX_DESCRIPTION_CHARACTERS = 200;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export function readHostEntry(name: string, entry: unknown, place: EntryPlace): EntryResult {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return refuse('a host is a map, such as { "host": "10.0.0.1", "user": "ada" }');
  }
  const given: Record<string, string> = {};
  for (const [word, value] of Object.entries(entry)) {
    const meaning = WORDS[word];
    if (meaning === undefined) {
      return refuse(`${word} is unknown; the keys are host, user, port, key, compat, description`);
    }
    if (!["string", "number", "boolean"].includes(typeof value))
      return refuse(`${word} is not text`);
    const expanded = expand(String(value), place.env);
    if (!expanded.ok) return expanded;
    given[meaning] = expanded.text;
  }
  const { address = name, user, port, key, compat, description } = given;
  if (compat !== undefined && compat !== "true" && compat !== "false") {
    return refuse("compat must be true or false");
  }
  const host: SshHost = {
    name,
    address,
    user: user || undefined,
    port: port ? Number(port) : undefined,
    keyPath: key ? keyPath(key, place) : undefined,
    compat: compat === undefined ? undefined : compat === "true",
    description: description ? description.slice(0, MAX_DESCRIPTION_CHARACTERS) : undefined,
  };
  const problem = hostProblem(host);
  return problem === undefined ? { ok: true, host } : refuse(problem);
}

function refuse(why: string): { ok: false; why: string } {
  return { ok: false, why };
}

/** `${NAME}` and `${NAME:-otherwise}`; one that is not set is no empty text. */
function expand(
  text: string,
  env: Environment,
): { ok: true; text: string } | { ok: false; why: string } {
  let missing: string | undefined;
  const expanded = text.replace(VARIABLE, (_, name: string, otherwise: string | undefined) => {
    const value = env[name] || otherwise;
    if (value === undefined) missing ??= name;
    return value ?? "";
  });
  return missing === undefined
    ? { ok: true, text: expanded }
    : refuse(`the variable ${missing} is not set`);
}

function keyPath(key: string, { env, file }: EntryPlace): string {
  const path = expandHome(key, env);
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}
