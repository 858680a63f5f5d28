// A whole login on a terminal at a local server; see terminal-driver.test.ts.

import { loadLogin } from "@tau/ai/oauth/logins";
import { TerminalDriver } from "./terminal-driver.ts";

const [origin] = process.argv.slice(2);
const endpoints = { authorize: `${origin}/authorize`, token: `${origin}/token` };
const login = (await loadLogin("anthropic", { endpoints, ports: [0] }))!;
const { signal } = new AbortController();
const driver = new TerminalDriver({ env: {} });
const result = await login.login(driver, { fetch, signal, env: {}, now: Date.now });
console.log(result.kind === "oauth" ? `as ${result.tokens.account}` : "a key");
process.exit(0);
