// Waits on loopback for a vendor's redirect. Only this machine reaches it, only the path
// and the state of this login count, and it closes itself when it has what it waited for.

import {
  LoopbackUnavailable,
  type LoopbackListener,
  type LoopbackOptions,
} from "@tau/ai/oauth/oauth";

/** A browser sends one line and a few headers. */
const MAX_REQUEST_BYTES = 16 * 1024;

export function listenOnLoopback(options: LoopbackOptions): LoopbackListener {
  const { host = "127.0.0.1", path, port, state } = options;
  const settled = Promise.withResolvers<URLSearchParams>();
  const server = serve(port, (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method !== "GET" || pathname !== path) return page(404, "Nothing is here");
    if (state !== undefined && searchParams.get("state") !== state) {
      return page(400, "This is not the expected login", "Start it again.");
    }
    settled.resolve(searchParams);
    return searchParams.has("code")
      ? page(200, "You are logged in", "You can close this window.")
      : page(200, "The login was not completed", "You can close this window.");
  });
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    // Without force: the page is still on its way to the browser.
    void server.stop();
  };
  void settled.promise.then(close);
  return {
    redirectUri: `http://${host}:${server.port}${path}`,
    settled: settled.promise,
    close,
  };
}

function serve(port: number, fetch: (request: Request) => Response): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: "127.0.0.1",
      port,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      fetch,
    });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EPERM") throw error;
    throw new LoopbackUnavailable(`port ${port} is in use`);
  }
}

function page(status: number, title: string, words = ""): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1.1rem/1.6 system-ui, sans-serif; margin: 20vh auto; max-width: 24rem; text-align: center }
  h1 { font-size: 1.3rem; font-weight: 600; margin: 0 }
  p { opacity: .7; margin: .5rem 0 }
</style>
<h1>${title}</h1>
<p>${words}</p>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      // So that the port is free as soon as the page has been sent.
      connection: "close",
    },
  });
}
