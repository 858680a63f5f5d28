import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { describeProblem } from "../../base/config-problem.ts";
import { loadHosts, type LoadHostsOptions } from "./load-hosts.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { SSH_ROWS } from "./settings.ts";

const json = (value: unknown): string => JSON.stringify(value);

test("files are read in order of precedence, and the first host of a name counts", async () => {
  await using home = await isolatedHome();
  await home.write("work/.tau/ssh.json", json({ hosts: { a: { host: "project" } } }));
  await home.write(".tau/agent/ssh.json", json({ a: { host: "user" }, b: { host: "user" } }));
  await home.write(
    ".omp/agent/ssh.json",
    json({ hosts: { b: { host: "x" }, c: { host: "omp" } } }),
  );
  await home.write("work/ssh.json", json({ c: { host: "x" }, d: { host: "root" } }));
  await home.write("work/.ssh.json", json({ d: { host: "x" }, e: { host: "dot" } }));
  await home.write(".ssh/config", "Host e alias *.corp\n  HostName nowhere\n");
  const options: LoadHostsOptions = {
    cwd: home.path("work"),
    env: home.env,
    settings: {
      ...defaultsOf(SSH_ROWS),
      hosts: { s: { host: "setting" }, b: { host: "setting" } },
    },
    project: "trusted",
  };
  const addresses = (loaded: ReturnType<typeof loadHosts>): Record<string, string> =>
    Object.fromEntries([...loaded.hosts].map(([name, { address }]) => [name, address]));
  const trusted = loadHosts(options);
  expect(addresses(trusted)).toEqual({
    a: "project",
    s: "setting",
    b: "setting",
    c: "omp",
    d: "root",
    e: "dot",
    alias: "alias",
  });
  expect(trusted.problems).toEqual([]);
  expect([...trusted.inert]).toEqual([]);
  // What an untrusted project names is not there, and hides nothing that the user has.
  const untrusted = loadHosts({ ...options, project: "untrusted" });
  expect(addresses(untrusted)).toEqual({
    s: "setting",
    b: "setting",
    a: "user",
    c: "omp",
    e: "e",
    alias: "alias",
  });
  expect([...untrusted.inert]).toEqual([["d", home.path("work/ssh.json")]]);
  const bare = { ...options.settings, openssh: false };
  expect(loadHosts({ ...options, settings: bare }).hosts.has("alias")).toBe(false);
  const off = { ...options.settings, enabled: false };
  expect(loadHosts({ ...options, settings: off }).hosts.size).toBe(0);
});

test("every word of a host, in the spellings that are about", async () => {
  await using home = await isolatedHome();
  await home.write(
    ".tau/agent/ssh.json",
    `{
      // comments are fine
      "hosts": {
        "one": { "host": "\${SITE}.example.test", "username": "\${WHO:-ada}", "port": "2222",
                 "keyPath": "~/keys/one", "compat": "false", "description": "the first" },
        "two": { "hostname": "::1", "user": "bob", "port": 22, "key": "two", "compat": true },
        "three": {},
      },
    }`,
  );
  const { hosts, problems } = loadHosts({
    cwd: home.root,
    env: { ...home.env, SITE: "lab" },
    settings: defaultsOf(SSH_ROWS),
    project: "untrusted",
  });
  expect(problems).toEqual([]);
  expect([...hosts.values()]).toEqual([
    {
      name: "one",
      address: "lab.example.test",
      user: "ada",
      port: 2222,
      keyPath: home.path("keys/one"),
      compat: false,
      description: "the first",
    },
    {
      name: "two",
      address: "::1",
      user: "bob",
      port: 22,
      keyPath: home.path(".tau/agent/two"),
      compat: true,
    },
    { name: "three", address: "three" },
  ]);
});

test("what is wrong is reported with its place, and everything else counts", async () => {
  await using home = await isolatedHome();
  const file = await home.write(
    ".tau/agent/ssh.json",
    json({
      good: { host: "a" },
      option: { host: "-oProxyCommand=x" },
      unset: { host: "${NOT_THERE}" },
      word: { hots: "a" },
      flat: "a",
      port: { host: "a", port: 99_999 },
      deep: { host: { a: 1 } },
      compat: { compat: "maybe" },
    }),
  );
  const torn = await home.write(".omp/agent/ssh.json", "{");
  const { hosts, problems } = loadHosts({
    cwd: home.path("work"),
    env: home.env,
    settings: defaultsOf(SSH_ROWS),
    project: "untrusted",
  });
  expect([...hosts.keys()]).toEqual(["good"]);
  expect(problems.map(describeProblem).slice(0, -1)).toEqual([
    `${file}: option: "-oProxyCommand=x" is not an address`,
    `${file}: unset: the variable NOT_THERE is not set`,
    `${file}: word: hots is unknown; the keys are host, user, port, key, compat, description`,
    `${file}: flat: a host is a map, such as { "host": "10.0.0.1", "user": "ada" }`,
    `${file}: port: 99999 is not a port`,
    `${file}: deep: host is not text`,
    `${file}: compat: compat must be true or false`,
  ]);
  expect(problems.at(-1)!.file).toBe(torn);
});
