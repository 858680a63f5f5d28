// Logging in and out: where one can, where one is, and then the login itself. Keys that the
// environment gives are shown, but are not ours to take away.

import type { Environment } from "@tau/ai/environment";
import { keyLogin } from "@tau/ai/oauth/key-login";
import { loadLogin, LOGINS, type LoginEntry } from "@tau/ai/oauth/logins";
import type { LoginRow } from "@tau/ai/oauth/oauth";
import { keyFromEnvironment } from "@tau/ai/provider-row";
import { findProvider } from "@tau/ai/providers";
import { fitLine } from "@tau/tui/width";
import type { StoredCredential } from "../../../credentials/credential-store.ts";
import { forgetCredentials } from "../../../credentials/forget-credentials.ts";
import { openBrowser } from "../../../credentials/open-browser.ts";
import { openStore } from "../../../credentials/open-store.ts";
import { storeLogin } from "../../../credentials/store-login.ts";
import type { Close, Stage } from "../stage.ts";
import { askOneOf, askYesNo } from "./ask-over.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import { runLogin, type LoginFlowDeps } from "./login-flow.ts";
import type { PickRow } from "./pick-list.ts";

export interface LoginScreenDeps {
  env: Environment;
  /** Goes to this provider's login at once. */
  provider?: string;
  /** To the clipboard; absent where there is none. */
  copy?(text: string): void;
  /** Stand-ins for the vendors and the desktop. */
  loadLogin?(id: string): Promise<LoginRow | undefined>;
  openBrowser?(url: string): boolean;
  signal?: AbortSignal;
}

/** The provider whose credentials are others now. */
export type LoginOutcome = { kind: "login" | "logout"; provider: string };

export async function openLoginScreen(
  stage: Stage,
  deps: LoginScreenDeps,
): Promise<LoginOutcome | undefined> {
  const { provider, signal } = deps;
  const wanted = provider === undefined ? undefined : loginsOf(provider);
  if (wanted?.length === 1) return logIn(stage, wanted[0]!, deps);
  const open = (close: Close<LoginOutcome>) =>
    new LoginScreen(stage, deps, wanted ?? LOGINS, close);
  return stage.show<LoginOutcome>(open, signal ? { signal } : {});
}

/** By its own name, or by the provider that it is for. */
function loginsOf(name: string): LoginEntry[] | undefined {
  const found = LOGINS.filter(({ id, provider }) => id === name || provider === name);
  return found.length === 0 ? undefined : found;
}

async function logIn(
  stage: Stage,
  entry: LoginEntry,
  deps: LoginScreenDeps,
): Promise<LoginOutcome | undefined> {
  const { env, copy } = deps;
  const row = await rowFor(stage, entry, deps);
  if (!row) return undefined;
  const flow: LoginFlowDeps = {
    env,
    openBrowser:
      deps.openBrowser ?? ((url) => openBrowser(url, { platform: process.platform, env })),
    copy,
    signal: deps.signal,
  };
  const result = await runLogin(stage, entry, row, flow);
  if (!result) return undefined;
  const { message, warning } = await storeLogin(env, entry, result);
  stage.note(message, "success");
  if (warning !== undefined) stage.note(warning, "warning");
  return { kind: "login", provider: entry.provider };
}

/** A provider may take keys beside its logins; undefined where the user chose neither. */
async function rowFor(
  stage: Stage,
  entry: LoginEntry,
  deps: LoginScreenDeps,
): Promise<LoginRow | undefined> {
  const provider = findProvider(entry.provider);
  const takesKeys = entry.kind === "login" && (provider?.keyEnv.length ?? 0) > 0;
  const way = takesKeys
    ? await askOneOf<"account" | "key">(stage, {
        title: entry.name,
        signal: deps.signal,
        items: [
          { value: "account", label: "Your account", detail: "log in at the vendor's page" },
          { value: "key", label: "A key", detail: "paste one; it is billed by use" },
        ],
      })
    : "account";
  if (way === undefined) return undefined;
  if (way === "key") return keyLogin(provider!);
  const row = await (deps.loadLogin ?? loadLogin)(entry.id);
  if (!row) throw new Error(`There is no login "${entry.id}".`);
  return row;
}

const COLUMNS = [
  { title: "provider", least: 16 },
  { title: "name", least: 10, yields: 2 },
  { title: "signed in", least: 8 },
] as const;

class LoginScreen extends ListScreen<LoginEntry> {
  readonly #deps: LoginScreenDeps;
  readonly #logins: readonly LoginEntry[];
  readonly #close: Close<LoginOutcome>;
  #stored: readonly StoredCredential[] = [];

  constructor(
    stage: Stage,
    deps: LoginScreenDeps,
    logins: readonly LoginEntry[],
    close: Close<LoginOutcome>,
  ) {
    super({
      stage,
      context: "screen.login",
      columns: COLUMNS,
      placeholder: "type to filter",
      empty: "There are no providers to log in to.",
      onCancel: () => close(),
    });
    this.#deps = deps;
    this.#logins = logins;
    this.#close = close;
    this.#fill();
    void this.#read();
  }

