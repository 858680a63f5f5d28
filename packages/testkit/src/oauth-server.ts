// A vendor's login server on loopback, strict where vendors are: codes and refresh tokens
// work once, proof keys are checked, a redirect must be the one that was asked for. Tests
// drive whole logins against it, and make it fail in the ways that vendors do.

import { createHash, randomUUID } from "node:crypto";

export interface RecordedCall {
  endpoint: string;
  method: string;
  headers: Headers;
  /** Query, form or JSON parameters as text. */
  parameters: Record<string, string>;
}

export interface Failure {
  status?: number;
  body?: unknown;
  /** As it is, instead of JSON. */
  text?: string;
  contentType?: string;
  delayMs?: number;
}

export interface OAuthServerOptions {
  /** Checked where given. */
  clientId?: string;
  clientSecret?: string;
  expiresIn?: number;
  /** More for the reply of the token endpoint. */
  reply?: Record<string, unknown>;
  /** Makes an unsigned `id_token` of them. */
  claims?: Record<string, unknown>;
  /** Whether the user refuses. */
  denies?: boolean;
  /** What the device endpoint says besides the codes. */
  device?: Record<string, unknown>;
  /** A vendor's own endpoints: `GET /path`. */
  routes?: Record<string, (call: RecordedCall) => Response | Promise<Response>>;
}

interface Grant {
  redirectUri?: string;
  challenge?: string;
  used: boolean;
}

interface Device {
  challenge?: string;
  state: "pending" | "approved" | "denied" | "expired";
  polls: number;
}

export class OAuthServer implements AsyncDisposable {
  readonly calls: RecordedCall[] = [];
  readonly options: OAuthServerOptions;
  /** How many polls of a device code are answered with `authorization_pending` first. */
  pendingPolls = 1;
  /** At which polls the server says `slow_down`, counted from 1. */
  slowDownAt: readonly number[] = [];
  /** What becomes of a device code after its pending polls. */
  deviceEnd: Device["state"] = "approved";
  readonly #failures = new Map<string, Failure[]>();
  readonly #codes = new Map<string, Grant>();
  readonly #devices = new Map<string, Device>();
  readonly #refreshTokens = new Set<string>();
  readonly #server: Bun.Server<undefined>;
  #issued = 0;

  constructor(options: OAuthServerOptions = {}) {
    this.options = options;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  url(path: string): string {
    return `${this.origin}${path}`;
  }

  /** The next request to a path is answered so; several are used up in order. */
  failNext(path: string, ...failures: Failure[]): void {
    this.#failures.set(path, [...(this.#failures.get(path) ?? []), ...failures]);
  }

  callsTo(path: string): RecordedCall[] {
    return this.calls.filter((call) => call.endpoint === path);
  }

  /** A refresh token as if somebody had logged in before. */
  issueRefreshToken(): string {
    const token = `refresh-${++this.#issued}-${randomUUID()}`;
    this.#refreshTokens.add(token);
    return token;
  }

  /** A code as if the user had agreed at the vendor's page. */
  issueCode(grant: Omit<Grant, "used"> = {}): string {
    const code = `code-${randomUUID()}`;
    this.#codes.set(code, { ...grant, used: false });
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const parameters = await parametersOf(request, url);
    const { method, headers } = request;
    const call = { endpoint: url.pathname, method, headers, parameters };
    this.calls.push(call);
    const failure = this.#failures.get(url.pathname)?.shift();
    if (failure?.delayMs) await Bun.sleep(failure.delayMs);
    if (failure && (failure.status || failure.text !== undefined || failure.body)) {
      return failed(failure);
    }
    const route = this.options.routes?.[`${method} ${url.pathname}`];
    if (route) return route(call);
    if (method === "GET" && url.pathname === "/authorize") return this.#authorize(parameters);
    if (method === "POST" && url.pathname === "/token") return this.#token(parameters);
    if (method === "POST" && url.pathname === "/device") return this.#device(parameters);
    return new Response("not found", { status: 404 });
  }

  #authorize(asked: Record<string, string>): Response {
    const { redirect_uri: redirectUri, state, code_challenge: challenge } = asked;
    if (asked.response_type !== "code" || !redirectUri || !state) return refusal("invalid_request");
    if (!challenge || asked.code_challenge_method !== "S256") return refusal("invalid_request");
    if (this.#isStranger(asked.client_id)) return refusal("unauthorized_client");
    const target = new URL(redirectUri);
    if (this.options.denies) target.searchParams.set("error", "access_denied");
    else target.searchParams.set("code", this.issueCode({ redirectUri, challenge }));
    target.searchParams.set("state", state);
    return new Response(null, { status: 302, headers: { location: target.href } });
  }

  #token(asked: Record<string, string>): Response {
    if (this.#isStranger(asked.client_id)) return refusal("invalid_client", 401);
    const { clientSecret } = this.options;
    if (clientSecret !== undefined && asked.client_secret !== clientSecret) {
      return refusal("invalid_client", 401);
    }
    if (asked.grant_type === "authorization_code") return this.#redeem(asked);
    if (asked.grant_type === "refresh_token") return this.#refresh(asked);
    if (asked.grant_type?.endsWith(":device_code")) return this.#pollDevice(asked);
    return refusal("unsupported_grant_type");
  }

  #redeem(asked: Record<string, string>): Response {
    const grant = this.#codes.get(asked.code ?? "");
    if (!grant || grant.used) return refusal("invalid_grant");
    grant.used = true;
    if (grant.redirectUri !== undefined && grant.redirectUri !== asked.redirect_uri) {
      return refusal("invalid_grant");
    }
    if (!proves(asked.code_verifier, grant.challenge)) return refusal("invalid_grant");
    return this.#tokens();
  }

