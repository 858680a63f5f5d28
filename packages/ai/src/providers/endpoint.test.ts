import { describe, expect, test } from "bun:test";
import type { Environment } from "../environment.ts";
import { rowAt, type ProviderRow } from "../provider-row.ts";
import { findProvider, modelOf } from "../providers.ts";
import { endpointOf } from "./endpoint.ts";

const row = (id: string): ProviderRow => findProvider(id)!;

const CASES: [provider: string, env: Environment, endpoint: string | undefined][] = [
  ["ollama", {}, "http://127.0.0.1:11434/v1"],
  ["ollama", { OLLAMA_BASE_URL: "http://127.0.0.1:5/v1" }, "http://127.0.0.1:5/v1"],
  ["ollama", { OLLAMA_BASE_URL: "http://box:5" }, "http://box:5/v1"],
  ["ollama", { OLLAMA_BASE_URL: "http://box:5/" }, "http://box:5/v1"],
  ["ollama", { OLLAMA_BASE_URL: "http://a:1", OLLAMA_HOST: "b" }, "http://a:1/v1"],
  ["ollama", { OLLAMA_BASE_URL: "nonsense" }, "nonsense"],
  ["ollama", { OLLAMA_HOST: "box" }, "http://box:11434/v1"],
  ["ollama", { OLLAMA_HOST: "box:80" }, "http://box/v1"],
  ["ollama", { OLLAMA_HOST: " box:9999 " }, "http://box:9999/v1"],
  ["ollama", { OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1"],
  ["ollama", { OLLAMA_HOST: "[::]:5" }, "http://[::1]:5/v1"],
  ["ollama", { OLLAMA_HOST: "https://box" }, "https://box/v1"],
  ["ollama", { OLLAMA_HOST: "http://box:1/proxy" }, "http://box:1/proxy"],
  ["llama.cpp", { LLAMA_CPP_BASE_URL: "http://127.0.0.1:8080" }, "http://127.0.0.1:8080/v1"],
  ["lm-studio", { LM_STUDIO_BASE_URL: "http://h:1/v1/" }, "http://h:1/v1/"],
  ["openai", { OPENAI_BASE_URL: "http://h:1" }, "http://h:1"],
  ["azure-openai", {}, undefined],
  [
    "azure-openai",
    { AZURE_OPENAI_RESOURCE_NAME: "corp" },
    "https://corp.openai.azure.com/openai/v1",
  ],
  [
    "azure-openai",
    { AZURE_OPENAI_RESOURCE_NAME: "corp", AZURE_OPENAI_BASE_URL: "https://x.test/openai/v1" },
    "https://x.test/openai/v1",
  ],
  // A value cannot lead to another host.
  [
    "azure-openai",
    { AZURE_OPENAI_RESOURCE_NAME: "evil.test/x" },
    "https://evil.test%2Fx.openai.azure.com/openai/v1",
  ],
  ["amazon-bedrock", {}, "https://bedrock-runtime.us-east-1.amazonaws.com"],
  [
    "amazon-bedrock",
    { AWS_DEFAULT_REGION: "eu-west-1" },
    "https://bedrock-runtime.eu-west-1.amazonaws.com",
  ],
  [
    "amazon-bedrock",
    { AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "ap-south-1" },
    "https://bedrock-runtime.ap-south-1.amazonaws.com",
  ],
  ["google-vertex", {}, "https://aiplatform.googleapis.com"],
  ["google-vertex", { GOOGLE_CLOUD_PROJECT: "p" }, "https://aiplatform.googleapis.com"],
  [
    "google-vertex",
    { GOOGLE_VERTEX_LOCATION: "europe-west4" },
    "https://europe-west4-aiplatform.googleapis.com",
  ],
  [
    "google-vertex",
    { GCLOUD_PROJECT: "p", VERTEX_LOCATION: "us-central1" },
    "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1",
  ],
  [
    "google-vertex",
    { GCP_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "global" },
    "https://aiplatform.googleapis.com/v1/projects/p/locations/global",
  ],
  [
    "cloudflare-ai-gateway",
    { CLOUDFLARE_ACCOUNT_ID: "a", CLOUDFLARE_GATEWAY_ID: "g" },
    "https://gateway.ai.cloudflare.com/v1/a/g/anthropic",
  ],
  ["cloudflare-ai-gateway", { CLOUDFLARE_ACCOUNT_ID: "a" }, undefined],
];

for (const [provider, env, endpoint] of CASES) {
  test(`${provider} with ${JSON.stringify(env)}`, () => {
    expect(endpointOf(row(provider), env)).toBe(endpoint!);
  });
}

test("an address that is not complete gives a model nothing can be sent to", () => {
  expect(modelOf(row("cloudflare-ai-gateway"), "m", {}).baseUrl).toBe("");
});

describe("an address of the user's own", () => {
  test("is where everything goes", () => {
    const moved = rowAt(row("zenmux"), "https://mine.test/v1");
    expect(modelOf(moved, "anthropic/claude-opus-5", {}).baseUrl).toBe("https://mine.test/v1");
    expect(modelOf(moved, "anthropic/claude-opus-5", {}).wire).toBe("anthropic-messages");
    const vertex = rowAt(row("google-vertex"), "https://v.test");
    expect(endpointOf(vertex, { GOOGLE_VERTEX_LOCATION: "global" })).toBe("https://v.test");
    expect(endpointOf(rowAt(row("ollama"), "http://o.test:1"), { OLLAMA_HOST: "b" })).toBe(
      "http://o.test:1",
    );
  });

  test("keeps its region, whatever a profile says", () => {
    const bedrock = row("amazon-bedrock");
    const quirk = (model: ProviderRow, env = {}) => modelOf(model, "m", env).quirks;
    expect(quirk(bedrock)).toEqual({ takesProfileRegion: true });
    expect(quirk(rowAt(bedrock, bedrock.baseUrl))).toBeUndefined();
    const AWS_ENDPOINT_URL_BEDROCK_RUNTIME = "https://bedrock-runtime.us-east-2.amazonaws.com";
    expect(quirk(bedrock, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME })).toBeUndefined();
  });
});
