// Amazon's request signature, version 4: a hash of the request in a canonical form, signed
// with a key that holds for one day, region and service.

const ALGORITHM = "AWS4-HMAC-SHA256";

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
  request: Signable,
  options: SigningOptions,
): Promise<Record<string, string>> {
  const { credentials, region, service, now } = options;
  const date = amzDate(now);
  const added: Record<string, string> = { "x-amz-date": date };
  if (credentials.sessionToken) added["x-amz-security-token"] = credentials.sessionToken;
  const url = new URL(request.url);
  const headers = signedHeaders({ ...request.headers, ...added, host: url.host });
  const names = headers.map(([name]) => name).join(";");
  const canonical = [
    request.method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...headers.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    await sha256(request.body),
  ].join("\n");
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const toSign = [ALGORITHM, date, scope, await sha256(canonical)].join("\n");
  let key: Uint8Array<ArrayBuffer> = utf8(`AWS4${credentials.secretAccessKey}`);
  for (const part of scope.split("/")) key = await hmac(key, part);
  const signature = (await hmac(key, toSign)).toHex();
  const credential = `${credentials.accessKeyId}/${scope}`;
  added.authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return added;
}

/** `20150830T123600Z` */
function amzDate(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** What proxies leave alone; headers that a network may add or change stay unsigned. */
function signedHeaders(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers)
    .filter(([name]) => name === "host" || name === "content-type" || name.startsWith("x-amz-"))
    .map(([name, value]): [string, string] => [name, value.trim().replace(/ +/g, " ")])
    .sort(byCodeUnit);
}

/** Every service but one hashes the path as it is sent, encoded once more. */
function canonicalPath(path: string): string {
  return path.split("/").map(strictEncode).join("/");
}

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .map(([name, value]): [string, string] => [strictEncode(name), strictEncode(value)])
    .sort((a, b) => byCodeUnit(a, b) || (a[1] < b[1] ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function byCodeUnit([a]: [string, string], [b]: [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** RFC 3986: everything but letters, digits and `-_.~`. */
function strictEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text))).toHex();
}

async function hmac(
  secret: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(text)));
}
