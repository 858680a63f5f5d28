// The signature against requests and signatures that Amazon itself publishes.

import { describe, expect, test } from "bun:test";
import { signatureHeaders, type Signable, type SigningOptions } from "./sigv4.ts";

const CREDENTIALS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const NOW = new Date("2015-08-30T12:36:00Z");
const SUITE: SigningOptions = {
  credentials: CREDENTIALS,
  region: "us-east-1",
  service: "service",
  now: NOW,
};

async function sign(request: Partial<Signable>, options: SigningOptions = SUITE): Promise<string> {
  const whole = { method: "GET", url: "https://example.amazonaws.com/", headers: {}, body: "" };
  const { authorization } = await signatureHeaders({ ...whole, ...request }, options);
  return authorization!;
}

const signatureOf = (authorization: string): string => authorization.split("Signature=")[1]!;

describe("the published test suite", () => {
  test("get-vanilla", async () => {
    expect(await sign({})).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    );
  });

  test("get-vanilla-query-order-key-case", async () => {
    const url = "https://example.amazonaws.com/?Param2=value2&Param1=value1";
    expect(signatureOf(await sign({ url }))).toBe(
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    );
  });

  test("post-vanilla", async () => {
    expect(signatureOf(await sign({ method: "POST" }))).toBe(
      "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    );
  });

  test("get-vanilla-empty-query-key", async () => {
    const url = "https://example.amazonaws.com/?Param1=value1";
    expect(signatureOf(await sign({ url }))).toBe(
      "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
    );
  });

  test("get-slashes, get-slash-dot-slash: a path is signed as Amazon reads it", async () => {
    const plain = signatureOf(await sign({ url: "https://example.amazonaws.com/example/" }));
    expect(signatureOf(await sign({ url: "https://example.amazonaws.com//example//" }))).toBe(
      plain,
    );
    expect(signatureOf(await sign({ url: "https://example.amazonaws.com/./example/" }))).toBe(
      plain,
    );
  });
});

test("the worked example of the documentation", async () => {
  const url = "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08";
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const authorization = await sign({ url, headers }, { ...SUITE, service: "iam" });
  expect(authorization).toContain("SignedHeaders=content-type;host;x-amz-date,");
  expect(signatureOf(authorization)).toBe(
    "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
  );
});

test("a session's token is sent and signed", async () => {
  const credentials = { ...CREDENTIALS, sessionToken: "session" };
  const request = { method: "GET", url: "https://example.amazonaws.com/", headers: {}, body: "" };
  const headers = await signatureHeaders(request, { ...SUITE, credentials });
  expect(headers["x-amz-security-token"]).toBe("session");
  expect(headers.authorization).toContain("SignedHeaders=host;x-amz-date;x-amz-security-token,");
});

test("every part of the request is in the signature, a port of the host too", async () => {
  const url = "https://h.test/model/a%3A0/converse?x=1";
  const base = signatureOf(await sign({ url }));
  const others: Partial<Signable>[] = [
    { url: "https://h.test/model/a:0/converse?x=1" },
    { url: "https://h.test:8443/model/a%3A0/converse?x=1" },
    { url: "https://h.test/model/a%3A0/converse?x=2" },
    { url, method: "POST" },
    { url, body: "x" },
    { url, headers: { "x-amz-meta": "1" } },
  ];
  for (const other of others) expect(signatureOf(await sign(other))).not.toBe(base);
  // What a network may add is not.
  expect(signatureOf(await sign({ url, headers: { "user-agent": "x" } }))).toBe(base);
});
