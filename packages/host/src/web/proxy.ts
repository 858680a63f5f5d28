// Which proxy a request goes through, from the usual environment variables. Decided here and
// not by `fetch`, since behind a proxy names are resolved by the proxy.

export type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFor(url: URL, env: Environment): string | undefined {
  if (isExempt(url, env.no_proxy ?? env.NO_PROXY ?? "")) return undefined;
  // Upper-case HTTP_PROXY can be set by a request in old CGI programs; this is none.
  const names =
    url.protocol === "https:"
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      : ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
  const value = names.map((name) => env[name]).find((proxy) => proxy !== undefined && proxy !== "");
  if (value === undefined) return undefined;
  const withScheme = value.includes("://") ? value : `http://${value}`;
  // Others (SOCKS) are nothing that fetch can use.
  return /^https?:/i.test(withScheme) && URL.canParse(withScheme) ? withScheme : undefined;
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  // This machine is never behind a proxy.
  if (host === "localhost" || host.startsWith("127.") || host === "::1") return true;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const [name, onlyPort] = entry.split(/:(?=\d+$)/);
      if (!name || (onlyPort !== undefined && onlyPort !== port)) return false;
      const bare = name.replace(/^\*?\./, "");
      return host === bare || host.endsWith(`.${bare}`);
    });
}
