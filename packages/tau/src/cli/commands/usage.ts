// `tau usage`: what is stored, whether it works, and how much of each plan is used where
// its vendor tells. A vendor that does not answer never fails the command.

import type { UsageLimit } from "@tau/ai/oauth/usage-report";
import { findProvider } from "@tau/ai/providers";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeOutput } from "../../base/output.ts";
import type { CredentialStore, StoredCredential } from "../../credentials/credential-store.ts";
import { openStore, storePath } from "../../credentials/open-store.ts";
import { timeInWords } from "../../credentials/time-words.ts";
import type { UsageView } from "../../credentials/usage-reports.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { Interrupt } from "../../base/interrupt.ts";
import { styleFor, type Style } from "../../base/style.ts";

interface Line {
  stored: StoredCredential;
  usage: UsageView | undefined;
}

export async function run({ flags }: ParsedArgs): Promise<ExitCode> {
  const store = await openStore(process.env);
  using interrupt = new Interrupt();
  try {
    const lines = store ? await collect(store, interrupt.signal) : [];
    const style = styleFor(process.stdout, process.env);
    await writeOutput(flags.json ? inJson(lines) : inWords(lines, Date.now(), style));
    return EXIT.done;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  }
}

async function collect(opened: CredentialStore, signal: AbortSignal): Promise<Line[]> {
  using store = opened;
  const [{ UsageCache }, { UsageReports }] = await Promise.all([
    import("../../credentials/usage-cache.ts"),
    import("../../credentials/usage-reports.ts"),
  ]);
  using cache = new UsageCache(storePath(process.env));
  cache.prune();
  const reports = new UsageReports({
    store,
    cache,
    context: { fetch, env: process.env, now: Date.now, signal },
    login: async (provider) => {
      const id = findProvider(provider)?.login;
      return id === undefined ? undefined : (await import("@tau/ai/oauth/logins")).loadLogin(id);
    },
  });
  const usages = new Map(
    await Promise.all(
      store.list().map(async (stored) => [stored.id, await reports.of(stored)] as const),
    ),
  );
  // Looking may have renewed a login, or found it ended.
  return store.list().map((stored) => ({ stored, usage: usages.get(stored.id) }));
}

function inJson(lines: readonly Line[]): string {
  const view = lines.map(({ stored, usage }) => ({
    provider: stored.provider,
    label: stored.label,
    kind: stored.secret.kind,
    expiresAt: stored.secret.kind === "oauth" ? (stored.secret.tokens.expiresAt ?? null) : null,
    disabledCause: stored.disabledCause ?? null,
    limitedUntil: stored.limitedUntil ?? null,
    usage: usage?.report ?? null,
    usageFetchedAt: usage?.fetchedAt ?? null,
    usageProblem: usage?.problem ?? null,
  }));
  return `${JSON.stringify(view, null, 2)}\n`;
}

function inWords(lines: readonly Line[], now: number, style: Style): string {
  if (lines.length === 0) return `Nothing is stored. To log in: ${COMMAND} login\n`;
  const providers = [...new Set(lines.map(({ stored }) => stored.provider))];
  const width = Math.max(...lines.map(({ stored }) => stored.label.length));
  return providers
    .map((provider) => {
      const own = lines.filter(({ stored }) => stored.provider === provider);
      const rows = own.flatMap((line) => rowsOf(line, { now, width, style }));
      return `${[style.bold(provider), ...rows].join("\n")}\n`;
    })
    .join("\n");
}

function rowsOf(
  { stored, usage }: Line,
  { now, width, style }: { now: number; width: number; style: Style },
): string[] {
  const rows = [`  ${stored.label.padEnd(width)}  ${stateOf(stored, now, style)}`];
  const { report, fetchedAt, problem } = usage ?? {};
  if (report?.plan) rows.push(`    plan: ${report.plan}`);
  const names = Math.max(0, ...(report?.limits ?? []).map(({ name }) => name.length));
  for (const limit of report?.limits ?? []) {
    rows.push(`    ${limit.name.padEnd(names)}  ${limitInWords(limit, now)}`);
  }
  if (problem !== undefined) {
    const since = fetchedAt ? `; the above is from ${timeInWords(fetchedAt, now)}` : "";
    rows.push(style.dim(`    usage is unknown: ${problem}${since}`));
  }
  return rows;
}

function stateOf(stored: StoredCredential, now: number, style: Style): string {
  if (stored.disabledCause !== undefined) {
    return style.error(
      `no longer used: ${stored.disabledCause}; log in again: ${COMMAND} login ${stored.provider}`,
    );
  }
  const limit =
    stored.limitedUntil !== undefined && stored.limitedUntil > now
      ? `, rate-limited: available again ${timeInWords(stored.limitedUntil, now)}`
      : "";
  return `${kindInWords(stored, now)}${limit}`;
}

function kindInWords({ secret, provider }: StoredCredential, now: number): string {
  if (secret.kind === "api_key") return "key";
  const { expiresAt, refresh } = secret.tokens;
  if (expiresAt === undefined) return "login";
  if (refresh !== undefined)
    return `login, renewed automatically, next ${timeInWords(expiresAt, now)}`;
  if (expiresAt > now) return `login, ends ${timeInWords(expiresAt, now)}`;
  return `login, ended ${timeInWords(expiresAt, now)}: ${COMMAND} login ${provider}`;
}

function limitInWords({ usedPercent, resetsAt }: UsageLimit, now: number): string {
  const reset = resetsAt === undefined ? "" : `, resets ${timeInWords(resetsAt, now)}`;
  return `${String(usedPercent).padStart(3)} % used${reset}`;
}
