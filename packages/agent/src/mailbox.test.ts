import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import fc from "fast-check";
import { Mailbox, type MailChange } from "./mailbox.ts";
import { MemoryLog } from "./test/scripted-run.ts";

const said = (text: string) => userText(text, 0);
const texts = (mails: readonly { message: Parameters<typeof textOf>[0] }[]) =>
  mails.map((mail) => textOf(mail.message));

test("mail is in the box at once, and durable when the promise resolves", async () => {
  const log = new MemoryLog(() => Bun.sleep(1));
  const mailbox = new Mailbox({ port: log });
  const posting = mailbox.post(said("a"), { delivery: "steer", isDurable: true });
  expect(texts(mailbox.queued("steer"))).toEqual(["a"]);
  expect(log.waiting).toEqual([]);
  await posting;
  expect(texts(log.waiting)).toEqual(["a"]);
});

test("mail that could not be kept is not delivered either", async () => {
  const log = new MemoryLog(() => Promise.reject(new Error("full")));
  const mailbox = new Mailbox({ port: log });
  const posting = mailbox.post(said("a"), { delivery: "steer", id: "1", isDurable: true });
  expect(posting).rejects.toThrow("full");
  await posting.catch(() => undefined);
  expect(mailbox.queued()).toEqual([]);
});

test("a sender that tries again does not send twice", async () => {
  const mailbox = new Mailbox();
  void mailbox.post(said("a"), { delivery: "steer", id: "job 1" });
  mailbox.settle(mailbox.claim("steer"));
  void mailbox.post(said("a"), { delivery: "steer", id: "job 1" });
  expect(mailbox.queued()).toEqual([]);
});

test("what is withdrawn is not delivered, what is being delivered is not withdrawn", async () => {
  const log = new MemoryLog();
  const mailbox = new Mailbox({ port: log });
  const changes: MailChange["state"][] = [];
  mailbox.subscribe(({ state }) => changes.push(state));
  for (const id of ["1", "2", "3"]) {
    await mailbox.post(said(id), { delivery: "steer", id, isDurable: true });
  }
  const claimed = mailbox.claim("steer");
  expect(texts(await mailbox.withdraw(["1", "2"]))).toEqual(["2"]);
  mailbox.release(claimed);
  expect(texts(mailbox.queued())).toEqual(["1", "3"]);
  expect(texts(await mailbox.withdraw())).toEqual(["1", "3"]);
  expect(log.waiting).toEqual([]);
  expect(changes).toEqual(["queued", "queued", "queued", "withdrawn", "withdrawn"]);
});

test("durable mail of an earlier process waits in its old order", async () => {
  const log = new MemoryLog();
  const first = new Mailbox({ port: log });
  await first.post(said("a"), { delivery: "followUp", isDurable: true });
  await first.post(said("gone"), { delivery: "steer" });
  await first.post(said("b"), { delivery: "steer", isDurable: true });
  const second = new Mailbox({ port: log, restored: log.waiting });
  expect(texts(second.queued())).toEqual(["a", "b"]);
  expect(second.wantsRun).toBe(true);
  await second.deliver(second.claim("steer"));
  expect(texts(new Mailbox({ restored: log.waiting }).queued())).toEqual(["a"]);
});

test("over any sequence of steps a mail ends in one way, once", async () => {
  const step = fc.oneof(
    fc.constantFrom("steer", "claim", "settle", "release", "withdraw"),
    fc.constant("patient"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step), fc.boolean(), async (steps, all) => {
      const mailbox = new Mailbox({ steering: all ? "all" : "one-at-a-time" });
      const ends: string[] = [];
      mailbox.subscribe(({ state, mails }) => {
        if (state !== "queued") ends.push(...mails.map((mail) => mail.id));
      });
      let posted = 0;
      let held: ReturnType<Mailbox["claim"]> = [];
      for (const name of steps) {
        if (name === "steer" || name === "patient") {
          const isPatient = name === "patient";
          void mailbox.post(said("x"), { delivery: "steer", id: `${posted++}`, isPatient });
        } else if (name === "claim" && held.length === 0) {
          held = mailbox.claim("steer");
          if (!all) expect(held.filter((mail) => !mail.isPatient).length).toBeLessThanOrEqual(1);
        } else if (name === "settle") {
          mailbox.settle(held);
          held = [];
        } else if (name === "release") {
          mailbox.release(held);
          held = [];
        } else if (name === "withdraw") await mailbox.withdraw();
      }
      expect(new Set(ends).size).toBe(ends.length);
      expect(ends.length + held.length + mailbox.queued().length).toBe(posted);
    }),
  );
});
