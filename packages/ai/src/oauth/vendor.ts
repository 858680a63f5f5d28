// A vendor's login as its module exports it: the endpoints as data, and what is done with
// them. The endpoints come in with the context, so that a test moves them without a switch
// that the product would have too.

import type { LoginDriver, LoginResult, LoginRow, OAuthContext, OAuthTokens } from "./oauth.ts";

export interface VendorContext<Name extends string = string> extends OAuthContext {
  endpoints: Readonly<Record<Name, string>>;
  /** Where to listen for the redirect, in order. */
  ports: readonly number[];
}

export interface Vendor<Name extends string = string> {
  endpoints: Readonly<Record<Name, string>>;
  /** Registered with the vendor; none for flows without a redirect. */
  ports?: readonly number[];
  login(driver: LoginDriver, context: VendorContext<Name>): Promise<LoginResult>;
  refresh?(tokens: OAuthTokens, context: VendorContext<Name>): Promise<OAuthTokens>;
}

/** In place of what the vendor's module says. */
export interface VendorOverrides {
  endpoints?: Readonly<Record<string, string>>;
  ports?: readonly number[];
}

export interface LoginName {
  id: string;
  name: string;
  provider: string;
}

export function createLoginRow(
  { id, name, provider }: LoginName,
  vendor: Vendor,
  overrides: VendorOverrides = {},
): LoginRow {
  const at = (context: OAuthContext): VendorContext => ({
    ...context,
    endpoints: { ...vendor.endpoints, ...overrides.endpoints },
    ports: overrides.ports ?? vendor.ports ?? [],
  });
  const { refresh } = vendor;
  return {
    id,
    name,
    provider,
    login: (driver, context) => vendor.login(driver, at(context)),
    refresh: refresh && ((tokens, context) => refresh(tokens, at(context))),
  };
}
