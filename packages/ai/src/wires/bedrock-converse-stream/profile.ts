// Keys and regions in the files that Amazon's own tools share. Profiles that need more than reading
// (single sign-on, roles, programs) are refused with a way out.

import { firstSet, type Environment } from "../../environment.ts";
import type { AuthorizationContext } from "../../wire.ts";
import { authFailure } from "../auth-failure.ts";
import { readFileIfThere, readNamedFile } from "../credential-file.ts";
import type { AwsCredentials } from "./sigv4.ts";

const DEFAULT_PROFILE = "default";
/** Settings by which a profile gets its keys from elsewhere. */
const INDIRECT = ["sso_session", "sso_start_url", "role_arn", "credential_process"];

/** Undefined where nobody named a profile and there is no default one. */
export async function profileCredentials(
  context: AuthorizationContext,
): Promise<AwsCredentials | undefined> {
  if (!context.readFile) return undefined;
  const { named, name, settings } = await profileOf(context);
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = settings;
  const sessionToken = settings.aws_session_token;
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, sessionToken };
  }
  const indirect = INDIRECT.find((setting) => settings[setting]);
  if (indirect) {
    throw authFailure(
      `The AWS profile "${name}" uses ${indirect}, which Tau does not follow: run "aws configure export-credentials --profile ${name} --format env" and set what it prints.`,
    );
  }
  if (named === undefined) return undefined;
  throw authFailure(`There is no AWS profile "${named}" with keys; correct or unset AWS_PROFILE.`);
}

/** Where the profile's owner works; undefined if it does not say, or is not there. */
export async function profileRegion(context: AuthorizationContext): Promise<string | undefined> {
  return context.readFile && ((await profileOf(context)).settings.region || undefined);
}

async function profileOf(context: AuthorizationContext) {
  const named = firstSet(["AWS_PROFILE"], context.env);
  const name = named ?? DEFAULT_PROFILE;
  const settings = { ...(await configOf(context, name)), ...(await keysOf(context, name)) };
  return { named, name, settings };
}

async function keysOf(context: AuthorizationContext, name: string): Promise<Settings> {
  const file = { variable: "AWS_SHARED_CREDENTIALS_FILE", place: "credentials" };
  return parseIni(await read(context, file)).get(name) ?? {};
}

/** The other file calls every profile but the default one `profile NAME`. */
async function configOf(context: AuthorizationContext, name: string): Promise<Settings> {
  const file = { variable: "AWS_CONFIG_FILE", place: "config" };
  const sections = parseIni(await read(context, file));
  return sections.get(name === DEFAULT_PROFILE ? name : `profile ${name}`) ?? {};
}

async function read(
  context: AuthorizationContext,
  { variable, place }: { variable: string; place: string },
): Promise<string> {
  const named = firstSet([variable], context.env);
  if (named !== undefined) return readNamedFile(context, named, variable);
  const home = homeOf(context.env);
  return (home && (await readFileIfThere(context, `${home}/.aws/${place}`))) || "";
}

function homeOf(env: Environment): string | undefined {
  return firstSet(["HOME", "USERPROFILE"], env);
}

type Settings = Record<string, string>;

export function parseIni(text: string): Map<string, Settings> {
  const sections = new Map<string, Settings>();
  let current: Settings | undefined;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]+)\]/.exec(line);
    if (section) {
      const name = section[1]!.trim().replace(/\s+/g, " ");
      current = sections.get(name) ?? {};
      sections.set(name, current);
      continue;
    }
    // Indented lines belong to a nested setting; none of those holds a key.
    const setting = /^([^\s#;=][^=]*)=(.*)$/.exec(line);
    if (current && setting) {
      current[setting[1]!.trim().toLowerCase()] = setting[2]!.replace(/\s[#;].*$/, "").trim();
    }
  }
  return sections;
}
