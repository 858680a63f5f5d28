// Where the keys are found, and what is said where they are not.

import { describe, expect, test } from "bun:test";
import { ModelError, type ModelFailure } from "../../error.ts";
import { testModel } from "../openai-testing.ts";
import type { AuthorizationContext, ReadFile } from "../../wire.ts";
import { authorize, regionOf } from "./authorize.ts";
import { findCredentials } from "./credentials.ts";
import { parseIni } from "./profile.ts";

const MODEL = testModel("bedrock-converse-stream");

function filesOf(files: Record<string, string>): ReadFile {
  return async (path) => {
    if (files[path] !== undefined) return files[path];
    throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
  };
}

function contextOf(over: Partial<AuthorizationContext>): AuthorizationContext {
  return {
    model: MODEL,
    credential: undefined,
    env: {},
    signal: new AbortController().signal,
    fetch: (url, init) => fetch(url, init),
    ...over,
  };
}

const find = (over: Partial<AuthorizationContext>) => findCredentials(contextOf(over), "eu-west-1");

async function failure(promise: Promise<unknown>): Promise<ModelFailure> {
  const error = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  expect((error as ModelError).failure.kind).toBe("auth");
  return (error as ModelError).failure;
}

const KEYS = { AWS_ACCESS_KEY_ID: "env-id", AWS_SECRET_ACCESS_KEY: "env-secret" };
const FILES = {
  "/h/.aws/credentials": `
# a comment
[default]
aws_access_key_id = default-id
aws_secret_access_key=default-secret ; trailing

[work]
aws_access_key_id = work-id
aws_secret_access_key = work-secret
aws_session_token = work-token
`,
  "/h/.aws/config": `
[profile sso]
sso_session = corp
[profile role]
role_arn = arn:aws:iam::1:role/r
source_profile = default
[profile keyed]
aws_access_key_id = keyed-id
aws_secret_access_key = keyed-secret
s3 =
  max_concurrent_requests = 1
`,
};

test("keys of the environment come first", async () => {
  const readFile = filesOf(FILES);
  expect(await find({ env: { ...KEYS, HOME: "/h", AWS_PROFILE: "work" }, readFile })).toEqual({
    accessKeyId: "env-id",
    secretAccessKey: "env-secret",
  });
  expect(await find({ env: { ...KEYS, AWS_SESSION_TOKEN: "s" } })).toMatchObject({
    sessionToken: "s",
  });
});

describe("profiles", () => {
  const readFile = filesOf(FILES);

  test("are read from both files, by name or the default one", async () => {
    const keyOf = async (env: Record<string, string>) =>
      (await find({ env: { HOME: "/h", ...env }, readFile })).accessKeyId;
    expect(await keyOf({})).toBe("default-id");
    expect(await keyOf({ AWS_PROFILE: "keyed" })).toBe("keyed-id");
    expect(await find({ env: { HOME: "/h", AWS_PROFILE: "work" }, readFile })).toEqual({
      accessKeyId: "work-id",
      secretAccessKey: "work-secret",
      sessionToken: "work-token",
    });
    const elsewhere = filesOf({ "/x": FILES["/h/.aws/credentials"] });
    const env = { AWS_SHARED_CREDENTIALS_FILE: "/x" };
    expect((await find({ env, readFile: elsewhere })).secretAccessKey).toBe("default-secret");
  });

  test("that are missing or indirect are named, with a way out", async () => {
    const said = async (env: Record<string, string>) =>
      (await failure(find({ env: { HOME: "/h", ...env }, readFile }))).message;
    expect(await said({ AWS_PROFILE: "gone" })).toContain('"gone"');
    expect(await said({ AWS_PROFILE: "sso" })).toContain("export-credentials --profile sso");
    expect(await said({ AWS_PROFILE: "role" })).toContain("role_arn");
    expect(await said({ AWS_CONFIG_FILE: "/gone" })).toContain("/gone, which does not exist");
    const none = await failure(find({ env: { HOME: "/nobody" }, readFile }));
    expect(none.message).toContain("AWS_BEARER_TOKEN_BEDROCK");
    const locked: ReadFile = async () => {
      throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    };
    const denied = await failure(find({ env: { HOME: "/h" }, readFile: locked }));
    expect(denied.message).toContain("permission denied");
  });

  test("are sections of settings", () => {
    expect([...parseIni("[ a  b ]\nX = 1=2\n y=3\n; z=4\n")]).toEqual([["a b", { x: "1=2" }]]);
  });
});

interface Handed extends AsyncDisposable {
  url: string;
  requests: { path: string; authorization: string | null; body: string }[];
}

function handingOut(reply: () => Response): Handed {
  const requests: Handed["requests"] = [];
  const http = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const authorization = request.headers.get("authorization");
      const path = new URL(request.url).pathname;
      requests.push({ path, authorization, body: await request.text() });
      return reply();
    },
  });
  const url = `http://127.0.0.1:${http.port}`;
  return { url, requests, [Symbol.asyncDispose]: () => http.stop(true) };
}

const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();

