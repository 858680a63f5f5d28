// What plugins come from, on this machine: a registry as npm asks it, files, and repositories through git's
// own server.

export interface PackageServer extends AsyncDisposable {
  url: string;
  /** What was asked for, in order. */
  requests: string[];
  /** `integrity`: what the registry says, if it is not true. */
  publish(
    name: string,
    version: string,
    bytes: Uint8Array,
    how?: { integrity?: string; manifest?: object },
  ): void;
  serve(path: string, answer: () => Response | Promise<Response>): void;
  /** The address of a repository on this machine; `root` is its working directory. */
  gitUrl(root: string): string;
}

interface Published {
  versions: Record<string, object>;
  latest: string;
}

export function startPackageServer(): PackageServer {
  const packages = new Map<string, Published>();
  const files = new Map<string, () => Response | Promise<Response>>();
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      if (pathname.startsWith("/git/")) return gitBackend(request);
      const file = files.get(pathname);
      if (file) return file();
      const found = packages.get(decodeURIComponent(pathname.slice(1)));
      if (!found) return new Response("not found", { status: 404 });
      const { versions, latest } = found;
      return Response.json({ "dist-tags": { latest }, versions });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    requests,
    publish(name, version, bytes, { integrity, manifest = {} } = {}) {
      const hash = new Bun.CryptoHasher("sha512").update(bytes).digest("base64");
      const tarball = `/files/${name}-${version}.tgz`;
      files.set(tarball, () => new Response(Uint8Array.from(bytes)));
      const before = packages.get(name)?.versions ?? {};
      const dist = { tarball: url + tarball, integrity: integrity ?? `sha512-${hash}` };
      const versions = { ...before, [version]: { name, version, ...manifest, dist } };
      packages.set(name, { versions, latest: version });
    },
    serve: (path, answer) => void files.set(path, answer),
    gitUrl: (root) => `${url}/git${root}/.git`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** `git http-backend`, as a web server would start it. */
async function gitBackend(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.slice("/git".length);
  const body = new Uint8Array(await request.arrayBuffer());
  const child = Bun.spawn(["git", "http-backend"], {
    env: {
      PATH: process.env.PATH,
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      GIT_CONFIG_KEY_1: "uploadpack.allowReachableSHA1InWant",
      GIT_CONFIG_VALUE_1: "true",
      GIT_PROJECT_ROOT: "/",
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: path,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
      HTTP_GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
    },
    stdin: body,
    stdout: "pipe",
    stderr: "ignore",
  });
  const output = Buffer.from(await child.stdout.bytes());
  const end = output.indexOf("\r\n\r\n");
  const headers = new Headers();
  let status = 200;
  for (const line of output.subarray(0, end).toString().split("\r\n")) {
    const [name = "", value = ""] = line.split(/:\s*/, 2);
    if (name === "Status") status = Number.parseInt(value, 10);
    else headers.set(name, value);
  }
  return new Response(output.subarray(end + 4), { status, headers });
}
