// A cloned repository is untrusted: starting Tau inside one must run nothing of it and
// let nothing of it choose where prompts go.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { createScratchDirectory, isolatedHome } from "@tau/testkit/scratch";
import { HOSTILE_FILES, HOSTILE_NOTICE } from "./support/hostile-files.ts";
import { runTau } from "./support/run-tau.ts";

test("nothing in the working directory runs or redirects Tau", async () => {
  await using directory = await createScratchDirectory();
  for (const [path, text] of Object.entries(HOSTILE_FILES)) await directory.write(path, text);
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "safe" }]);
  const result = await runTau(["-p", "-m", "openrouter/m", "hi"], {
    cwd: directory.root,
    home,
    env: {
      OPENROUTER_API_KEY: "k",
      OPENROUTER_BASE_URL: server.baseUrl("openai-completions"),
    },
  });
  expect(result).toEqual({ stdout: "safe\n", stderr: HOSTILE_NOTICE, exitCode: 0 });
  const demo = await runTau(["-p", "what are you?"], { cwd: directory.root, home });
  expect(demo.exitCode).toBe(0);
  expect(await Bun.file(directory.path("evil-ran")).exists()).toBe(false);
});
