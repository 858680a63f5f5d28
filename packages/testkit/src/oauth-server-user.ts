// The person at a login, as a test plays them: their browser follows the vendor's page to
// wherever it redirects, their answers are given beforehand, and the clock runs as fast as
// it is asked to.

import {
  CannotAsk,
  LoopbackUnavailable,
  type LoginDriver,
  type LoopbackOptions,
  type OAuthContext,
} from "@tau/ai/oauth/oauth";

export interface UserOptions {
  /** Given in order; without any left nobody answers. A function may look at what was opened. */
  answers?: readonly (string | ((user: TestUser) => string | Promise<string>))[];
  /** Whether the browser goes where it is sent. */
  browses?: boolean;
  /** Whether this machine can listen. */
  hears?: boolean;
  env?: Readonly<Record<string, string>>;
}

export class TestUser implements LoginDriver {
  readonly opened: string[] = [];
  readonly codes: { code: string; url: string }[] = [];
  readonly questions: { question: string; secret: boolean }[] = [];
  readonly listened: LoopbackOptions[] = [];
  readonly said: string[] = [];
  /** How long was waited, each time, in milliseconds. */
  readonly waits: number[] = [];
  readonly #options: UserOptions;
  readonly #answers: NonNullable<UserOptions["answers"]>[number][];
  readonly #stop = new AbortController();
  #now = Date.now();
  #open = 0;

  constructor(options: UserOptions = {}) {
    this.#options = options;
    this.#answers = [...(options.answers ?? [])];
  }

  /** Its clock moves only when somebody waits. */
  get context(): OAuthContext {
    return {
      fetch,
      signal: this.#stop.signal,
      env: this.#options.env ?? {},
      now: () => this.#now,
      sleep: async (ms) => {
        this.waits.push(ms);
        this.#now += ms;
      },
    };
  }

  /** Listeners that are still open. */
  get openListeners(): number {
    return this.#open;
  }

  interrupt(): void {
    this.#stop.abort();
  }

  open(url: string): void {
    this.opened.push(url);
    if (this.#options.browses === false) return;
    // As a browser: nobody waits for it, and it shows an error page where it cannot go on.
    void fetch(url).catch((error: unknown) => this.said.push(String(error)));
  }

  showCode(code: string, url: string): void {
    this.codes.push({ code, url });
  }

  async ask(
    question: string,
    { secret, signal }: { secret: boolean; signal?: AbortSignal },
  ): Promise<string> {
    this.questions.push({ question, secret });
    const answer = this.#answers.shift();
    if (answer === undefined) throw new CannotAsk("nobody is there");
    signal?.throwIfAborted();
    return typeof answer === "string" ? answer : answer(this);
  }

  async listen(options: LoopbackOptions): ReturnType<LoginDriver["listen"]> {
    this.listened.push(options);
    if (this.#options.hears === false) throw new LoopbackUnavailable("the port is taken");
    const settled = Promise.withResolvers<URLSearchParams>();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        const url = new URL(request.url);
        if (url.pathname !== options.path) return new Response("elsewhere", { status: 404 });
        settled.resolve(url.searchParams);
        return new Response("done");
      },
    });
    this.#open++;
    return {
      redirectUri: `http://127.0.0.1:${server.port}${options.path}`,
      settled: settled.promise,
      close: () => {
        this.#open--;
        void server.stop();
      },
    };
  }

  progress(text: string): void {
    this.said.push(text);
  }
}
