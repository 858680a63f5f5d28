// Keys for a role, in exchange for a token that another identity provider put into a file.

import { firstSet } from "../../environment.ts";
import type { AuthorizationContext } from "../../wire.ts";
import { authFailure } from "../auth-failure.ts";
import { readNamedFile } from "../credential-file.ts";
import { requestToken } from "../token-request.ts";
import type { AwsCredentials } from "./sigv4.ts";
import { expiringCredentials, temporaryCredentials } from "./temporary-credentials.ts";

const TOKEN_FILE = "AWS_WEB_IDENTITY_TOKEN_FILE";
const API_VERSION = "2011-06-15";

export async function webIdentityCredentials(
  context: AuthorizationContext,
  region: string,
): Promise<AwsCredentials | undefined> {
  const { env } = context;
  const file = firstSet([TOKEN_FILE], env);
  const role = firstSet(["AWS_ROLE_ARN"], env);
  if (file === undefined || role === undefined) return undefined;
  const endpoint = firstSet(["AWS_ENDPOINT_URL_STS"], env) ?? stsOf(region);
  return temporaryCredentials.get(`${endpoint} ${role} ${file}`, context.signal, async () => {
    const form = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: API_VERSION,
      RoleArn: role,
      RoleSessionName: firstSet(["AWS_ROLE_SESSION_NAME"], env) ?? "tau",
      WebIdentityToken: (await readNamedFile(context, file, TOKEN_FILE)).trim(),
    });
    const xml = await requestToken(context.fetch, "AWS STS", endpoint, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    });
    const given = expiringCredentials({
      accessKeyId: elementOf(xml, "AccessKeyId"),
      secretAccessKey: elementOf(xml, "SecretAccessKey"),
      sessionToken: elementOf(xml, "SessionToken"),
      expiration: elementOf(xml, "Expiration"),
    });
    if (!given) throw authFailure(`AWS STS handed out no keys for ${role}.`);
    return given;
  });
}

/** China's regions are a cloud of their own. */
function stsOf(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

/** The four values of interest hold no markup, and their names occur once. */
function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim();
}
