// Where a request goes, and what it shows there.

import { describe, expect, test } from "bun:test";
import type { Credential } from "../../credential.ts";
import { ModelError, type ModelFailure } from "../../error.ts";
import type { Model } from "../../model.ts";
import { testModel } from "../openai-testing.ts";
import type { AuthorizationContext } from "../../wire.ts";
import { authorize } from "./authorize.ts";
import { filesOf, PLACE, serviceAccount, tokenService, user } from "./google-testing.ts";

const MODEL = testModel("google-vertex", { auth: "x-goog-api-key", baseUrl: "" });
const PATH = "/publishers/google/models/m:streamGenerateContent?alt=sse";
const KEY: Credential = { origin: "environment", token: "k", label: "k" };

function run(over: Partial<AuthorizationContext> = {}, model: Partial<Model> = {}) {
  const context: AuthorizationContext = {
    model: { ...MODEL, ...model },
    credential: KEY,
    env: PLACE,
    signal: new AbortController().signal,
    fetch: (url, init) => fetch(url, init),
    ...over,
  };
  const url = context.model.baseUrl + PATH;
  return authorize({ url, headers: { "content-type": "application/json" }, body: "{}" }, context);
}

async function failure(promise: Promise<unknown>): Promise<ModelFailure> {
  const error = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  return (error as ModelError).failure;
}

describe("the address", () => {
  const whole = `/v1/projects/p-1/locations/europe-west4${PATH}`;

  test("is made of project and location where the base URL holds neither", async () => {
    expect((await run()).url).toBe(`https://europe-west4-aiplatform.googleapis.com${whole}`);
    const given = await run({}, { baseUrl: "https://proxy.test/v1" });
    expect(given.url).toBe(`https://proxy.test${whole}`);
    expect((await run({}, { baseUrl: "https://proxy.test" })).url).toBe(given.url);
    const env = { ...PLACE, GOOGLE_VERTEX_LOCATION: "global" };
    expect((await run({ env })).url).toBe(
      `https://aiplatform.googleapis.com/v1/projects/p-1/locations/global${PATH}`,
    );
  });

  test("is left alone where it is whole", async () => {
    const baseUrl = "https://h.test/v1/projects/x/locations/y";
    expect((await run({}, { baseUrl })).url).toBe(baseUrl + PATH);
  });

  test("follows the variables in their order, and the model's row before them", async () => {
    const urlFor = async (env: AuthorizationContext["env"], quirks = {}) =>
      new URL((await run({ env }, { quirks })).url).pathname.split("/").slice(3, 6).join();
    const projects = { GCLOUD_PROJECT: "c", GCP_PROJECT: "b", VERTEX_LOCATION: "z" };
    expect(await urlFor(projects)).toBe("b,locations,z");
    const more = { ...projects, GOOGLE_CLOUD_PROJECT: "a", GOOGLE_CLOUD_LOCATION: "y" };
    expect(await urlFor(more)).toBe("a,locations,y");
    expect(await urlFor(more, { project: "q", location: "w" })).toBe("q,locations,w");
  });

  test("needs neither with a key alone", async () => {
    expect((await run({ env: {} })).url).toBe(`https://aiplatform.googleapis.com/v1${PATH}`);
  });

  test("is refused without a project or location otherwise", async () => {
    const bearer = { auth: "bearer" as const };
    expect((await failure(run({ env: {} }, bearer))).message).toContain("GOOGLE_CLOUD_PROJECT");
    const env = { GCP_PROJECT: "p" };
    const lacking = await failure(run({ env }, bearer));
    expect(lacking).toMatchObject({ kind: "invalid_request", retryable: false });
    expect(lacking.message).toContain("GOOGLE_VERTEX_LOCATION");
  });
});

