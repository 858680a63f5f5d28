// `tau logout`: removes what is stored for a provider, and says what it removed.

import { LOGINS } from "@tau/ai/oauth/logins";
import { COMMAND } from "../../brand.ts";
import { findCommand } from "../command-table.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { Interrupted } from "../../credentials/ask-line.ts";
import { choose } from "../../credentials/choose.ts";
import type { CredentialStore, StoredCredential } from "../../credentials/credential-store.ts";
import { forgetCredentials } from "../../credentials/forget-credentials.ts";
import { openStore } from "../../credentials/open-store.ts";
import { TerminalDriver } from "../../credentials/terminal-driver.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const { env } = process;
  const [wanted, ...more] = positionals;
  if (more.length > 0) throw new UsageError("name one provider at a time", usage());
  let removed: readonly StoredCredential[];
  try {
    const store = await openStore(env);
    removed = store ? await toRemove(store, wanted, flags.account) : nothing([], wanted);
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    throw error;
  }
  const outcome = await forgetCredentials(env, removed);
  for (const { provider, label, secret } of removed) {
    const kind = secret.kind === "api_key" ? "key" : "login";
    const name = label === kind ? "" : ` "${label}"`;
    await writeOutput(`Removed the ${kind}${name} of ${provider}.\n`);
  }
  if (outcome === "later") {
    writeError("Another process is using the store; the removed data will be overwritten later.\n");
  }
  return EXIT.done;
}

async function toRemove(
  store: CredentialStore,
  wanted: string | undefined,
  account: string | true | undefined,
): Promise<readonly StoredCredential[]> {
  using opened = store;
  const all = opened.list();
  const provider = await providerOf(all, wanted);
  if (provider === undefined) return [];
  const removed = all.filter(
    (stored) => stored.provider === provider && (!account || stored.label === account),
  );
  if (removed.length === 0) nothing(all, provider, account);
  return removed;
}

async function providerOf(
  all: readonly StoredCredential[],
  wanted: string | undefined,
): Promise<string | undefined> {
  // A login's own name means the provider that it is for.
  if (wanted !== undefined) return LOGINS.find(({ id }) => id === wanted)?.provider ?? wanted;
  const providers = [...new Set(all.map(({ provider }) => provider))];
  if (providers.length === 0) nothing(all, wanted);
  if (!process.stdin.isTTY) {
    throw new UsageError(`name a provider: ${providers.join(", ")}`, usage());
  }
  const choices = providers.map((id) => {
    const labels = all.filter(({ provider }) => provider === id).map(({ label }) => label);
    return { id, name: labels.join(", ") };
  });
  const driver = new TerminalDriver({ env: process.env });
  return (await choose(driver, "Log out of which provider? (number or name)", { choices }))?.id;
}

/** Says why there is nothing to remove; a slip of the fingers is the likeliest reason. */
function nothing(
  all: readonly StoredCredential[],
  provider: string | undefined,
  account?: string | true,
): never {
  if (provider === undefined) {
    throw new UserError(`nothing is stored; to log in: ${COMMAND} login`, EXIT.noCredentials);
  }
  const own = all.filter((stored) => stored.provider === provider);
  if (own.length > 0) {
    const labels = own.map(({ label }) => `"${label}"`).join(", ");
    throw new UserError(
      `${provider} has no account "${account}"; it has ${labels}`,
      EXIT.noCredentials,
    );
  }
  const stored = [...new Set(all.map((each) => each.provider))];
  const known = LOGINS.some((login) => login.provider === provider);
  const near = known ? undefined : suggest(provider, [...stored, ...LOGINS.map(({ id }) => id)]);
  if (near)
    throw new UsageError(`unknown provider "${provider}"; did you mean "${near}"?`, usage());
  const have = stored.length > 0 ? `; stored are ${stored.join(", ")}` : "";
  throw new UserError(`nothing is stored for ${provider}${have}`, EXIT.noCredentials);
}

function usage(): string {
  return usageLine(findCommand("logout")!);
}
