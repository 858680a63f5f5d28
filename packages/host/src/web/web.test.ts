// Pages from a real server on this machine: every kind of content, every way to be led astray,
// and every way not to end.

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { proxyFor } from "./proxy.ts";
import { parseWebUrl, readPage, type ReadPageOptions } from "./read-page.ts";
import { WebError, type WebErrorCode } from "./web-error.ts";

type Route = (request: Request, url: URL) => Response | Promise<Response>;

interface Site extends Disposable {
  url: string;
  port: number;
  seen: Headers[];
}

function serve(routes: Record<string, Route>): Site {
  const seen: Headers[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      // A request forgets them when it is over.
      seen.push(new Headers(request.headers));
      const url = new URL(request.url);
      return routes[url.pathname]?.(request, url) ?? new Response("nothing here", { status: 404 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port!,
    seen,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const typed = (
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  init: ResponseInit = {},
): Response => new Response(body, { ...init, headers: { "content-type": type, ...init.headers } });

const NO_PROXY: ReadPageOptions = { env: {} };

async function refusal(run: Promise<unknown>): Promise<WebErrorCode> {
  const outcome = await run.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (!(outcome instanceof WebError))
    throw new Error(`no WebError: ${JSON.stringify(outcome)} ${String(outcome)}`);
  expect(outcome.message).toMatch(/^[^\n]+: [^\n]+\.$/);
  return outcome.code;
}

const ARTICLE = `<!doctype html><html><head><title>The &amp; title</title><style>b{}</style></head>
  <body><nav>Menu</nav><main><h1>Heading</h1><p>Some <b>bold</b> words and
  <a href="../other?x=1&amp;y=2">a link</a>.</p><pre><code class="language-ts">let a = 1;</code></pre>
  <p>${"More to read. ".repeat(30)}</p></main><script>alert(1)</script><footer>Imprint</footer></body></html>`;

describe("a page", () => {
  test("of HTML becomes Markdown without what is not for reading", async () => {
    using site = serve({ "/a/b.php": () => typed("text/html; charset=utf-8", ARTICLE) });
    const page = await readPage(`${site.url}/a/b.php#part`, NO_PROXY);
    expect(page).toMatchObject({ method: "html", status: 200, title: "The & title" });
    expect(page.text).toContain("# Heading\n\nSome **bold** words and");
    expect(page.text).toContain(`[a link](${site.url}/other?x=1&y=2)`);
    expect(page.text).toContain("```ts\nlet a = 1;\n```");
    expect(page.text).not.toMatch(/Menu|alert|Imprint|b\{\}/);
    expect(page.finalUrl).toBe(`${site.url}/a/b.php#part`);
    expect(site.seen[0]!.get("cookie")).toBeNull();
    expect(site.seen[0]!.get("accept")).toStartWith("text/markdown");
  });

  test("is asked for as Markdown, and taken where the server has it", async () => {
    using site = serve({
      "/doc": (request) =>
        request.headers.get("accept")?.includes("text/markdown")
          ? typed("text/markdown", "# From the source")
          : typed("text/html", ARTICLE),
    });
    const page = await readPage(`${site.url}/doc`, NO_PROXY);
    expect(page).toMatchObject({ method: "content-negotiation", text: "# From the source" });
    const raw = await readPage(`${site.url}/doc`, { ...NO_PROXY, isRaw: true });
    expect(raw).toMatchObject({ method: "raw", text: ARTICLE });
  });

  test("that names its Markdown form is read in it, or has one beside it", async () => {
    const named = ARTICLE.replace(
      "<style>",
      '<link rel="alternate" type="text/markdown" href="/n.txt"><style>',
    );
    using site = serve({
      "/named": () => typed("text/html", named),
      "/n.txt": () => typed("text/plain", "named form"),
      "/beside": () => typed("text/html", ARTICLE),
      "/beside.md": () => typed("text/markdown", "form beside"),
      "/soft.html": () => typed("text/html", ARTICLE),
      // A site that answers everything with its front page.
      "/soft.md": () => typed("text/plain", "<html>not found</html>"),
    });
    expect(await readPage(`${site.url}/named`, NO_PROXY)).toMatchObject({
      method: "alternate-markdown",
      text: "named form",
      title: "The & title",
    });
    expect(await readPage(`${site.url}/beside`, NO_PROXY)).toMatchObject({
      method: "md-suffix",
      text: "form beside",
    });
    expect((await readPage(`${site.url}/soft.html`, NO_PROXY)).method).toBe("html");
  });

  test("without text of its own is helped by a feed or the site's llms.txt", async () => {
    const shell = '<html><head><title>App</title></head><body><div id="root"></div></body></html>';
    using site = serve({
      "/": () => typed("text/html", shell),
      "/llms.txt": () => typed("text/plain", "# What this site is"),
      "/blog": () =>
        typed(
          "text/html",
          shell.replace(
            "<title>",
            '<link rel=alternate type="application/rss+xml" href="/rss"><title>',
          ),
        ),
      "/rss": () =>
        typed("application/rss+xml", "<rss><channel><title>News</title></channel></rss>"),
    });
    expect(await readPage(site.url, NO_PROXY)).toMatchObject({
      method: "llms.txt",
      text: "# What this site is",
    });
    expect(await readPage(`${site.url}/blog`, NO_PROXY)).toMatchObject({
      method: "feed",
      text: "# News",
    });
    using bare = serve({ "/": () => typed("text/html", "<body><script>x</script></body>") });
    const page = await readPage(bare.url, NO_PROXY);
    expect(page.method).toBe("html");
    expect(page.notes.join()).toContain("use a browser");
  });

  test("of JSON is laid out, and what only says to be JSON is shown", async () => {
    using site = serve({
      "/good": () => typed("application/problem+json", '{"a":[1,2]}'),
      "/bad": () => typed("application/json", "{oops"),
    });
    expect(await readPage(`${site.url}/good`, NO_PROXY)).toMatchObject({
      method: "json",
      text: '{\n  "a": [\n    1,\n    2\n  ]\n}',
    });
    expect(await readPage(`${site.url}/bad`, NO_PROXY)).toMatchObject({
      method: "text",
      text: "{oops",
    });
  });

  test("of a feed becomes a list", async () => {
    const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title>
      <item><title><![CDATA[First <b>one</b>]]></title><link>https://e.com/1</link>
      <pubDate>Mon, 1 Jan 2024</pubDate><description>&lt;p&gt;Some &lt;i&gt;text&lt;/i&gt;&lt;/p&gt;</description></item>
      <item><title>Second</title></item></channel></rss>`;
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><title type="xhtml"><div>In <b>parts</b></div></title>
      <link rel="self" href="https://e.com/self"/><link href="https://e.com/2"/><updated>2024-01-02</updated></entry></feed>`;
    using site = serve({
      "/rss": () => typed("application/rss+xml", rss),
      "/atom": () => typed("text/xml", atom),
      "/xml": () => typed("application/xml", "<config><a>1</a></config>"),
    });
    expect((await readPage(`${site.url}/rss`, NO_PROXY)).text).toBe(
      "# News & more\n\n## First one\nhttps://e.com/1\nMon, 1 Jan 2024\n\nSome text\n\n## Second",
    );
    expect((await readPage(`${site.url}/atom`, NO_PROXY)).text).toBe(
      "# Atom\n\n## In parts\nhttps://e.com/2\n2024-01-02",
    );
    expect(await readPage(`${site.url}/xml`, NO_PROXY)).toMatchObject({
      method: "text",
      text: "<config><a>1</a></config>",
    });
  });

  test("in another encoding is read by header, by declaration, and by what it can only be", async () => {
    const latin = (text: string) => Buffer.from(text, "latin1");
    using site = serve({
      "/header": () => typed("text/plain; charset=iso-8859-1", latin("café")),
      "/meta": () =>
        typed(
          "text/html",
          latin(`<html><meta charset="windows-1252"><p>café ${"x".repeat(300)}</p>`),
        ),
      "/wrong": () => typed("text/plain; charset=utf-8", latin("café")),
      "/none": () => typed("text/plain", latin("café")),
      "/unknown": () => typed("text/plain; charset=klingon", "café"),
      "/sixteen": () => typed("text/plain; charset=utf-16le", Buffer.from("café", "utf16le")),
      "/japanese": () =>
        typed("text/plain; charset=shift_jis", Buffer.from([0x93, 0xfa, 0x96, 0x7b])),
    });
    const text = async (path: string) => (await readPage(site.url + path, NO_PROXY)).text;
    expect(await text("/header")).toBe("café");
    expect(await text("/meta")).toContain("café");
    expect(await text("/wrong")).toBe("caf\ufffd");
    expect(await text("/none")).toBe("café");
    expect(await text("/unknown")).toBe("café");
    expect(await text("/sixteen")).toBe("café");
    expect(await text("/japanese")).toBe("日本");
  });

  test("that is no text comes as its bytes", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000", "hex");
    using site = serve({
      "/p.png": () => typed("image/png", png),
      "/d.pdf": () => typed("application/pdf", "%PDF-1.4 all text"),
      "/lying": () => typed("text/html", png),
      "/stream": () => typed("application/octet-stream", "plain words"),
    });
    expect(await readPage(`${site.url}/p.png`, NO_PROXY)).toMatchObject({
      method: "bytes",
      contentType: "image/png",
      bytes: png,
    });
    expect((await readPage(`${site.url}/d.pdf`, NO_PROXY)).bytes).toHaveLength(17);
    expect((await readPage(`${site.url}/lying`, NO_PROXY)).method).toBe("bytes");
    expect((await readPage(`${site.url}/stream`, NO_PROXY)).text).toBe("plain words");
  });

  test("that is not there is a result with its reason", async () => {
    using site = serve({ "/gone": () => typed("text/html", "<h1>Gone</h1>", { status: 410 }) });
    const page = await readPage(`${site.url}/gone`, NO_PROXY);
    expect(page).toMatchObject({ method: "failed", status: 410, text: "# Gone" });
    expect(page.notes[0]).toContain("410");
  });

  test("says who asks", async () => {
    using site = serve({
      "/": (request) => typed("text/plain", request.headers.get("user-agent")!),
    });
    expect((await readPage(site.url, NO_PROXY)).text).toBe("tau");
    expect((await readPage(site.url, { ...NO_PROXY, userAgent: "other/1" })).text).toBe("other/1");
  });
});

describe("redirects", () => {
  const to = (location: string, status = 302): Response =>
    new Response(null, { status, headers: { location } });

  test("are followed and counted", async () => {
    using site = serve({
      "/a": () => to("/b", 301),
      "/b": () => to("c", 307),
      "/c": () => typed("text/plain", "arrived"),
      "/loop": () => to("/loop"),
      "/file": () => to("file:///etc/passwd"),
      "/none": () => to("http://["),
    });
    const page = await readPage(`${site.url}/a`, NO_PROXY);
    expect(page).toMatchObject({
      text: "arrived",
      finalUrl: `${site.url}/c`,
      url: `${site.url}/a`,
    });
    expect(await refusal(readPage(`${site.url}/loop`, NO_PROXY))).toBe("too_many_redirects");
    expect(await refusal(readPage(`${site.url}/file`, NO_PROXY))).toBe("bad_url");
    expect(await refusal(readPage(`${site.url}/none`, NO_PROXY))).toBe("unreachable");
  });

  test("into this machine are refused where the address came from elsewhere", async () => {
    using inner = serve({ "/secret": () => typed("text/plain", "secret") });
    using site = serve({
      "/host": () => to(`http://localhost:${inner.port}/secret`),
      "/six": () => to(`http://[::1]:${inner.port}/secret`),
      "/mapped": () => to(`http://[::ffff:127.0.0.1]:${inner.port}/secret`),
      "/number": () => to(`http://2130706433:${inner.port}/secret`),
      "/zero": () => to(`http://0:${inner.port}/secret`),
      "/cloud": () => to("http://169.254.169.254/latest/meta-data/"),
      "/net": () => to("http://192.168.0.1/"),
      "/page": () =>
        typed(
          "text/html",
          `${ARTICLE}<link rel=alternate type="text/markdown" href="http://localhost:${inner.port}/secret">`,
        ),
    });
    // A public name, as far as the rules can see; it leads to the test server.
    const options: ReadPageOptions = {
      ...NO_PROXY,
      privateHosts: ["public.test"],
      lookup: async () => ["127.0.0.1"],
    };
    const base = `http://public.test:${site.port}`;
    for (const path of ["/host", "/six", "/mapped", "/number", "/zero", "/cloud", "/net"]) {
      expect([path, await refusal(readPage(base + path, options))]).toEqual([
        path,
        "refused_address",
      ]);
    }
    expect((await readPage(`${base}/page`, options)).text).not.toContain("secret");
    expect(inner.seen).toEqual([]);
  });

  test("into this machine are fine within the host that the user wrote out", async () => {
    using site = serve({ "/a": () => to("/b"), "/b": () => typed("text/plain", "home") });
    expect((await readPage(`${site.url}/a`, NO_PROXY)).text).toBe("home");
    expect((await readPage(`http://localhost:${site.port}/a`, NO_PROXY)).text).toBe("home");
    const model = { ...NO_PROXY, isUserUrl: false };
    expect(await refusal(readPage(`${site.url}/a`, model))).toBe("refused_address");
    expect(await refusal(readPage(`http://localhost:${site.port}/a`, model))).toBe(
      "refused_address",
    );
  });
});

describe("names", () => {
  test("that lead into this machine are refused", async () => {
    using site = serve({ "/": () => typed("text/plain", "secret") });
    const url = `http://rebind.test:${site.port}/`;
    const to = (addresses: string[]): ReadPageOptions => ({
      ...NO_PROXY,
      lookup: async () => addresses,
    });
    expect(await refusal(readPage(url, to(["127.0.0.1"])))).toBe("refused_address");
    expect(await refusal(readPage(url, to(["93.184.216.34", "10.0.0.1"])))).toBe("refused_address");
    expect(await refusal(readPage(url, to(["::1"])))).toBe("refused_address");
    expect(await refusal(readPage(url, to([])))).toBe("unreachable");
    expect(site.seen).toEqual([]);
  });

  test("are sent to the server under which they were asked for", async () => {
    using site = serve({ "/": (request) => typed("text/plain", request.headers.get("host")!) });
    const page = await readPage(`http://inner.test:${site.port}/`, {
      ...NO_PROXY,
      privateHosts: ["inner.test"],
      lookup: async () => ["127.0.0.1"],
    });
    expect(page.text).toBe(`inner.test:${site.port}`);
  });

  test("are resolved once, and what was checked is what is connected to", async () => {
    using site = serve({ "/": () => typed("text/plain", "checked") });
    let asked = 0;
    const page = await readPage(`http://rebind.test:${site.port}/`, {
      ...NO_PROXY,
      privateHosts: ["rebind.test"],
      // A second answer would lead to where nobody listens.
      lookup: async () => (++asked === 1 ? ["127.0.0.1"] : ["127.255.255.254"]),
    });
    expect(page.text).toBe("checked");
    expect(asked).toBe(1);
  });

  test("that are no web address are refused", async () => {
    for (const url of [
      "file:///etc/passwd",
      "ftp://e.com",
      "data:text/plain,x",
      "no url",
      "",
      "http://",
      "https://user:pass@e.com/",
    ]) {
      expect([url, await refusal(readPage(url, NO_PROXY))]).toEqual([url, "bad_url"]);
    }
    expect(parseWebUrl(" www.e.com/x ").href).toBe("https://www.e.com/x");
  });
});

testWith(
  {
    program: "openssl",
    proves: "that the address that was checked is asked for the right certificate",
  },
  "a certificate is checked against the name, though the address is connected to",
  async (openssl) => {
    await using dir = await createScratchDirectory();
    const [key, cert] = [dir.path("key.pem"), dir.path("cert.pem")];
    await Bun.$`${openssl} req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${cert} -days 2 -subj /CN=safe.test -addext subjectAltName=DNS:safe.test`.quiet();
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { key: Bun.file(key), cert: Bun.file(cert) },
      fetch: () => typed("text/plain", "over TLS"),
    });
    const script = `
      const { readPage } = await import(${JSON.stringify(`${import.meta.dir}/read-page.ts`)});
      for (const host of ["safe.test", "other.test"]) {
        const options = { env: {}, privateHosts: [host], lookup: async () => ["127.0.0.1"] };
        const page = await readPage("https://" + host + ":${server.port}/", options).catch((error) => error);
        console.log(page.text ?? page.code);
      }`;
    // Whom to trust is read when a process starts.
    const child = Bun.spawn([process.execPath, "-e", script], {
      env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: cert },
      stdout: "pipe",
      stderr: "inherit",
    });
    expect(await child.stdout.text()).toBe("over TLS\nunreachable\n");
    expect(await refusal(readPage(`https://127.0.0.1:${server.port}/`, NO_PROXY))).toBe(
      "unreachable",
    );
  },
);

