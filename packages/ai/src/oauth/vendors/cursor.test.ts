// The login at Cursor where it does not go well: a network that comes and goes, a refusal, somebody
// who never logs in, and a renewal that is refused.

import { describe, expect, test } from "bun:test";
import { unsignedToken } from "@tau/testkit/oauth-server";
import { OAuthError, type LoginDriver, type OAuthContext } from "../oauth.ts";
import { loadLogin } from "../logins.ts";

const ACCESS = unsignedToken({ sub: "auth0|user_ada", exp: 4_000_000_000 });
const GRANTED = { accessToken: ACCESS, refreshToken: "r-1" };

function driver(): LoginDriver {
  const never = (): never => {
    throw new Error("nobody is asked");
  };
  return {
    open: () => undefined,
    showCode: never,
    ask: never,
    listen: never,
    progress: () => undefined,
  };
}

/** Answers in turn, then with the last; time passes only by waiting. */
async function play(answers: readonly (() => Response | Error)[]) {
  let now = 1_000_000;
  let asked = 0;
  const waits: number[] = [];
  const context: OAuthContext = {
    fetch: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]!();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    signal: new AbortController().signal,
    env: {},
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  };
  const row = (await loadLogin("cursor"))!;
  return { row, context, waits, asked: () => asked };
}

const granted = (): Response => Response.json(GRANTED);
const notYet = (): Response => new Response("", { status: 404 });
const busy = (): Response => new Response("{}", { status: 503 });
const gone = (): Error => new TypeError("no network");

async function failureOf(work: Promise<unknown>): Promise<OAuthError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("polling", () => {
  test("waits longer each time, and gives tokens with their end and owner", async () => {
    const { row, context, waits } = await play([notYet, notYet, notYet, granted]);
    expect(await row.login(driver(), context)).toEqual({
      kind: "oauth",
      tokens: { access: ACCESS, refresh: "r-1", expiresAt: 4_000_000_000_000, account: "user_ada" },
    });
    expect(waits.map(Math.round)).toEqual([1000, 1200, 1440, 1728]);
  });

  test("two lost polls are nothing, three in a row are", async () => {
    const twice = await play([gone, busy, notYet, gone, busy, granted]);
    expect(await twice.row.login(driver(), twice.context)).toMatchObject({ kind: "oauth" });
    const thrice = await play([notYet, gone, busy, gone, granted]);
    const failure = await failureOf(thrice.row.login(driver(), thrice.context));
    expect(failure.definitive).toBe(false);
    expect(thrice.asked()).toBe(4);
  });

  test("a refusal ends it at once", async () => {
    const refusal = (): Response => Response.json({ error: "denied" }, { status: 403 });
    const { row, context, asked } = await play([notYet, refusal]);
    expect((await failureOf(row.login(driver(), context))).message).toContain("denied");
    expect(asked()).toBe(2);
  });

  test("somebody who never comes is not waited for for ever", async () => {
    const { row, context, waits } = await play([notYet]);
    expect((await failureOf(row.login(driver(), context))).code).toBe("expired_token");
    expect(Math.max(...waits)).toBe(10_000);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(16 * 60_000);
  });

  test("a reply without a token is none", async () => {
    const { row, context } = await play([() => Response.json({ ok: true })]);
    expect((await failureOf(row.login(driver(), context))).message).toContain("has no token");
  });
});

describe("renewing", () => {
  const OLD = { access: "old", refresh: "r-1" };

  test("a refusal is for good and does not repeat the token; a busy host is not", async () => {
    const refusal = (): Response =>
      Response.json({ error: { message: "r-1 is revoked" } }, { status: 401 });
    const refused = await play([refusal]);
    const failure = await failureOf(refused.row.refresh!(OLD, refused.context));
    expect(failure.definitive).toBe(true);
    expect(failure.message).not.toContain("r-1");
    const late = await play([busy]);
    expect((await failureOf(late.row.refresh!(OLD, late.context))).definitive).toBe(false);
  });
});
