// Keys from the service that Amazon runs beside a container (ECS, EKS).

import { firstSet } from "../../environment.ts";
import type { AuthorizationContext } from "../../wire.ts";
import { authFailure } from "../auth-failure.ts";
import { readNamedFile } from "../credential-file.ts";
import { asString, parseObject } from "../json.ts";
import { requestToken } from "../token-request.ts";
import type { AwsCredentials } from "./sigv4.ts";
import { expiringCredentials, temporaryCredentials } from "./temporary-credentials.ts";

const ECS_HOST = "http://169.254.170.2";
/** Whoever else answered without encryption could hand out keys of his own. */
const PLAIN_HOSTS = new Set([
  "169.254.170.2",
  "169.254.170.23",
  "[fd00:ec2::23]",
  "localhost",
  "127.0.0.1",
  "[::1]",
]);
const TOKEN_FILE = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";

export async function containerCredentials(
  context: AuthorizationContext,
): Promise<AwsCredentials | undefined> {
  const relative = firstSet(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"], context.env);
  const url =
    relative === undefined
      ? firstSet(["AWS_CONTAINER_CREDENTIALS_FULL_URI"], context.env)
      : ECS_HOST + relative;
  if (url === undefined) return undefined;
  if (!isTrusted(url)) {
    throw authFailure(
      `AWS_CONTAINER_CREDENTIALS_FULL_URI is ${url}, which is neither https nor a container's own service; correct or unset it.`,
    );
  }
  return temporaryCredentials.get(url, context.signal, async () => {
    const token = await tokenOf(context);
    const headers: Record<string, string> = { accept: "application/json" };
    if (token !== undefined) headers.authorization = token;
    const init = { method: "GET", headers };
    const body = await requestToken(context.fetch, "the container's credentials", url, init);
    const json = parseObject(body);
    const given = expiringCredentials({
      accessKeyId: asString(json?.AccessKeyId),
      secretAccessKey: asString(json?.SecretAccessKey),
      sessionToken: asString(json?.Token),
      expiration: asString(json?.Expiration),
    });
    if (!given) throw authFailure(`${url} handed out no AWS keys.`);
    return given;
  });
}

function isTrusted(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && PLAIN_HOSTS.has(hostname));
}

async function tokenOf(context: AuthorizationContext): Promise<string | undefined> {
  const file = firstSet([TOKEN_FILE], context.env);
  if (file !== undefined) return (await readNamedFile(context, file, TOKEN_FILE)).trim();
  return firstSet(["AWS_CONTAINER_AUTHORIZATION_TOKEN"], context.env);
}
