// A request is never refused for good: images fit the vendor, and what a vendor refuses is left out
// of the next request. As a user sees it: requests at the server, words on standard error.

import { describe, expect, test } from "bun:test";
import { textOf, type ImageBlock } from "@tau/ai/message";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { greyPng } from "@tau/testkit/png";
import { isolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

type Wire = "anthropic-messages" | "openai-completions";

/** Each list is one start of the program, all in one session. */
async function ask(wire: Wire, script: Script, prompts: string[][], input = "[text, image]") {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(script);
  await home.write(
    ".tau/agent/models.yml",
    `providers:
  here:
    baseUrl: ${server.baseUrl(wire)}
    api: ${wire}
    auth: none
    models: [{ id: m, input: ${input} }]
`,
  );
  await Bun.write(`${home.root}/wide.png`, greyPng(9000, 20));
  const runs = [];
  for (const [index, words] of prompts.entries()) {
    const args = ["-p", "-m", "here/m", ...(index > 0 ? ["-c"] : []), ...words];
    runs.push(await runTau(args, { cwd: home.root, home, env: {} }));
  }
  return { runs, requests: server.requests };
}

type Requests = Awaited<ReturnType<typeof ask>>["requests"];

const imagesOf = ({ decoded }: Requests[number]) =>
  decoded.messages.flatMap(({ content }) =>
    (content as { type: string }[]).filter((block) => block.type === "image"),
  ) as ImageBlock[];

const refusal = (status: number, error: object) => ({
  httpError: { status, body: JSON.stringify({ error }) },
});

describe("images", () => {
  test("a picture of 9000 pixels goes out within the vendor's limits", async () => {
    const { runs, requests } = await ask(
      "anthropic-messages",
      [{ text: "a line" }],
      [["@wide.png", "what is it?"]],
    );
    expect(runs[0]).toMatchObject({ stdout: "a line\n", stderr: "", exitCode: 0 });
    const [image] = imagesOf(requests[0]!);
    const size = await new Bun.Image(Buffer.from(image!.data, "base64")).metadata();
    expect(size.width).toBeLessThanOrEqual(2000);
    expect(size.width).toBeGreaterThan(1000);
  });

  test("a model that does not see is told what it does not see", async () => {
    const { requests } = await ask(
      "openai-completions",
      [{ text: "ok" }],
      [["@wide.png", "what is it?"]],
      "[text]",
    );
    expect(imagesOf(requests[0]!)).toEqual([]);
    expect(textOf(requests[0]!.decoded.messages[0]!)).toContain(
      "[image: wide.png, 9000×20; this model does not see images]",
    );
  });

  test("a server that turns out not to see: asked again without, told, and remembered", async () => {
    const hint =
      "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";
    let refused = 0;
    const { runs, requests } = await ask(
      "openai-completions",
      (request) => {
        if (imagesOf(request).length === 0) return { text: "text alone" };
        refused++;
        return refusal(500, { code: 500, message: hint, type: "server_error" });
      },
      [["@wide.png", "what is it?"], ["and now?"]],
    );
    expect(runs.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
      ["text alone\n", 0],
      ["text alone\n", 0],
    ]);
    expect(runs[0]!.stderr).toBe(
      `tau: here/m: ${hint}; continuing without images, which this model does not see\n`,
    );
    expect(refused).toBe(1);
    expect(runs[1]!.stderr).toBe("");
    expect(requests).toHaveLength(3);
  });
});