describe("a container's service", () => {
  const keys = () => ({
    AccessKeyId: "c-id",
    SecretAccessKey: "c-s",
    Token: "c-t",
    Expiration: soon(),
  });

  test("hands out keys, once for many calls", async () => {
    await using service = handingOut(() => Response.json(keys()));
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${service.url}/creds`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/token",
    };
    const readFile = filesOf({ "/token": "pod-token\n" });
    const all = await Promise.all([1, 2, 3].map(() => find({ env, readFile })));
    expect(all[2]).toEqual({ accessKeyId: "c-id", secretAccessKey: "c-s", sessionToken: "c-t" });
    expect(service.requests).toEqual([{ path: "/creds", authorization: "pod-token", body: "" }]);
  });

  test("is at a fixed address for a relative one", async () => {
    const seen: string[] = [];
    const env = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/me" };
    await find({
      env,
      fetch: async (url) => {
        seen.push(url);
        return Response.json(keys());
      },
    });
    expect(seen).toEqual(["http://169.254.170.2/v2/me"]);
  });

  test("is not just anybody", async () => {
    for (const uri of ["http://evil.test/creds", "file:///etc/passwd", "nonsense"]) {
      const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: uri };
      expect((await failure(find({ env }))).message).toContain(uri);
    }
  });
});

describe("a web identity", () => {
  const env = (url: string) => ({
    AWS_WEB_IDENTITY_TOKEN_FILE: "/jwt",
    AWS_ROLE_ARN: "arn:aws:iam::1:role/r",
    AWS_ENDPOINT_URL_STS: url,
  });

  test("is exchanged for keys", async () => {
    const xml = `<AssumeRoleWithWebIdentityResponse><Credentials><AccessKeyId>w-id</AccessKeyId>
      <SecretAccessKey>w-s</SecretAccessKey><SessionToken>w-t</SessionToken>
      <Expiration>${soon()}</Expiration></Credentials></AssumeRoleWithWebIdentityResponse>`;
    await using sts = handingOut(() => new Response(xml));
    const readFile = filesOf({ "/jwt": "jwt-text\n" });
    expect(await find({ env: env(sts.url), readFile })).toEqual({
      accessKeyId: "w-id",
      secretAccessKey: "w-s",
      sessionToken: "w-t",
    });
    expect(Object.fromEntries(new URLSearchParams(sts.requests[0]!.body))).toMatchObject({
      Action: "AssumeRoleWithWebIdentity",
      RoleArn: "arn:aws:iam::1:role/r",
      WebIdentityToken: "jwt-text",
    });
  });

  test("that is refused or has no file says so", async () => {
    await using sts = handingOut(() => new Response("<Error/>", { status: 403 }));
    const readFile = filesOf({ "/jwt": "x" });
    expect((await failure(find({ env: env(sts.url), readFile }))).message).toContain("AWS STS");
    const gone = await failure(find({ env: env(sts.url), readFile: filesOf({}) }));
    expect(gone.message).toContain("/jwt, which does not exist");
  });
});

describe("a request", () => {
  const request = {
    url: "https://bedrock-runtime.us-west-2.amazonaws.com/model/m/converse",
    headers: {},
    body: "{}",
  };
  const signed = (over: Partial<AuthorizationContext>) => authorize(request, contextOf(over));

  test("shows a bearer token where there is one, and looks no further", async () => {
    const env = { ...KEYS, AWS_BEARER_TOKEN_BEDROCK: "b" };
    expect((await signed({ env })).headers).toEqual({ authorization: "Bearer b" });
    const credential = { origin: "flag" as const, token: "f", label: "f" };
    expect((await signed({ env, credential })).headers).toEqual({ authorization: "Bearer f" });
  });

  test("goes unsigned where asked to", async () => {
    const env = { AWS_BEDROCK_SKIP_AUTH: "1" };
    expect(await signed({ env })).toEqual(request);
    expect(await signed({ model: { ...MODEL, auth: "none" } })).toEqual(request);
  });

  test("is signed for the region it goes to", async () => {
    const { headers } = await signed({ env: { ...KEYS, AWS_REGION: "eu-west-1" } });
    expect(headers.authorization).toMatch(
      /Credential=env-id\/\d{8}\/us-west-2\/bedrock\/aws4_request/,
    );
    const model = { ...MODEL, quirks: { region: "ap-south-1" } };
    const moved = await signed({ env: KEYS, model });
    expect(moved.url).toBe("https://bedrock-runtime.ap-south-1.amazonaws.com/model/m/converse");
    expect(moved.headers.authorization).toContain("/ap-south-1/bedrock/");
  });

  test("elsewhere has the region of the row, the environment, or the default", () => {
    const url = "http://127.0.0.1:1/x";
    const env = { AWS_REGION: "a", AWS_DEFAULT_REGION: "b" };
    expect(regionOf(url, { ...MODEL, quirks: { region: "q" } }, env)).toBe("q");
    expect(regionOf(url, MODEL, env)).toBe("a");
    expect(regionOf(url, MODEL, { AWS_DEFAULT_REGION: "b" })).toBe("b");
    expect(regionOf(url, MODEL, {})).toBe("us-east-1");
  });

  test("goes to the region of the profile, if nobody named one", async () => {
    const config = "[default]\nregion = eu-north-1\n[profile far]\nregion = sa-east-1\n";
    const readFile = filesOf({ ...FILES, "/h/.aws/config": config });
    const own = { ...MODEL, quirks: { takesProfileRegion: true } };
    const regionFor = async (env: Record<string, string>, model = own) => {
      const { url } = await signed({ env: { ...KEYS, HOME: "/h", ...env }, readFile, model });
      return new URL(url).hostname.split(".")[1];
    };
    expect(await regionFor({})).toBe("eu-north-1");
    expect(await regionFor({ AWS_PROFILE: "far" })).toBe("sa-east-1");
    expect(await regionFor({ AWS_BEARER_TOKEN_BEDROCK: "b" })).toBe("eu-north-1");
    // The address has the region of the environment already; one that a user wrote is meant.
    expect(await regionFor({ AWS_REGION: "us-west-2" })).toBe("us-west-2");
    expect(await regionFor({}, { ...MODEL, quirks: { takesProfileRegion: false } })).toBe(
      "us-west-2",
    );
  });
});
