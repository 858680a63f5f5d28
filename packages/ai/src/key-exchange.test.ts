import { expect, test } from "bun:test";
import type { Credential } from "./credential.ts";
import { ModelError } from "./error.ts";
import { KEY_EXCHANGES } from "./key-exchange.ts";

const KEY: Credential = { origin: "environment", token: "glpat", label: "GITLAB_TOKEN" };

async function exchange(reply: () => Response) {
  const seen: { path: string; authorization: string | null }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const authorization = request.headers.get("authorization");
      seen.push({ path: new URL(request.url).pathname, authorization });
      return reply();
    },
  });
  try {
    const env = { GITLAB_INSTANCE_URL: `${server.url.origin}/` };
    const credential = await KEY_EXCHANGES["gitlab-duo"]!(KEY, {
      env,
      fetch,
      now: () => 1000,
    }).catch((error: unknown) => error);
    return { credential, seen };
  } finally {
    await server.stop(true);
  }
}

test("the key becomes a token with the headers that go with it", async () => {
  const { credential, seen } = await exchange(() =>
    Response.json({ token: "short", headers: { "X-Gitlab-Instance-Id": "i1" } }),
  );
  expect(seen).toEqual([
    { path: "/api/v4/ai/third_party_agents/direct_access", authorization: "Bearer glpat" },
  ]);
  expect(credential).toEqual({
    ...KEY,
    token: "short",
    headers: { "x-gitlab-instance-id": "i1" },
    expiresAt: 1000 + 25 * 60_000,
  });
});

test("a refusal and a useless answer are typed failures", async () => {
  const refused = await exchange(() => new Response("no", { status: 403 }));
  expect((refused.credential as ModelError).failure).toMatchObject({ kind: "auth", status: 403 });
  const empty = await exchange(() => Response.json({}));
  expect((empty.credential as ModelError).failure.kind).toBe("protocol");
});