describe("tools", () => {
  const namesOf = ({ decoded }: Requests[number]) => decoded.tools.map(({ name }) => name);

  test.each(["anthropic-messages", "openai-completions"] as const)(
    "a tool that %s refuses is left out, and the run goes on",
    async (wire) => {
      const { runs, requests } = await ask(
        wire,
        (request) => {
          const index = namesOf(request).indexOf("bash");
          if (index < 0) return { text: "done" };
          const anthropic = `tools.${index}.custom.input_schema: JSON schema is invalid`;
          const openai = "Invalid schema for function 'bash': In context=(), nonsense";
          const message = wire === "anthropic-messages" ? anthropic : openai;
          return refusal(400, { type: "invalid_request_error", message });
        },
        [["hello"], ["again"]],
      );
      expect(runs.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
        ["done\n", 0],
        ["done\n", 0],
      ]);
      expect(runs[0]!.stderr).toMatch(/^tau: here\/m: .*; continuing without the tool bash\n$/);
      expect(runs[1]!.stderr).toBe("");
      expect(requests.map((request) => namesOf(request).includes("bash"))).toEqual([
        true,
        false,
        false,
      ]);
      expect(namesOf(requests[1]!)).toEqual(
        namesOf(requests[0]!).filter((name) => name !== "bash"),
      );
    },
  );

  test.each([
    ["Ollama", 400, "registry.ollama.ai/library/m does not support tools"],
    [
      "vLLM",
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
    [
      "OpenRouter",
      404,
      'No endpoints found that support tool use. Try disabling "bash". To learn more, visit the docs',
    ],
  ])("a model that takes none (%s) is asked without, once", async (_who, status, text) => {
    const { runs, requests } = await ask(
      "openai-completions",
      (request) =>
        namesOf(request).length > 0 ? refusal(status, { message: text }) : { text: "just talk" },
      [["hello"], ["again"]],
    );
    expect(runs.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
      ["just talk\n", 0],
      ["just talk\n", 0],
    ]);
    expect(runs[0]!.stderr).toContain(
      `${text}; continuing without tools, so that it can only talk`,
    );
    expect(runs[0]!.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(runs[1]!.stderr).toBe("");
    expect(requests.map((request) => namesOf(request).length > 0)).toEqual([true, false, false]);
  });

  test("of too many, the first are sent", async () => {
    const { runs, requests } = await ask(
      "openai-completions",
      (request) => {
        const sent = namesOf(request).length;
        if (sent <= 3) return { text: "done" };
        return refusal(400, {
          message: `Invalid 'tools': array too long. Expected an array with maximum length 3, but got an array with length ${sent} instead.`,
          type: "invalid_request_error",
          param: "tools",
          code: "array_above_max_length",
        });
      },
      [["hello"], ["again"]],
    );
    expect(runs.map(({ stdout }) => stdout)).toEqual(["done\n", "done\n"]);
    expect(runs[0]!.stderr).toContain("continuing without the tools after the first 3");
    expect(requests.map((request) => namesOf(request).length)).toEqual([
      namesOf(requests[0]!).length,
      3,
      3,
    ]);
    expect(namesOf(requests[1]!)).toEqual(namesOf(requests[0]!).slice(0, 3));
  });

  test.each([
    ["llama.cpp", "Failed to initialize samplers: failed to parse grammar"],
    [
      "Moonshot",
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.x': type is not defined>",
    ],
  ])("a schema that nobody names (%s) makes all of them plain, once", async (_who, text) => {
    const isPlain = (request: Requests[number]): boolean =>
      !/"(?:anyOf|oneOf|minimum|maximum|maxLength|minItems|additionalProperties)"/.test(
        JSON.stringify(request.body.tools),
      );
    const { runs, requests } = await ask(
      "openai-completions",
      (request) =>
        isPlain(request)
          ? { text: "done" }
          : refusal(400, { message: text, type: "invalid_request_error" }),
      [["hello"], ["again"]],
    );
    expect(runs.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
      ["done\n", 0],
      ["done\n", 0],
    ]);
    expect(runs[0]!.stderr).toContain("continuing without the details of the tools' schemas");
    expect(requests.map(isPlain)).toEqual([false, true, true]);
    expect(namesOf(requests[1]!)).toEqual(namesOf(requests[0]!));
  });

  test("a server that takes no schema at all gets no tools in the end", async () => {
    const { runs, requests } = await ask(
      "openai-completions",
      (request) =>
        namesOf(request).length === 0
          ? { text: "just talk" }
          : refusal(400, { message: "Failed to initialize samplers: failed to parse grammar" }),
      [["hello"]],
    );
    expect(runs[0]).toMatchObject({ stdout: "just talk\n", exitCode: 0 });
    expect(runs[0]!.stderr.match(/continuing without [^;,]*/g)).toEqual([
      "continuing without the details of the tools' schemas\ntau: here/m: Failed to initialize samplers: failed to parse grammar",
      "continuing without tools",
    ]);
    expect(requests).toHaveLength(3);
  });

  test("a refusal that names nothing ends the run, once", async () => {
    const { runs, requests } = await ask(
      "anthropic-messages",
      () => refusal(400, { type: "invalid_request_error", message: "no such field" }),
      [["hello"]],
    );
    expect(runs[0]!.exitCode).toBe(1);
    expect(requests).toHaveLength(1);
  });
});

test("reasoning that the vendor does not take back is left out, and the session continues", async () => {
  const hasThought = ({ text }: Requests[number]): boolean => text.includes('"thinking":"hm');
  const { runs, requests } = await ask(
    "anthropic-messages",
    (request) =>
      hasThought(request)
        ? refusal(400, {
            type: "invalid_request_error",
            message: "messages.1.content.0: Invalid `signature` in `thinking` block",
          })
        : {
            blocks: [
              {
                type: "thinking",
                text: "hm, well",
                opaque: { wire: "anthropic-messages", model: "m", data: "c2ln" },
              },
              { type: "text", text: "said" },
            ],
          },
    [["hello"], ["again"], ["and again"]],
  );
  expect(runs.map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual([
    ["said\n", 0],
    ["said\n", 0],
    ["said\n", 0],
  ]);
  expect(runs[1]!.stderr).toContain("continuing without its earlier reasoning");
  expect(requests.map(hasThought)).toEqual([false, true, false, true, false]);
});
