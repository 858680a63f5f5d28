// Clouds: the address depends on the account, and the machine may have credentials that
// no variable holds.

import type { ProviderRow } from "../provider-row.ts";

const VERTEX_LOCATION = ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION", "VERTEX_LOCATION"];
const LOCATION = `{${VERTEX_LOCATION.join("|")}}`;
const VERTEX_GLOBAL = "https://aiplatform.googleapis.com";
const VERTEX_REGIONAL = `https://${LOCATION}-aiplatform.googleapis.com`;
const PROJECT = "{GOOGLE_CLOUD_PROJECT|GCP_PROJECT|GCLOUD_PROJECT}";

export const CLOUDS = {
  "amazon-bedrock": {
    id: "amazon-bedrock",
    name: "Amazon Bedrock",
    wire: "bedrock-converse-stream",
    baseUrl: "https://bedrock-runtime.{AWS_REGION|AWS_DEFAULT_REGION=us-east-1}.amazonaws.com",
    baseUrlEnv: ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    auth: "bearer",
    keyEnv: ["AWS_BEARER_TOKEN_BEDROCK"],
    ambientEnv: [
      ["AWS_PROFILE"],
      ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
      ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"],
      ["AWS_CONTAINER_CREDENTIALS_FULL_URI"],
      ["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN"],
      ["AWS_BEDROCK_SKIP_AUTH"],
    ],
    ambientFiles: [
      { variable: "AWS_SHARED_CREDENTIALS_FILE", inHome: ".aws/credentials" },
      { variable: "AWS_CONFIG_FILE", inHome: ".aws/config" },
    ],
    ownAddressQuirks: { takesProfileRegion: true },
    // The global profile answers in every region.
    defaultModel: "global.anthropic.claude-sonnet-4-6",
    catalogSource: ["amazon-bedrock"],
  },
  "azure-openai": {
    id: "azure-openai",
    name: "Azure OpenAI",
    wire: "azure-openai-responses",
    baseUrl: "https://{AZURE_OPENAI_RESOURCE_NAME}.openai.azure.com/openai/v1",
    baseUrlEnv: ["AZURE_OPENAI_BASE_URL"],
    auth: "api-key",
    keyEnv: ["AZURE_OPENAI_API_KEY"],
    defaultModel: "gpt-5.4",
    catalogSource: ["azure"],
    catalogPick: /^(?:gpt-|o\d|codex)/,
  },
  "google-vertex": {
    id: "google-vertex",
    name: "Google Vertex AI",
    wire: "google-vertex",
    // A key alone finds its project and location; then the wire needs no more than a host.
    baseUrl: VERTEX_GLOBAL,
    baseUrlEnv: ["GOOGLE_VERTEX_BASE_URL"],
    baseUrlWhen: [
      {
        variables: VERTEX_LOCATION,
        is: "global",
        baseUrl: `${VERTEX_GLOBAL}/v1/projects/${PROJECT}/locations/global`,
      },
      { variables: VERTEX_LOCATION, is: "global", baseUrl: VERTEX_GLOBAL },
      {
        variables: VERTEX_LOCATION,
        baseUrl: `${VERTEX_REGIONAL}/v1/projects/${PROJECT}/locations/${LOCATION}`,
      },
      { variables: VERTEX_LOCATION, baseUrl: VERTEX_REGIONAL },
    ],
    auth: "x-goog-api-key",
    loginAuth: { auth: "bearer" },
    keyEnv: ["GOOGLE_CLOUD_API_KEY"],
    ambientEnv: [
      ["GOOGLE_APPLICATION_CREDENTIALS"],
      ["GOOGLE_CLOUD_PROJECT", "GOOGLE_VERTEX_LOCATION"],
      ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
    ],
    defaultModel: "gemini-2.5-pro",
    catalogSource: ["google-vertex"],
    catalogPick: /^(?:gemini|claude)-/,
  },
  "cloudflare-ai-gateway": {
    id: "cloudflare-ai-gateway",
    name: "Cloudflare AI Gateway",
    wire: "anthropic-messages",
    baseUrl:
      "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/anthropic",
    baseUrlEnv: ["CLOUDFLARE_AI_GATEWAY_BASE_URL"],
    auth: "x-api-key",
    keyEnv: ["CLOUDFLARE_AI_GATEWAY_API_KEY"],
    defaultModel: "claude-sonnet-4-6",
    catalogSource: ["anthropic"],
  },
} satisfies Record<string, ProviderRow>;
