// Where Amazon's keys are, in order: the environment, a profile in a file, a web identity,
// the container's own service.

import { firstSet } from "../../environment.ts";
import type { AuthorizationContext } from "../../wire.ts";
import { authFailure } from "../auth-failure.ts";
import { containerCredentials } from "./container-credentials.ts";
import { profileCredentials } from "./profile.ts";
import type { AwsCredentials } from "./sigv4.ts";
import { webIdentityCredentials } from "./web-identity.ts";

export async function findCredentials(
  context: AuthorizationContext,
  region: string,
): Promise<AwsCredentials> {
  const found =
    environmentCredentials(context.env) ??
    (await profileCredentials(context)) ??
    (await webIdentityCredentials(context, region)) ??
    (await containerCredentials(context));
  if (found) return found;
  throw authFailure(
    "There are no AWS credentials: set AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
  );
}

function environmentCredentials(env: AuthorizationContext["env"]): AwsCredentials | undefined {
  const accessKeyId = firstSet(["AWS_ACCESS_KEY_ID"], env);
  const secretAccessKey = firstSet(["AWS_SECRET_ACCESS_KEY"], env);
  if (!accessKeyId || !secretAccessKey) return undefined;
  const sessionToken = firstSet(["AWS_SESSION_TOKEN"], env);
  return { accessKeyId, secretAccessKey, sessionToken };
}
