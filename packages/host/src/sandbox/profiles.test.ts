// What each kind of work sees, in each kind of sandbox; and the law by which Landlock's grants are made.

import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { landlockRules } from "./landlock/landlock-rules.ts";
import { seccompFilter } from "./landlock/seccomp-filter.ts";
import { isWithin, planMounts, type Mount, type MountKind } from "./mount-plan.ts";
import type { ConfinedWork } from "./profiles.ts";
import { openSandbox } from "./sandbox.ts";
import { KINDS, sandboxTest } from "./test/sandbox-test.ts";

for (const kind of KINDS) {
  sandboxTest(
    `a reader sees what it is given and changes nothing (${kind})`,
    async () => {
      await using scratch = await createScratchDirectory();
      const home = scratch.path("home");
      const temporary = scratch.path("tmp");
      await mkdir(temporary);
      const given = await scratch.write("home/work/given.txt", "given");
      await scratch.write("home/work/other.txt", "other");
      const spare = scratch.path("home/spare");
      await mkdir(spare);
      const options = {
        workspace: scratch.path("home/work"),
        temporary,
        home,
        network: "on",
      } as const;
      const sandbox = await openSandbox(options, { kind });
      if (sandbox.kind === "none") throw new Error(sandbox.why);
      const run = async (script: string, work: ConfinedWork): Promise<string> => {
        const argv = sandbox.wrap(["bash", "-c", script], work);
        const child = Bun.spawn(argv, {
          cwd: "/",
          env: { PATH: process.env.PATH },
          stderr: "ignore",
        });
        return child.stdout.text();
      };
      using server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
      const script = [
        `cat ${given}`,
        `cat ${options.workspace}/other.txt /etc/passwd ~/.bashrc`,
        `echo x > ${given}`,
        `echo x > ${temporary}/x`,
        `echo x > ${spare}/x`,
        `echo > /dev/tcp/127.0.0.1/${server.port} && echo reached`,
        "echo done",
      ].join("; ");
      const reader = { profile: "reader", reads: [given] } as const;
      expect(await run(script, reader)).toBe("givendone\n");
      expect(await Bun.file(given).text()).toBe("given");
      expect(await Bun.file(join(temporary, "x")).exists()).toBe(false);
      await run(script, { ...reader, writes: [spare] });
      expect(await Bun.file(join(spare, "x")).exists()).toBe(true);
      // The same as a command: everything but what is outside of the project is its own.
      const asCommand = await run(script, { profile: "commands" });
      expect(asCommand).toStartWith("givenother");
      expect(asCommand).toContain("reached");
    },
    60_000,
    kind,
  );
}

const KINDS_OF_PLACES: readonly MountKind[] = [
  "readable",
  "hidden_directory",
  "hidden_file",
  "writable",
];

test("law: Landlock grants nothing hidden, and everything else that is there", async () => {
  await using scratch = await createScratchDirectory();
  const names = ["a", "b"];
  const directories = ["", ...names.flatMap((one) => [one, ...names.map((two) => join(one, two))])];
  for (const directory of directories) {
    for (const file of ["f", "g"]) await scratch.write(join(directory, file), "");
  }
  const files = directories.flatMap((each) => ["f", "g"].map((file) => scratch.path(each, file)));
  const paths = [...directories.map((each) => scratch.path(each)), ...files];
  const place = fc.record<Mount>({
    path: fc.constantFrom(...paths),
    kind: fc.constantFrom(...KINDS_OF_PLACES),
  });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 6 }), (given) => {
      const places = planMounts([{ path: scratch.root, kind: "readable" }, ...given]);
      const rules = landlockRules(places, "none");
      for (const file of files) {
        const granted = new Set(
          rules.filter(({ path }) => isWithin(file, path)).map(({ grant }) => grant),
        );
        const around = places.filter(({ path }) => isWithin(file, path));
        const decides = around.at(-1)!.kind;
        const isHidden = decides.startsWith("hidden");
        expect(granted.has("read") || granted.has("write")).toBe(!isHidden);
        if (decides === "writable") expect(granted.has("write")).toBe(true);
        // What only may be read is not written, unless what is around it may be.
        const isReadOnly = around.every(({ kind }) => kind !== "writable");
        if (isReadOnly) expect(granted.has("write")).toBe(false);
      }
    }),
  );
});

test("a processor whose calls are not known gets no filter, and so no sandbox", () => {
  expect(seccompFilter({ network: "off", arch: "mips" })).toBeUndefined();
  for (const arch of ["x64", "arm64"]) {
    expect(seccompFilter({ network: "off", arch })!.length % 8).toBe(0);
  }
});