describe("a server that does not end", () => {
  const endless = (piece: Uint8Array, pauseMs: number): Response =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          await Bun.sleep(pauseMs);
          controller.enqueue(piece);
        },
      }),
      { headers: { "content-type": "text/plain" } },
    );

  test("is cut by size", async () => {
    using site = serve({ "/": () => endless(new Uint8Array(100_000).fill(97), 0) });
    const page = await readPage(site.url, { ...NO_PROXY, maxBytes: 250_000 });
    expect(page.text).toHaveLength(250_000);
    expect(page.notes.join()).toContain("longer than 250000 bytes");
  });

  test("is cut by time, and what came is kept", async () => {
    using site = serve({ "/": () => endless(new TextEncoder().encode("drip "), 50) });
    const page = await readPage(site.url, { ...NO_PROXY, deadlineMs: 1500 });
    expect(page.text).toStartWith("drip ");
    expect(page.notes.join()).toContain("had not ended");
  });

  test("or that says nothing is given up", async () => {
    using site = serve({ "/": () => Bun.sleep(60_000).then(() => new Response("late")) });
    expect(await refusal(readPage(site.url, { ...NO_PROXY, deadlineMs: 500 }))).toBe("too_slow");
    const signal = AbortSignal.timeout(300);
    await expect(readPage(site.url, { ...NO_PROXY, signal })).rejects.toThrow("timed out");
    using closed = serve({});
    const { url } = closed;
    closed[Symbol.dispose]();
    expect(await refusal(readPage(url, NO_PROXY))).toBe("unreachable");
  });

  test("is cut when it unpacks to more than it sends", async () => {
    const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024));
    using site = serve({
      "/": () => typed("text/plain", bomb, { headers: { "content-encoding": "gzip" } }),
      "/cut": () =>
        typed("text/plain", bomb.subarray(0, 1000), { headers: { "content-encoding": "gzip" } }),
    });
    const page = await readPage(site.url, { ...NO_PROXY, maxBytes: 1_000_000 });
    expect(page.notes.join()).toContain("longer than 1000000 bytes");
    const cut = await readPage(`${site.url}/cut`, NO_PROXY).catch((error: unknown) => error);
    if (cut instanceof Error) expect(cut).toBeInstanceOf(WebError);
    else expect((cut as { notes: string[] }).notes.join()).toContain("broke off");
  });
});

