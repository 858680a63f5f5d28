// What a look through a whole project finds of secrets: whoever searches it for keys, or reads its
// hidden files, has read those that are kept at its top.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { GuardContext } from "./guard-context.ts";

const KEY_WORDS = /TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL|PRIVATE/i;

/** Other searches of a project find none, or would make every later call ask. */
export function isLookingForKeys(text: string): boolean {
  return KEY_WORDS.test(text);
}

/** Each with what it is: "/home/me/project/.env, a file of environment secrets". */
export function secretsAtTop(
  directory: string,
  { secrets }: Pick<GuardContext, "secrets">,
): string[] {
  return namesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const what = secrets(path);
    return what === undefined ? [] : [`${path}, ${what}`];
  });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // Gone or forbidden: nothing was found there either.
    if (typeof (error as { code?: unknown }).code === "string") return [];
    throw error;
  }
}
