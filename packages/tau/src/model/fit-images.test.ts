import { describe, expect, test } from "bun:test";
import { imageLimitsOf } from "@tau/ai/image-limits";
import type { ImageBlock, Message } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import type { ModelRequest } from "@tau/ai/request";
import { HTTP_WIRES } from "@tau/ai/wire";
import { greyPng } from "@tau/testkit/png";
import { ImageFitter } from "./fit-images.ts";
import { imageKey, LeftOut } from "./left-out.ts";

const MODEL: Model = {
  provider: "p",
  id: "m",
  name: "m",
  wire: "anthropic-messages",
  baseUrl: "http://127.0.0.1",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text", "image"],
  cost: FREE,
};

function picture(width: number, height: number, name?: string): ImageBlock {
  const data = greyPng(width, height).toString("base64");
  return { type: "image", mimeType: "image/png", data, name };
}

const said = (...content: ImageBlock[]): Message => ({ role: "user", content, timestamp: 0 });

function requestWith(messages: Message[], model: Partial<Model> = {}): ModelRequest {
  return { model: { ...MODEL, ...model }, system: [], messages, tools: [], stream: true };
}

async function fit(request: ModelRequest, leftOut = new LeftOut()) {
  const fitted = await new ImageFitter(leftOut).fit(request);
  return { ...fitted, blocks: fitted.request.messages.flatMap((m) => m.content as ImageBlock[]) };
}

const sizeOf = async ({ data }: ImageBlock) =>
  new Bun.Image(Buffer.from(data, "base64")).metadata();

test.each(HTTP_WIRES)("a wide picture is within the limits of %s", async (wire) => {
  const original = picture(9000, 20);
  const request = requestWith([said(original)], { wire });
  const { blocks, images } = await fit(request);
  const { maxEdgePx, maxChars } = imageLimitsOf({ wire });
  const { width, height } = await sizeOf(blocks[0]!);
  expect(Math.max(width, height)).toBeLessThanOrEqual(maxEdgePx);
  expect(blocks[0]!.data.length).toBeLessThanOrEqual(maxChars);
  expect(images).toEqual([imageKey(original)]);
  // The conversation keeps what was attached.
  expect((request.messages[0]!.content[0] as ImageBlock).data).toBe(original.data);
});

test("what fits goes as it is", async () => {
  const small = picture(30, 40);
  const { blocks } = await fit(requestWith([said(small)]));
  expect(blocks).toEqual([small]);
});

test("a model that does not see gets a note, with what is known of the picture", async () => {
  const { blocks, images } = await fit(
    requestWith([said(picture(9000, 20, "wide.png"), picture(3, 4))], { input: ["text"] }),
  );
  expect(blocks as unknown).toEqual([
    { type: "text", text: "[image: wide.png, 9000×20; this model does not see images]" },
    { type: "text", text: "[image: image/png, 3×4; this model does not see images]" },
  ]);
  expect(images).toEqual([]);
});

test("a damaged picture is not sent", async () => {
  const damaged = { ...picture(300, 400, "torn.png") };
  damaged.data = Buffer.from(damaged.data, "base64").subarray(0, 200).toString("base64");
  const { blocks } = await fit(requestWith([said(damaged)]));
  expect(blocks as unknown).toEqual([
    { type: "text", text: "[image: torn.png, 300×400; it is damaged]" },
  ]);
});

describe("too many pictures", () => {
  const some = (count: number) => Array.from({ length: count }, (_, i) => picture(2 + i, 3));
  const kinds = async (count: number) => {
    const wire = "bedrock-converse-stream" as const;
    const { blocks } = await fit(
      requestWith(
        some(count).map((one) => said(one)),
        { wire },
      ),
    );
    return blocks.map((block) => block.type as string);
  };

  test("the oldest are left out, several at once, so that the prompt stays as it was", async () => {
    expect(await kinds(20)).not.toContain("text");
    const first = await kinds(21);
    expect(first.filter((kind) => kind === "image")).toHaveLength(16);
    expect(first.slice(0, 5)).toEqual(Array<string>(5).fill("text"));
    // Four more change nothing before them.
    expect((await kinds(25)).slice(0, 21)).toEqual(first);
  });
});

describe("what was refused", () => {
  const [first, second] = [picture(5, 5), picture(6, 6)];
  const request = requestWith([said(first, second)]);
  const sent = {
    model: MODEL,
    tools: [],
    images: [imageKey(first), imageKey(second)],
    lastReplyAt: 0,
  };
  const failure = (index?: number) => ({
    kind: "invalid_request" as const,
    message: "no",
    retryable: false,
    blames: [{ part: "image" as const, index }],
  });

  test("is left out from then on, and only that", async () => {
    const leftOut = new LeftOut();
    expect(leftOut.learn(failure(1), sent)).toEqual([{ part: "image", index: 1 }]);
    const { blocks, images } = await fit(request, leftOut);
    expect(blocks.map((block) => block.type as string)).toEqual(["image", "text"]);
    expect(images).toEqual([imageKey(first)]);
  });

  test("without a name it is what no reply has answered to", async () => {
    const leftOut = new LeftOut();
    leftOut.passed({ ...sent, images: [imageKey(first)] });
    leftOut.learn(failure(), sent);
    expect((await fit(request, leftOut)).images).toEqual([imageKey(first)]);
  });

  test("another model gets it", async () => {
    const leftOut = new LeftOut();
    leftOut.learn(failure(), sent);
    expect(
      (await fit(requestWith(request.messages as Message[], { id: "n" }), leftOut)).images,
    ).toHaveLength(2);
  });

  test("there is an end to repairing", () => {
    const leftOut = new LeftOut();
    const blamed = { ...failure(), blames: [{ part: "tool" as const, name: "read" }] };
    expect(leftOut.learn(blamed, sent)).toEqual([]);
    let repairs = 0;
    while (leftOut.learn(failure(0), sent).length > 0 && repairs < 1000) repairs++;
    expect(repairs).toBeLessThan(100);
  });
});
