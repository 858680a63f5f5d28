// `tau token`: the key or access token that a run would use, on one line, for scripts. A
// login that has expired is renewed first.

import { ModelError } from "@tau/ai/error";
import { LOGINS } from "@tau/ai/oauth/logins";
import { COMMAND } from "../../brand.ts";
import { findCommand } from "../command-table.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openModels } from "../../features/open-models.ts";
import type { ModelAccess } from "../../model/model-access.ts";
import { Interrupt } from "../../base/interrupt.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";

export async function run({ positionals }: ParsedArgs): Promise<ExitCode> {
  const usage = usageLine(findCommand("token")!);
  const [wanted, ...more] = positionals;
  if (wanted === undefined || more.length > 0) throw new UsageError("name one provider", usage);
  // A token is the same wherever one works.
  const access = await openModels({ env: process.env, cwd: "/" });
  const provider = LOGINS.find(({ id }) => id === wanted)?.provider ?? wanted;
  const rows = access.registry.rows().map((row) => row.id);
  if (!rows.includes(provider)) {
    const near = suggest(provider, rows);
    const hint = near ? `did you mean "${near}"?` : `the providers are ${rows.join(", ")}`;
    throw new UsageError(`unknown provider "${provider}"; ${hint}`, usage);
  }
  using interrupt = new Interrupt();
  try {
    const credential = await access.credentials.get(provider, { signal: interrupt.signal });
    if (!credential) throw noToken(access, provider);
    await writeOutput(`${credential.token}\n`);
    return EXIT.done;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    if (error instanceof ModelError) throw new UserError(error.message);
    throw error;
  }
}

function noToken(access: ModelAccess, provider: string): UserError {
  const row = access.registry.row(provider);
  const [variable] = row?.keyEnv ?? [];
  const orSet = variable ? `, or set ${variable}` : "";
  const what = row?.keyless ? `${provider} needs no key` : `no working credential for ${provider}`;
  return new UserError(
    `${what}; to store one: ${COMMAND} login ${provider}${orSet}`,
    EXIT.noCredentials,
  );
}
