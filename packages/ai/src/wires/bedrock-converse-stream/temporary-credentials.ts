// Keys that somebody hands out for a while: kept until shortly before they end.

import { ExpiringCache, type Expiring } from "../expiring-cache.ts";
import type { AwsCredentials } from "./sigv4.ts";

/** Assumed where nobody says when the keys end. */
const DEFAULT_LIFETIME_MS = 15 * 60_000;

export const temporaryCredentials = new ExpiringCache<AwsCredentials>();

export interface HandedOut {
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  sessionToken: string | undefined;
  /** A date as Amazon writes it. */
  expiration: string | undefined;
}

/** Undefined where a part of the keys is missing. */
export function expiringCredentials(
  handedOut: HandedOut,
  now = Date.now(),
): Expiring<AwsCredentials> | undefined {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = handedOut;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const ends = Date.parse(expiration ?? "");
  return {
    value: { accessKeyId, secretAccessKey, sessionToken },
    expiresAt: Number.isNaN(ends) ? now + DEFAULT_LIFETIME_MS : ends,
  };
}
