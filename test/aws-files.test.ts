// Bedrock with nothing but the files that Amazon's own tools write.

import { describe, expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const KEYS = "[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = s3cret\n";
const MODEL = "amazon-bedrock/global.anthropic.claude-sonnet-4-6";

async function tau(files: Record<string, string>, args: string[]) {
  await using server = await ModelServer.start(() => ({ text: "From Bedrock." }));
  await using home = await isolatedHome();
  for (const [path, text] of Object.entries(files)) await home.write(`.aws/${path}`, text);
  const env = { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.origin };
  const result = await runTau(args, { cwd: home.root, home, env });
  return { ...result, requests: server.requests };
}

describe("the default profile", () => {
  test("signs, for its own region, if Bedrock is asked for by name", async () => {
    const config = "[default]\nregion = eu-central-1\n";
    const ran = await tau({ credentials: KEYS, config }, ["-p", "-m", MODEL, "hi"]);
    expect(ran.stdout).toContain("From Bedrock.");
    expect(ran.requests[0]!.headers.get("authorization")).toMatch(
      /Credential=AKIAFILE\/\d{8}\/eu-central-1\/bedrock\/aws4_request/,
    );
  });

  test("does not make Bedrock the choice of somebody who named no model", async () => {
    const ran = await tau({ credentials: KEYS }, ["-p", "hi"]);
    expect(ran.requests).toEqual([]);
    const listed = await tau({ credentials: KEYS }, ["models"]);
    expect(listed.stdout).not.toContain("amazon-bedrock/");
    const explained = await tau({ credentials: KEYS }, ["models", "explain", MODEL]);
    expect(explained.stdout).toMatch(/credential {2}file: .*\/\.aws\/credentials/);
  });

  test("that needs a program or a login page says what to set", async () => {
    for (const indirect of ["credential_process = /bin/x", "sso_session = corp"]) {
      const config = `[default]\n${indirect}\n`;
      const ran = await tau({ config }, ["-p", "-m", MODEL, "hi"]);
      expect(ran.requests).toEqual([]);
      expect(ran.stderr).toContain(indirect.split(" ")[0]!);
      expect(ran.stderr).toContain("aws configure export-credentials --profile default");
      expect(ran.exitCode).not.toBe(0);
    }
  });

  test("that is not there leaves the sentence about keys", async () => {
    const ran = await tau({}, ["-p", "-m", MODEL, "hi"]);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain("AWS_BEARER_TOKEN_BEDROCK");
  });
});
