// `tau login`: a login at a vendor's page, or a key that is pasted, stored for this user.

import { checkedKey, MAX_KEY_CHARS, NO_KEY } from "@tau/ai/oauth/key-login";
import { loadLogin, LOGINS, type LoginEntry } from "@tau/ai/oauth/logins";
import { CannotAsk, OAuthError, type LoginResult } from "@tau/ai/oauth/oauth";
import { findProvider } from "@tau/ai/providers";
import { COMMAND } from "../../brand.ts";
import { findCommand } from "../command-table.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { Interrupted } from "../../credentials/ask-line.ts";
import { choose, type ChoiceList } from "../../credentials/choose.ts";
import { storePath } from "../../credentials/open-store.ts";
import { storeLogin } from "../../credentials/store-login.ts";
import { TerminalDriver } from "../../credentials/terminal-driver.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { Interrupt } from "../../base/interrupt.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const { env } = process;
  using interrupt = new Interrupt();
  const driver = new TerminalDriver({ env, signal: interrupt.signal });
  try {
    const login = await loginFor(positionals, driver);
    if (!login) return EXIT.done;
    const result = flags["key-stdin"]
      ? await keyFromInput(login, driver, interrupt.signal)
      : await (await loadLogin(login.id))!.login(driver, {
          fetch,
          env,
          signal: interrupt.signal,
          now: Date.now,
        });
    await store(login, result, typeof flags.account === "string" ? flags.account : undefined);
    return EXIT.done;
  } catch (error) {
    if (error instanceof Interrupted || interrupt.signal.aborted) return EXIT.interrupted;
    throw inWords(error, positionals[0]);
  }
}

async function loginFor(
  [wanted, ...more]: readonly string[],
  driver: TerminalDriver,
): Promise<LoginEntry | undefined> {
  const usage = usageLine(findCommand("login")!);
  if (more.length > 0) throw new UsageError("name one provider at a time", usage);
  const ids = LOGINS.map(({ id }) => id);
  if (wanted === undefined) {
    if (process.stdin.isTTY)
      return choose(driver, "Log in to which provider? (number or name)", listed());
    throw new UsageError(`name a provider: ${ids.join(", ")}`, usage);
  }
  const found = LOGINS.find(({ id }) => id === wanted);
  if (found) return found;
  const near = suggest(wanted, ids);
  const hint = near ? `did you mean "${near}"?` : `the providers are ${ids.join(", ")}`;
  throw new UsageError(`there is no login for "${wanted}"; ${hint}`, usage);
}

function listed(): ChoiceList<LoginEntry> {
  const choices = LOGINS.filter(({ kind }) => kind === "login");
  const keys = LOGINS.filter(({ kind }) => kind === "key");
  return { choices, more: { words: "Or paste a key for", choices: keys } };
}

/** From a pipe as it is; a terminal is asked, so that the key is not echoed. */
async function keyFromInput(
  login: LoginEntry,
  driver: TerminalDriver,
  signal: AbortSignal,
): Promise<LoginResult> {
  const provider = findProvider(login.provider);
  if (!provider || provider.keyEnv.length === 0) {
    throw new UserError(
      `${login.name} takes no keys; log in with: ${COMMAND} login ${login.id}`,
      EXIT.usage,
    );
  }
  const text = process.stdin.isTTY
    ? await driver.ask(`Paste your key for ${provider.name} (it will not be shown):`, {
        secret: true,
      })
    : await Promise.race([readInput(), aborted(signal)]);
  return { kind: "api_key", key: checkedKey(text) };
}

async function readInput(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of Bun.stdin.stream()) {
    text += decoder.decode(part, { stream: true });
    // More is refused anyway, without reading all of it.
    if (text.length > MAX_KEY_CHARS) break;
  }
  return text;
}

/** A pipe that nobody writes to is left at the first Ctrl-C. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

async function store(login: LoginEntry, result: LoginResult, named?: string): Promise<void> {
  const { env } = process;
  const { message, warning } = await storeLogin(env, login, result, named);
  await writeOutput(`${message}\n`);
  if (warning !== undefined) writeError(`${warning}\n`);
  if (process.stdout.isTTY) writeError(`It is in ${storePath(env)}, which only you can read.\n`);
}

function inWords(error: unknown, provider: string | undefined): unknown {
  const again = [COMMAND, "login", provider].filter(Boolean).join(" ");
  if (error instanceof OAuthError) {
    return error.code === NO_KEY
      ? new UserError(error.message, EXIT.usage)
      : new UserError(`the login failed: ${error.message}`);
  }
  if (!(error instanceof CannotAsk)) return error;
  return new UserError(
    `${error.message}; run ${again} in a terminal, or pipe a key to ${again} --key-stdin`,
    EXIT.usage,
  );
}
