// One of several processes that find the same login expired; see credentials.test.ts.

import type { LoginRow, OAuthTokens } from "@tau/ai/oauth/oauth";
import { CredentialStore } from "./credential-store.ts";
import { Credentials } from "./credentials.ts";

const [path, url] = process.argv.slice(2);
const login: LoginRow = {
  id: "acme",
  name: "Acme",
  provider: "acme",
  login: () => Promise.reject(new Error("not asked for")),
  refresh: async () => (await (await fetch(url!)).json()) as OAuthTokens,
};
using store = new CredentialStore(path!);
const credentials = new Credentials({
  env: {},
  row: () => ({
    id: "acme",
    name: "Acme",
    wire: "openai-completions",
    baseUrl: "http://x",
    auth: "bearer",
    keyEnv: [],
    login: "acme",
  }),
  store: () => store,
  login: async () => login,
  oauth: { fetch, env: {}, now: Date.now },
  configured: async () => undefined,
  hasConfigured: () => false,
});
console.log((await credentials.get("acme"))?.token);