  /** Each works once: using one again is what a thief would do, and the vendor says so. */
  #refresh(asked: Record<string, string>): Response {
    if (!this.#refreshTokens.delete(asked.refresh_token ?? "")) return refusal("invalid_grant");
    return this.#tokens();
  }

  #device(asked: Record<string, string>): Response {
    if (this.#isStranger(asked.client_id)) return refusal("invalid_client", 401);
    const code = `device-${randomUUID()}`;
    const challenge = asked.code_challenge;
    this.#devices.set(code, { challenge, state: "pending", polls: 0 });
    return Response.json({
      device_code: code,
      user_code: "WDJB-MJHT",
      verification_uri: this.url("/activate"),
      expires_in: 600,
      interval: 5,
      ...this.options.device,
    });
  }

  #pollDevice(asked: Record<string, string>): Response {
    const device = this.#devices.get(asked.device_code ?? "");
    if (!device) return refusal("invalid_grant");
    device.polls++;
    if (this.slowDownAt.includes(device.polls)) return refusal("slow_down");
    if (device.polls <= this.pendingPolls) return refusal("authorization_pending");
    if (this.deviceEnd === "denied") return refusal("access_denied");
    if (this.deviceEnd === "expired") return refusal("expired_token");
    if (!proves(asked.code_verifier, device.challenge)) return refusal("invalid_grant");
    this.#devices.delete(asked.device_code!);
    return this.#tokens();
  }

  #tokens(): Response {
    const { expiresIn = 3600, claims, reply } = this.options;
    return Response.json({
      access_token: `access-${++this.#issued}-${randomUUID()}`,
      refresh_token: this.issueRefreshToken(),
      token_type: "Bearer",
      expires_in: expiresIn,
      id_token: claims ? unsignedToken(claims) : undefined,
      ...reply,
    });
  }

  #isStranger(clientId: string | undefined): boolean {
    return this.options.clientId !== undefined && clientId !== this.options.clientId;
  }
}

export function unsignedToken(claims: Record<string, unknown>): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.`;
}

function proves(verifier: string | undefined, challenge: string | undefined): boolean {
  if (challenge === undefined) return true;
  return (
    createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url") === challenge
  );
}

function refusal(error: string, status = 400): Response {
  return Response.json({ error, error_description: `The server said ${error}.` }, { status });
}

function failed({ status = 500, body, text, contentType }: Failure): Response {
  const type = contentType ?? (text === undefined ? "application/json" : "text/plain");
  const headers = { "content-type": type };
  return new Response(text ?? JSON.stringify(body ?? {}), { status, headers });
}

async function parametersOf(request: Request, url: URL): Promise<Record<string, string>> {
  if (request.method === "GET") return Object.fromEntries(url.searchParams);
  const text = await request.text();
  if (!request.headers.get("content-type")?.includes("json")) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
