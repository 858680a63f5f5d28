import { expect, test } from "bun:test";
import { OAuthServer, type OAuthServerOptions } from "@tau/testkit/oauth-server";
import { TestUser } from "@tau/testkit/oauth-server-user";
import { authorizeDevice, type DeviceCodeClient } from "./device-code.ts";

async function logIn(
  arrange: (server: OAuthServer) => void,
  options: OAuthServerOptions = {},
  more: Partial<DeviceCodeClient> = {},
) {
  await using server = new OAuthServer({ clientId: "app", ...options });
  arrange(server);
  const user = new TestUser();
  const outcome = await authorizeDevice(
    {
      deviceUrl: server.url("/device"),
      token: { url: server.url("/token") },
      clientId: "app",
      ...more,
    },
    user,
    user.context,
  ).catch((error: unknown) => error);
  return { outcome, user, server, origin: server.origin };
}

test("polls at the vendor's pace until it is confirmed", async () => {
  const { outcome, user, origin } = await logIn((server) => {
    server.pendingPolls = 3;
  });
  expect(outcome).toMatchObject({ token_type: "bearer" });
  expect(user.codes).toEqual([{ code: "WDJB-MJHT", url: `${origin}/activate` }]);
  expect(user.waits).toEqual([5000, 5000, 5000, 5000]);
});

test("slow_down adds five seconds each time, and they stay", async () => {
  const { outcome, user } = await logIn((server) => {
    server.pendingPolls = 4;
    server.slowDownAt = [2, 3];
  });
  expect(outcome).toMatchObject({ token_type: "bearer" });
  expect(user.waits).toEqual([5000, 5000, 10_000, 15_000, 15_000]);
});

test("a vendor that fails for a moment is asked again, more slowly", async () => {
  const { outcome, user } = await logIn((server) => {
    server.failNext("/token", { status: 503, text: "busy" });
  });
  expect(outcome).toMatchObject({ token_type: "bearer" });
  expect(user.waits).toEqual([5000, 10_000, 10_000]);
});

test("refused, expired by the vendor, expired by the clock", async () => {
  const refused = await logIn((server) => {
    server.deviceEnd = "denied";
  });
  expect(refused.outcome).toMatchObject({ code: "access_denied", definitive: true });
  const expired = await logIn((server) => {
    server.deviceEnd = "expired";
  });
  expect(expired.outcome).toMatchObject({ code: "expired_token" });
  const late = await logIn(
    (server) => {
      server.pendingPolls = 1000;
    },
    { device: { expires_in: 12, interval: 5 } },
  );
  expect(late.outcome).toMatchObject({ code: "expired_token" });
  expect(late.server.callsTo("/token")).toHaveLength(2);
});

test("with a proof key, a scope, and the address that holds the code", async () => {
  const { outcome, user, server } = await logIn(
    () => {},
    { device: { verification_uri_complete: "https://vendor.test/?code=X", interval: 0 } },
    { pkce: true, scope: "a b" },
  );
  expect(outcome).toMatchObject({ token_type: "bearer" });
  expect(user.codes[0]!.url).toBe("https://vendor.test/?code=X");
  expect(server.callsTo("/device")[0]!.parameters).toMatchObject({
    scope: "a b",
    code_challenge_method: "S256",
  });
  // Never faster than once a second, whatever the vendor says.
  expect(user.waits[0]).toBe(1000);
});

test("a vendor that spells its reply in its own way", async () => {
  const { outcome, user } = await logIn(
    (server) => {
      server.pendingPolls = 1000;
    },
    {
      device: {
        verification_uri: undefined,
        verification_url: "https://vendor.test/device",
        interval: "7",
        expires_in: null,
      },
    },
  );
  expect(user.codes[0]!.url).toBe("https://vendor.test/device");
  expect(user.waits[0]).toBe(7000);
  // Half an hour, as if it had said so.
  expect(user.waits).toHaveLength(Math.ceil(1800 / 7));
  expect(outcome).toMatchObject({ code: "expired_token" });
});

test("no code to begin with; an interrupt while waiting", async () => {
  const none = await logIn((server) => {
    server.failNext("/device", { status: 404, text: "not here" });
  });
  expect(none.outcome).toMatchObject({ name: "OAuthError" });

  await using server = new OAuthServer();
  const user = new TestUser();
  const { sleep: _fast, ...context } = user.context;
  const login = authorizeDevice(
    { deviceUrl: server.url("/device"), token: { url: server.url("/token") }, clientId: "app" },
    user,
    context,
  );
  setTimeout(() => user.interrupt(), 30);
  expect(await login.catch((error: unknown) => (error as Error).name)).toBe("AbortError");
});
