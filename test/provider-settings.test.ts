// `providers.*`: what goes over the wire when a user sets them.

import { expect, test } from "bun:test";
import type { StreamEvent } from "@tau/ai/event";
import { ReplyAssembler } from "@tau/ai/reply-assembler";
import { CodexSocketServer } from "@tau/testkit/codex-socket-server";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

async function tau(
  settings: string,
  model: string,
  env: Record<string, string>,
  more: string[] = [],
) {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", settings);
  return await runTau(["-p", "-m", model, ...more, "hi"], { cwd: home.root, home, env });
}

test("kimiApiFormat chooses the API of Kimi's plan", async () => {
  for (const [settings, wire, header] of [
    ["{}", "anthropic-messages", "x-api-key"],
    ["providers: { kimiApiFormat: anthropic }", "anthropic-messages", "x-api-key"],
    ["providers: { kimiApiFormat: openai }", "openai-completions", "authorization"],
  ] as const) {
    await using server = await ModelServer.start(() => ({ text: "Moon." }));
    const env = { KIMI_API_KEY: "k1", KIMI_CODE_BASE_URL: `${server.origin}/coding/v1` };
    const { stdout } = await tau(settings, "kimi-code/kimi-for-coding", env);
    expect(stdout).toContain("Moon.");
    const [request] = server.requests;
    expect(request!.wire).toBe(wire);
    expect(request!.headers.get(header)).toContain("k1");
    // The words of one API are unknown to the other.
    expect("thinking" in request!.body && "budget_tokens" in Object(request!.body.thinking)).toBe(
      wire === "anthropic-messages",
    );
  }
});

test("openrouterVariant goes with models that are named without one", async () => {
  await using server = await ModelServer.start(() => ({ text: "Routed." }));
  const env = { OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: `${server.origin}/api/v1` };
  const named = async (variant: string, model: string) => {
    await tau(`providers: { openrouterVariant: ${variant} }`, `openrouter/${model}`, env);
    return server.requests.at(-1)!.body.model;
  };
  expect(await named("default", "openai/gpt-5.4")).toBe("openai/gpt-5.4");
  expect(await named("nitro", "openai/gpt-5.4")).toBe("openai/gpt-5.4:nitro");
  expect(await named("floor", "some/unknown-model")).toBe("some/unknown-model:floor");
  expect(await named("nitro", "some/unknown-model:free")).toBe("some/unknown-model:free");
  expect(await named("nitro", "openrouter/auto")).toBe("openrouter/auto");
});

test("openaiWebsockets: only `on` opens a socket, and the answer is the same", async () => {
  for (const [value, over] of [
    ["auto", "body"],
    ["off", "body"],
    ["on", "socket"],
  ] as const) {
    const events = eventsSaying("Connected.");
    await using server = await CodexSocketServer.start({
      socket: () => ({ events }),
      body: events,
    });
    const env = { OPENAI_CODEX_BASE_URL: server.baseUrl };
    const settings = `providers: { openaiWebsockets: ${value} }`;
    const key = ["--api-key", "t"];
    const { stdout, exitCode } = await tau(settings, "openai-codex/gpt-5.5", env, key);
    expect({ value, stdout: stdout.trim(), exitCode }).toEqual({
      value,
      stdout: "Connected.",
      exitCode: 0,
    });
    expect(new Set(server.arrivals.map((arrival) => arrival.over))).toEqual(new Set([over]));
  }
});

test("strict tools go to Claude if models.yml says so, and not if it takes them back", async () => {
  for (const [more, isStrict] of [
    ["", false],
    ["    compat: { supportsStrictMode: true }\n", true],
    ["    compat: { supportsStrictMode: true }\n    disableStrictTools: true\n", false],
  ] as const) {
    await using server = await ModelServer.start(() => ({ text: "Strictly." }));
    await using home = await isolatedHome();
    const address = `    baseUrl: ${server.baseUrl("anthropic-messages")}\n`;
    await home.write(".tau/agent/models.yml", `providers:\n  anthropic:\n${address}${more}`);
    const args = ["-p", "-m", "anthropic/claude-opus-4-5", "hi"];
    const { stdout } = await runTau(args, {
      cwd: home.root,
      home,
      env: { ANTHROPIC_API_KEY: "k" },
    });
    expect(stdout).toContain("Strictly.");
    const tools = server.requests[0]!.body.tools as { strict?: boolean }[];
    expect(tools.some(({ strict }) => strict === true)).toBe(isStrict);
  }
});

test("a value that is not known is reported with those that are", async () => {
  await using server = await ModelServer.start(() => ({ text: "Routed." }));
  const env = { OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: `${server.origin}/api/v1` };
  const settings = "providers: { openrouterVariant: turbo }";
  const { stderr } = await tau(settings, "openrouter/openai/gpt-5.4", env);
  expect(stderr).toContain("openrouterVariant");
  expect(stderr).toContain("exacto");
});

function eventsSaying(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const origin = { provider: "p", model: "m", wire: "openai-codex-responses" as const };
  const out = new ReplyAssembler(origin, (event) => events.push(event), 0);
  out.start();
  const block = out.openText();
  block.append(text);
  block.close();
  out.finish("stop");
  return events;
}
