import { expect, test } from "bun:test";
import { pathToFileURL } from "node:url";
import { isolatedHome } from "@tau/testkit/scratch";
import { assessPaths } from "./assess-path.ts";
import { Workspace } from "./workspace.ts";

async function withWorkspace(
  check: (
    guardOf: (path: string) => Promise<string | undefined>,
    precious: string,
  ) => Promise<void>,
): Promise<void> {
  await using home = await isolatedHome();
  await home.write("work/own.txt", "");
  await home.write("precious.txt", "");
  await home.write("odd:name.txt", "");
  await using workspace = new Workspace({
    cwd: home.path("work"),
    env: home.env,
  });
  const guardOf = async (path: string) => (await assessPaths(workspace, [path])).guard;
  await check(guardOf, home.path("precious.txt"));
}

test("however what is outside is spelled, writing over it is guarded", () =>
  withWorkspace(async (guardOf, precious) => {
    const spellings = [
      precious,
      "../precious.txt",
      "~/precious.txt",
      `"${precious}"`,
      ` ${precious} `,
      pathToFileURL(precious).href,
      "foo://../../precious.txt",
      `${precious}:member.txt`,
      "../odd:name.txt",
    ];
    for (const path of spellings) {
      expect({ path, guard: await guardOf(path) }).toEqual({
        path,
        guard: expect.stringContaining("outside the project"),
      });
    }
  }));

test("what is inside, the session's own, or not there yet is not", () =>
  withWorkspace(async (guardOf) => {
    for (const path of ["own.txt", "new.txt", "local://notes.md", "conflict://1", "../new.txt"]) {
      expect({ path, guard: await guardOf(path) }).toEqual({ path, guard: undefined });
    }
  }));
