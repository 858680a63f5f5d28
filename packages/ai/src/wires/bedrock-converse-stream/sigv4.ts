// Amazon's request signature, version 4, by aws4fetch: which headers are signed is ours to say.

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface Signable {
  method: string;
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SigningOptions {
  credentials: AwsCredentials;
  region: string;
  service: string;
  now: Date;
}

/** The headers that make a request a signed one. */
export async function signatureHeaders(
  { method, url, headers, body }: Signable,
  { credentials, region, service, now }: SigningOptions,
): Promise<Record<string, string>> {
  const { AwsV4Signer } = await import("aws4fetch");
  const signer = new AwsV4Signer({
    ...credentials,
    method,
    url,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isSigned(name))),
    body,
    region,
    service,
    datetime: amzDate(now),
    // Those that are given: it would leave out the content's type.
    allHeaders: true,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}

/** `20150830T123600Z` */
function amzDate(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** What proxies leave alone; headers that a network may add or change stay unsigned. */
function isSigned(name: string): boolean {
  return name === "content-type" || name.startsWith("x-amz-");
}
