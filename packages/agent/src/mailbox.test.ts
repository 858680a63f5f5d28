import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import fc from "fast-check";
import { undelivered, type Delivery, type Mail } from "./mail.ts";
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

test("whoever delivers it as soon as it is told finds it put down first", async () => {
  const told: string[] = [];
  const mailbox = new Mailbox({
    port: {
      queued: async () => void told.push("queued"),
      delivered: async () => void told.push("delivered"),
      withdrawn: async () => void told.push("withdrawn"),
    },
  });
  mailbox.subscribe(({ state }) => {
    if (state === "queued") void mailbox.deliver(mailbox.claim("steer"));
  });
  await mailbox.post(said("a"), { delivery: "steer", isDurable: true });
  expect(told).toEqual(["queued", "delivered"]);
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

test("mail that has arrived is mail, though it could not be kept", async () => {
  for (const settles of [true, false]) {
    const { promise, reject } = Promise.withResolvers<void>();
    const mailbox = new Mailbox({ port: new MemoryLog(() => promise) });
    const changes: MailChange["state"][] = [];
    mailbox.subscribe(({ state }) => changes.push(state));
    const posting = mailbox.post(said("a"), { delivery: "steer", id: "1", isDurable: true });
    const claimed = mailbox.claim("steer");
    if (settles) mailbox.settle(claimed);
    reject(new Error("full"));
    // Whoever sent it need not send it again: it is being delivered, or has been.
    expect(await posting).toBe("1");
    if (!settles) mailbox.settle(claimed);
    expect(changes).toEqual(["queued", "delivered"]);
    expect(await mailbox.post(said("a"), { delivery: "steer", id: "1" })).toBe("1");
    expect(mailbox.queued()).toEqual([]);
  }
});

test("mail that could not be kept is withdrawn, and may be sent again", async () => {
  let isFull = true;
  const log = new MemoryLog(() => (isFull ? Promise.reject(new Error("full")) : Promise.resolve()));
  const mailbox = new Mailbox({ port: log });
  const changes: MailChange[] = [];
  mailbox.subscribe((change) => changes.push(change));
  const wish = { delivery: "steer", id: "1", isDurable: true } as const;
  const failed = await mailbox.post(said("a"), wish).catch((error: Error) => error.message);
  expect(failed).toBe("full");
  expect(changes.map(({ state }) => state)).toEqual(["queued", "withdrawn"]);
  expect(changes.map(({ mails }) => texts(mails))).toEqual([["a"], ["a"]]);
  expect(changes[1]!.mails.map(({ state }) => state)).toEqual(["withdrawn"]);
  isFull = false;
  await mailbox.post(said("a"), wish);
  expect(texts(mailbox.queued())).toEqual(["a"]);
  expect(log.waiting).toHaveLength(1);
});

test("a mail says what it is; what is not said is the user's, in passing, and impatient", async () => {
  const mailbox = new Mailbox({ port: new MemoryLog() });
  const id = await mailbox.post(said("a"), { delivery: "steer" });
  const other = await mailbox.post(said("b"), {
    delivery: "followUp",
    sender: "job",
    isDurable: true,
    isPatient: true,
  });
  expect(other).not.toBe(id);
  const plain = { id, delivery: "steer", message: said("a"), sender: "user", state: "queued" };
  expect(mailbox.queued()).toEqual([
    { ...plain, isDurable: false, isPatient: false },
    {
      id: other,
      delivery: "followUp",
      message: said("b"),
      sender: "job",
      isDurable: true,
      isPatient: true,
      state: "queued",
    },
  ] as Mail[]);
  expect(texts(mailbox.queued("followUp"))).toEqual(["b"]);
});

test("without a port nothing is durable", async () => {
  const mailbox = new Mailbox();
  await mailbox.post(said("a"), { delivery: "steer", isDurable: true });
  expect(mailbox.queued()[0]!.isDurable).toBe(false);
});

test("only durable mail is the port's business", async () => {
  const told: string[] = [];
  const mailbox = new Mailbox({
    steering: "all",
    port: {
      queued: async ({ id }) => void told.push(`queued ${id}`),
      delivered: async (ids) => void told.push(`delivered ${ids.join()}`),
      withdrawn: async (ids) => void told.push(`withdrawn ${ids.join()}`),
    },
  });
  const post = (id: string, isDurable: boolean) =>
    mailbox.post(said(id), { delivery: "steer", id, isDurable });
  await post("1", true);
  await post("2", false);
  await mailbox.deliver(mailbox.claim("steer"));
  await post("3", true);
  await post("4", false);
  await mailbox.withdraw();
  expect(told).toEqual(["queued 1", "delivered 1", "queued 3", "withdrawn 3"]);
  await post("5", false);
  await mailbox.deliver(mailbox.claim("steer"));
  await post("6", false);
  await mailbox.withdraw();
  expect(told).toHaveLength(4);
});

test("a port that fails is told to whoever delivers or withdraws", async () => {
  const full = async (): Promise<never> => {
    throw new Error("full");
  };
  const mailbox = new Mailbox({
    port: { queued: async () => {}, delivered: full, withdrawn: full },
  });
  const wish = { delivery: "steer", isDurable: true } as const;
  await mailbox.post(said("a"), wish);
  await mailbox.post(said("b"), wish);
  const words = (error: Error): string => error.message;
  expect(await mailbox.deliver(mailbox.claim("steer")).catch(words)).toBe("full");
  expect(await mailbox.withdraw().then(() => "", words)).toBe("full");
});

test("who stops listening hears no more; what changes nothing is not told", async () => {
  const mailbox = new Mailbox();
  let heard = 0;
  const stop = mailbox.subscribe(() => heard++);
  await mailbox.withdraw();
  mailbox.settle([]);
  expect(heard).toBe(0);
  await mailbox.post(said("a"), { delivery: "steer" });
  stop();
  await mailbox.post(said("b"), { delivery: "steer" });
  expect(heard).toBe(1);
});

test("one voice a turn, with all patient mail beside it; the next prompt gets all there is", () => {
  const mailbox = new Mailbox({ steering: "one-at-a-time", followUps: "all" });
  for (const delivery of ["steer", "followUp", "nextTurn"] as const) {
    for (const word of ["one", "note", "two", "hint"]) {
      const isPatient = word === "note" || word === "hint";
      void mailbox.post(said(`${word}`), { delivery, isPatient });
    }
  }
  expect(texts(mailbox.claim("steer"))).toEqual(["one", "note", "hint"]);
  expect(texts(mailbox.claim("steer"))).toEqual(["two"]);
  expect(texts(mailbox.claim("followUp"))).toEqual(["one", "note", "two", "hint"]);
  expect(texts(mailbox.claim("nextTurn"))).toEqual(["one", "note", "two", "hint"]);
  expect(mailbox.queued()).toEqual([]);
  mailbox.steering = "all";
  for (const word of ["three", "four"]) void mailbox.post(said(word), { delivery: "steer" });
  expect(texts(mailbox.claim("steer"))).toEqual(["three", "four"]);
});

test("one at a time is what nobody has to ask for", () => {
  const mailbox = new Mailbox();
  for (const delivery of ["steer", "followUp"] as const) {
    for (const word of ["one", "two"]) void mailbox.post(said(word), { delivery });
    expect(texts(mailbox.claim(delivery))).toEqual(["one"]);
  }
});

test("an interruption is impatient steering that waits, and came after the moment", () => {
  const mailbox = new Mailbox();
  const post = (delivery: Delivery, isPatient = false) =>
    void mailbox.post(said("x"), { delivery, isPatient });
  post("followUp");
  post("nextTurn");
  post("steer", true);
  expect(mailbox.hasInterruption(0)).toBe(false);
  const before = mailbox.posts;
  post("steer");
  expect(mailbox.hasInterruption(before)).toBe(true);
  expect(mailbox.hasInterruption(mailbox.posts)).toBe(false);
  expect(mailbox.hasInterruption(0)).toBe(true);
  const claimed = mailbox.claim("steer");
  expect(mailbox.hasInterruption(0)).toBe(false);
  mailbox.release(claimed);
  expect(mailbox.hasInterruption(0)).toBe(true);
  mailbox.settle(mailbox.claim("steer"));
  expect(mailbox.hasInterruption(0)).toBe(false);
});

test("mail for a prompt wants no run; steering and what is to follow do", () => {
  for (const delivery of ["steer", "followUp", "nextTurn"] as const) {
    const mailbox = new Mailbox();
    expect(mailbox.wantsRun).toBe(false);
    void mailbox.post(said("x"), { delivery });
    expect(mailbox.wantsRun).toBe(delivery !== "nextTurn");
    mailbox.claim(delivery);
    expect(mailbox.wantsRun).toBe(false);
  }
});

test("releasing what is gone changes nothing", async () => {
  const mailbox = new Mailbox();
  void mailbox.post(said("a"), { delivery: "steer" });
  const claimed = mailbox.claim("steer");
  mailbox.settle(claimed);
  mailbox.release(claimed);
  expect(mailbox.queued()).toEqual([]);
});

test("of a log's account of mail only what waits is left, with what was said of it", () => {
  const queued = { state: "queued", delivery: "steer", message: said("x") } as const;
  expect(
    undelivered([
      { ...queued, mailId: "1", sender: "job", isPatient: true },
      { ...queued, mailId: "2" },
      { ...queued, mailId: "3" },
      { mailId: "2", state: "delivered" },
      { mailId: "3", state: "withdrawn" },
      // A second writer may come late with what is settled already.
      { ...queued, mailId: "3" },
      { mailId: "4", state: "queued", delivery: "steer" },
      { mailId: "5", state: "queued", message: said("x") },
      { ...queued, mailId: "6" },
    ]),
  ).toEqual([
    { id: "1", delivery: "steer", message: said("x"), sender: "job", isPatient: true },
    { id: "6", delivery: "steer", message: said("x"), sender: "user", isPatient: false },
  ]);
});

test("mail of an earlier process is durable, known, and waits as it was", async () => {
  const log = new MemoryLog();
  const [pending] = undelivered([
    { mailId: "1", state: "queued", delivery: "steer", message: said("x"), sender: "job" },
  ]);
  const mailbox = new Mailbox({ port: log, restored: [pending!] });
  expect(await mailbox.post(said("x"), { delivery: "steer", id: "1" })).toBe("1");
  expect(mailbox.queued()).toMatchObject([{ id: "1", isDurable: true, sender: "job" }]);
  expect(mailbox.hasInterruption(0)).toBe(true);
  await mailbox.deliver(mailbox.claim("steer"));
  expect(log.mail).toEqual([{ mailId: "1", state: "delivered" }]);
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

test("what an earlier process left is seen and can be taken back, but is delivered only once let go", async () => {
  const log = new MemoryLog();
  const first = new Mailbox({ port: log });
  await first.post(said("a"), { delivery: "steer", isDurable: true });
  await first.post(said("b"), { delivery: "followUp", isDurable: true });
  await first.post(said("c"), { delivery: "followUp", isDurable: true });
  const second = new Mailbox({ port: log, restored: log.waiting, holdsRestored: true });
  expect(texts(second.queued())).toEqual(["a", "b", "c"]);
  expect(second.wantsRun).toBe(false);
  expect(second.hasInterruption(0)).toBe(false);
  expect([...second.claim("steer"), ...second.claim("followUp")]).toEqual([]);
  await second.post(said("new"), { delivery: "steer" });
  expect(texts(second.claim("steer"))).toEqual(["new"]);
  await second.withdraw([second.queued().at(-1)!.id]);
  second.letGo();
  expect(second.wantsRun).toBe(true);
  expect(texts([...second.claim("steer"), ...second.claim("followUp")])).toEqual(["a", "b"]);
});
