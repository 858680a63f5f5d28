// The way to a repository that a stranger's catalog names, hop by hop, and git that goes no other.

import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { fetchCommit } from "@tau/host/git/fetch-commit";
import { createScratchRepository, isolatedHome } from "@tau/testkit/scratch";
import {
  isPrivatePlace,
  publicRepository,
} from "../packages/tau/src/extend/plugins/public-repository.ts";
import { startPackageServer } from "./support/package-server.ts";

const { signal } = new AbortController();
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  "public.test": ["93.184.215.14"],
  "renamed.test": ["2606:2800:21f:cb07::1"],
  "inner.test": ["93.184.215.14", "10.1.2.3"],
  "unknown.test": [],
};
const lookup = async (host: string): Promise<string[]> => [...(HOSTS[host] ?? [])];
const way = (url: string, redirects: Readonly<Record<string, string>> = {}) =>
  publicRepository(url, {
    env: {},
    signal,
    lookup,
    redirectOf: async ({ href }) => redirects[href],
  });
const REFS = "/info/refs?service=git-upload-pack";

describe("the way to a repository", () => {
  test("git connects to the address that was checked, and follows no redirect", async () => {
    expect(await way("https://public.test/a/b.git/")).toEqual({
      url: "https://public.test/a/b.git",
      settings: ["http.followRedirects=false", "http.curloptResolve=public.test:443:93.184.215.14"],
    });
  });

  test("a redirect is followed before git is asked", async () => {
    const redirects = {
      [`https://public.test/a.git${REFS}`]: `https://renamed.test:8443/b.git${REFS}`,
    };
    expect(await way("https://public.test/a.git", redirects)).toEqual({
      url: "https://renamed.test:8443/b.git",
      settings: [
        "http.followRedirects=false",
        "http.curloptResolve=renamed.test:8443:[2606:2800:21f:cb07::1]",
      ],
    });
  });

  test.each([
    ["this machine", `https://127.0.0.1/b.git${REFS}`, "private address"],
    ["a name with a private address among others", `https://inner.test/b${REFS}`, "10.1.2.3"],
    ["another protocol", `http://public.test/b.git${REFS}`, "away from https"],
    ["itself", REFS.replace("/", "/a.git/"), "too often"],
    ["what is not a repository", "https://public.test/login", "no repository"],
  ])("a redirect to %s is refused", async (_name, to, why) => {
    const redirects = { [`https://public.test/a.git${REFS}`]: to };
    await expect(way("https://public.test/a.git", redirects)).rejects.toThrow(why);
  });

  test.each(["https://unknown.test/a.git", "git@unknown.test:a.git", "ssh://git@inner.test/a.git"])(
    "%s is refused",
    async (url) => {
      await expect(way(url)).rejects.toThrow("the marketplace leads to");
    },
  );
});

test("whether a catalog is of this machine or its network", async () => {
  const near = ["http://localhost/x.json", "git+https://10.0.0.1/a.git", "git+git@inner.test:a/b"];
  const far = ["https://public.test/x.json", "git+https://unknown.test/a.git", "nothing"];
  for (const one of near) expect(await isPrivatePlace(one, { env: {}, lookup })).toBe(true);
  for (const one of far) expect(await isPrivatePlace(one, { env: {}, lookup })).toBe(false);
});

test("git itself follows no redirect if it is told so", async () => {
  await using home = await isolatedHome();
  await using server = startPackageServer();
  await using repository = await createScratchRepository({ files: { a: "x" } });
  const to = `${server.gitUrl(repository.root)}${REFS}`;
  server.serve("/moved/info/refs", () => Response.redirect(to, 302));
  const fetched = async (settings: readonly string[]) => {
    const directory = home.path(`repository-${settings.length}`);
    await mkdir(directory);
    const limits = { maxBytes: 2 ** 20, timeoutMs: 20_000 };
    const wish = { url: `${server.url}/moved`, protocols: ["http"], settings };
    return fetchCommit(wish, { directory, env: { ...home.env }, signal, ...limits });
  };
  expect((await fetched([])).commit).toMatch(/^[0-9a-f]{40}$/);
  await expect(fetched(["http.followRedirects=false"])).rejects.toThrow("git:");
});