describe("the credential", () => {
  test("is a key, a login's token, or the variable's key", async () => {
    expect((await run()).headers["x-goog-api-key"]).toBe("k");
    const login: Credential = { origin: "stored login", token: "t", label: "me" };
    expect((await run({ credential: login })).headers.authorization).toBe("Bearer t");
    expect((await run({}, { auth: "bearer" })).headers.authorization).toBe("Bearer k");
    const env = { ...PLACE, GOOGLE_CLOUD_API_KEY: "e" };
    const { headers } = await run({ credential: undefined, env });
    expect(headers["x-goog-api-key"]).toBe("e");
    expect(headers).not.toHaveProperty("authorization");
  });

  test("is a service account's token, which its own signature earns", async () => {
    await using google = tokenService();
    const readFile = filesOf({ "/sa.json": serviceAccount(google.uri) });
    const env = { VERTEX_LOCATION: "l", GOOGLE_APPLICATION_CREDENTIALS: "/sa.json" };
    const got = await run({ credential: undefined, env, readFile });
    expect(got.headers.authorization).toBe("Bearer token-1");
    expect(google.faults).toEqual([]);
    expect(google.grants[0]!.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    // The account belongs to a project, which will do where none is named.
    expect(got.url).toContain("/projects/robot-project/locations/l/");
  });

  test("is a user's token, for whoever pays", async () => {
    await using google = tokenService();
    const path = "/home/u/.config/gcloud/application_default_credentials.json";
    const readFile = filesOf({ [path]: user(google.uri) });
    const env = { ...PLACE, HOME: "/home/u" };
    const { headers } = await run({ credential: undefined, env, readFile });
    expect(headers).toMatchObject({
      authorization: "Bearer token-1",
      "x-goog-user-project": "payer",
    });
    expect(Object.fromEntries(google.grants[0]!)).toEqual({
      grant_type: "refresh_token",
      client_id: "c",
      client_secret: "s",
      refresh_token: "r",
    });
  });

  test("is asked for once by many calls, and kept until shortly before its end", async () => {
    await using google = tokenService();
    const readFile = filesOf({ "/u": user(google.uri) });
    const env = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/u" };
    const ask = () => run({ credential: undefined, env, readFile });
    const all = await Promise.all(Array.from({ length: 10 }, ask));
    expect(new Set(all.map(({ headers }) => headers.authorization)).size).toBe(1);
    await ask();
    expect(google.grants).toHaveLength(1);
    await using hasty = tokenService({ lifetimeS: 60 });
    const short = filesOf({ "/u": user(hasty.uri) });
    await run({ credential: undefined, env, readFile: short });
    await run({ credential: undefined, env, readFile: short });
    expect(hasty.grants).toHaveLength(2);
  });

  test("is missed with what to do about it", async () => {
    const absent = { credential: undefined, readFile: filesOf({}) };
    const named = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/gone.json" };
    const gone = await failure(run({ ...absent, env: named }));
    expect(gone).toMatchObject({ kind: "auth", retryable: false });
    expect(gone.message).toContain("/gone.json, which does not exist");
    expect((await failure(run(absent))).message).toContain("gcloud auth");
    expect(await failure(run({ credential: undefined }))).toMatchObject({ kind: "auth" });
    await using google = tokenService({ refuse: true });
    for (const [file, said] of [
      ["not json", "no JSON object"],
      [{ type: "external_account" }, "external_account"],
      [{ type: "service_account", client_email: "x" }, "private_key"],
      [{ ...serviceAccount("x"), private_key: "nonsense" }, "PKCS #8"],
      [user(google.uri), "Token has been revoked."],
    ] as const) {
      const readFile = filesOf({ "/f": file });
      const env = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/f" };
      const refused = await failure(run({ credential: undefined, env, readFile }));
      expect(refused.kind).toBe("auth");
      expect(refused.message).toContain(said);
    }
  });

  test("cannot be fetched from a host that is not there: that is the network's fault", async () => {
    const readFile = filesOf({ "/f": user("http://127.0.0.1:1/token") });
    const env = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/f" };
    const lost = await failure(run({ credential: undefined, env, readFile }));
    expect(lost).toMatchObject({ kind: "network", retryable: true });
  });
});
