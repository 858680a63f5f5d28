// Mail on its way into a conversation: it arrives with the record of its message, or it waits again.

import { describe, expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import { deliverMail } from "./deliver-mail.ts";
import type { AgentEvent } from "./event.ts";
import { Mailbox } from "./mailbox.ts";
import type { RecordItem } from "./record.ts";
import { echo, MemoryLog, run } from "./test/scripted-run.ts";
import { Transcript } from "./transcript.ts";

const said = (text: string) => userText(text, 0);

async function postedTo(log: MemoryLog): Promise<Mailbox> {
  const mailbox = new Mailbox({ port: log, steering: "all" });
  await mailbox.post(said("kept"), { delivery: "steer", id: "1", isDurable: true });
  await mailbox.post(said("brief"), { delivery: "steer", id: "2" });
  return mailbox;
}

describe("mail whose record failed", () => {
  test("waits again in its place, and the next run delivers it once", async () => {
    const log = new MemoryLog();
    const mailbox = await postedTo(log);
    const events: AgentEvent[] = [];
    const failing = run([{}], {
      prompt: [said("hi")],
      mailbox,
      record: () => Promise.reject(new Error("disk full")),
      emit: (event) => events.push(event),
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(mailbox.queued().map((mail) => [mail.id, mail.state])).toEqual([
      ["1", "queued"],
      ["2", "queued"],
    ]);
    expect(log.waiting.map(({ id }) => id)).toEqual(["1"]);
    expect(events.some(({ type }) => type === "mail_delivered")).toBe(false);
    const { added } = await run([{ text: "ok" }], {
      prompt: [said("again")],
      mailbox,
      record: log.record,
    });
    expect(added.map(textOf)).toEqual(["kept", "brief", "again", "ok"]);
    expect(mailbox.queued()).toEqual([]);
    expect(log.waiting).toEqual([]);
  });

  test("in the middle of a run ends it, before the model hears of it", async () => {
    const mailbox = new Mailbox();
    let requests = 0;
    const failing = run([{ toolCalls: [echo("a")] }, {}], {
      prompt: [said("hi")],
      mailbox,
      record: async ([item]) => {
        await Bun.sleep(1);
        if (item && "mail" in item) throw new Error("disk full");
      },
      emit: ({ type }) => {
        if (type === "message_start") requests++;
        if (type === "tool_execution_end") void mailbox.post(said("steer"), { delivery: "steer" });
      },
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toBe(1);
    expect(mailbox.queued().map((mail) => textOf(mail.message))).toEqual(["steer"]);
  });
});

describe("delivered mail", () => {
  test("is one record with its messages, and named in it where it was to survive", async () => {
    const log = new MemoryLog();
    const mailbox = await postedTo(log);
    const events: AgentEvent[] = [];
    const emit = (event: AgentEvent): void => void events.push(event);
    const records: RecordItem[][] = [];
    const transcript = new Transcript([], {
      emit,
      record: async (items) => {
        records.push(items);
        await log.record(items);
      },
    });
    const mails = mailbox.claim("steer");
    await deliverMail({ transcript, mailbox, emit }, mails, [said("prompt")]);
    expect(records).toEqual([
      [
        { type: "message", message: said("kept"), mail: mails[0]! },
        { type: "message", message: said("brief"), mail: mails[1]! },
        { type: "message", message: said("prompt") },
        { type: "delivered", mailIds: ["1"] },
      ],
    ]);
    expect(Object.keys(records[0]![2]!)).toEqual(["type", "message"]);
    expect(events.map(({ type }) => type)).toEqual([
      "message_end",
      "message_end",
      "message_end",
      "mail_delivered",
    ]);
    expect(events.at(-1)).toEqual({ type: "mail_delivered", mailIds: ["1", "2"] });
    expect(mails.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    // The record said so already: the port is not told a second time.
    expect(log.mail.filter(({ state }) => state === "delivered")).toHaveLength(1);
  });

  test("is told to the mailbox's own port where the run keeps no record", async () => {
    const log = new MemoryLog();
    const mailbox = await postedTo(log);
    const emit = (): void => {};
    const transcript = new Transcript([], { emit });
    const mails = mailbox.claim("steer");
    await deliverMail({ transcript, mailbox, emit }, mails);
    expect(mails.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    expect(log.mail.filter(({ state }) => state === "delivered")).toEqual([
      { mailId: "1", state: "delivered" },
    ]);
    expect(mailbox.queued()).toEqual([]);
    expect(transcript.messages.map(textOf)).toEqual(["kept", "brief"]);
  });

  test("that its port could not put down is not told as delivered", async () => {
    const full = (): Promise<never> => Promise.reject(new Error("full"));
    const mailbox = new Mailbox({
      port: { queued: async () => {}, delivered: full, withdrawn: full },
    });
    await mailbox.post(said("a"), { delivery: "steer", isDurable: true });
    const events: string[] = [];
    const emit = ({ type }: AgentEvent): void => void events.push(type);
    const transcript = new Transcript([], { emit });
    const delivering = deliverMail({ transcript, mailbox, emit }, mailbox.claim("steer"));
    expect(await delivering.catch((error: Error) => error.message)).toBe("full");
    expect(events).toEqual(["message_end"]);
  });

  test("that was none is not told of", async () => {
    const events: string[] = [];
    const emit = ({ type }: AgentEvent): void => void events.push(type);
    const transcript = new Transcript([], { emit });
    await deliverMail({ transcript, mailbox: undefined, emit }, [], [said("prompt")]);
    expect(events).toEqual(["message_end"]);
  });
});