describe("proxies", () => {
  test("are taken from the environment, with their exceptions", () => {
    const env = {
      HTTPS_PROXY: "proxy:3128",
      http_proxy: "http://p:1",
      NO_PROXY: "e.com, .in.net,x.org:8443",
    };
    const of = (url: string) => proxyFor(new URL(url), env);
    expect(of("https://a.com")).toBe("http://proxy:3128");
    expect(of("http://a.com")).toBe("http://p:1");
    expect(of("https://e.com")).toBeUndefined();
    expect(of("https://sub.e.com")).toBeUndefined();
    expect(of("https://note.com")).toBe("http://proxy:3128");
    expect(of("https://a.in.net")).toBeUndefined();
    expect(of("https://x.org")).toBe("http://proxy:3128");
    expect(of("https://x.org:8443")).toBeUndefined();
    expect(of("http://127.0.0.1:80")).toBeUndefined();
    expect(proxyFor(new URL("https://a.com"), { ALL_PROXY: "socks5://x:1" })).toBeUndefined();
  });

  test("are asked for the page, and private addresses are refused before", async () => {
    const seen: string[] = [];
    using proxy = serve({});
    using real = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        seen.push(request.url);
        return typed("text/plain", "through the proxy");
      },
    });
    const env = { http_proxy: `http://127.0.0.1:${real.port}` };
    const page = await readPage("http://example.test/page", { env });
    expect(page.text).toBe("through the proxy");
    expect(seen).toHaveLength(1);
    expect(await refusal(readPage("http://10.0.0.1/", { env, isUserUrl: false }))).toBe(
      "refused_address",
    );
    expect(proxy.seen).toEqual([]);
  });
});