  protected override view(columns: number): ListScreenView {
    const { selected } = this.list;
    return {
      title: "Log in",
      aside: this.list.position,
      foot: selected ? this.#about(selected.value, columns) : [],
      hints: [
        { action: "selection.accept", label: "log in" },
        ...(selected && this.#storedFor(selected.value).length > 0
          ? [{ action: "screen.login.logout", label: "log out" }]
          : []),
        { action: "selection.cancel", label: "close" },
      ],
    };
  }

  protected override choose({ value }: PickRow<LoginEntry>): void {
    void this.#logIn(value);
  }

  protected override act(action: string): boolean {
    if (action !== "screen.login.logout") return false;
    const entry = this.list.selected?.value;
    if (entry) void this.#logOut(entry);
    return true;
  }

  async #logIn(entry: LoginEntry): Promise<void> {
    try {
      const outcome = await logIn(this.stage, entry, this.#deps);
      if (outcome) this.#close(outcome);
    } catch (error) {
      this.#fail("Nothing was stored", error);
    }
  }

  async #logOut(entry: LoginEntry): Promise<void> {
    const stored = this.#storedFor(entry);
    if (stored.length === 0) return this.say("Nothing is stored for it.", "muted");
    const account =
      stored.length === 1
        ? stored[0]
        : await askOneOf(this.stage, {
            title: `Log out of ${entry.provider}: which one?`,
            ...this.#cancelling,
            items: stored.map((each) => ({ value: each, label: each.label })),
          });
    if (!account) return;
    const kind = account.secret.kind === "api_key" ? "key" : "login";
    const isSure = await askYesNo(this.stage, {
      title: "Log out?",
      question: `The ${kind} "${account.label}" of ${entry.provider} is removed from this machine.`,
      yes: "Log out",
      no: "Keep",
      ...this.#cancelling,
    });
    if (!isSure) return;
    try {
      await forgetCredentials(this.#deps.env, [account]);
      this.stage.note(`Removed the ${kind} "${account.label}" of ${entry.provider}.`, "success");
      this.#close({ kind: "logout", provider: entry.provider });
    } catch (error) {
      this.#fail("Nothing was removed", error);
    }
  }

  async #read(): Promise<void> {
    try {
      using store = await openStore(this.#deps.env);
      this.#stored = store?.list() ?? [];
    } catch (error) {
      return this.#fail("What is stored cannot be read", error);
    }
    this.#fill();
    this.stage.requestRender();
  }

  /** Whoever closes this screen closes its questions. */
  get #cancelling(): { signal?: AbortSignal } {
    const { signal } = this.#deps;
    return signal ? { signal } : {};
  }

  #storedFor({ provider, kind }: LoginEntry): StoredCredential[] {
    return this.#stored.filter(
      (stored) =>
        stored.provider === provider && (kind === "login" || stored.secret.kind === "api_key"),
    );
  }

  #fill(): void {
    const { marked } = this.stage.theme.symbols;
    this.list.setRows(
      this.#logins.map((entry) => {
        const state = this.#stateOf(entry);
        return {
          id: `${entry.kind} ${entry.id}`,
          value: entry,
          group: entry.kind === "login" ? "With your account" : "With a key that you paste",
          cells: [entry.id, entry.name, state],
          texts: [entry.id, entry.name, entry.provider],
          mark: state === "" ? undefined : marked,
        };
      }),
    );
  }

  #stateOf(entry: LoginEntry): string {
    const labels = this.#storedFor(entry).map(({ label, disabledCause }) =>
      disabledCause === undefined ? label : `${label} (no longer used)`,
    );
    const variable = this.#variableOf(entry);
    return [...labels, ...(variable === undefined ? [] : [variable])].join(", ");
  }

  #variableOf({ provider }: LoginEntry): string | undefined {
    const row = findProvider(provider);
    return row && keyFromEnvironment(row, this.#deps.env)?.variable;
  }

  #about(entry: LoginEntry, columns: number): string[] {
    const { theme } = this.stage;
    const variable = this.#variableOf(entry);
    const disabled = this.#storedFor(entry).find(
      ({ disabledCause }) => disabledCause !== undefined,
    );
    const lines = [
      entry.kind === "login"
        ? `${entry.name}: opens the vendor's page; stored on this machine.`
        : `${entry.name}: paste a key; stored on this machine, never shown.`,
      disabled
        ? `"${disabled.label}" is no longer used: ${disabled.disabledCause}`
        : variable === undefined
          ? ""
          : `${variable} is set in the environment.`,
    ];
    return lines.map((line) => theme.style("muted")(fitLine(line, columns)));
  }

  #fail(what: string, error: unknown): void {
    if (!(error instanceof Error)) throw error;
    this.say(`${what}: ${error.message}`, "error");
  }
}
