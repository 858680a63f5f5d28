// Extensions that others have published do here what their pages promise: each is run as its user would run
// it, and looked at by its effect: a blocked call, a file, a changed request, a command's words.

import { expect } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { converse } from "./support/converse.ts";
import { extended, type Extended } from "./support/extended.ts";
import { call, lastLines, published } from "./support/published-extensions.ts";
import { connect } from "./support/rpc-connection.ts";
import { runTau } from "./support/run-tau.ts";

const works = await published({
  "@99percentpeople/pi-todo": "1.2.8",
  "@ai-devkit/pi-session-tracker": "0.1.1",
  "@cad0p/pi-bash-timeout": "0.1.0",
  "@codingcoffee/pi-websearch-crawl4ai": "0.2.1",
  "@fbraza/pi-todo-store": "0.1.0",
  "@hyperprior/pi-ask": "0.1.0",
  "@hyperprior/pi-todo": "0.1.0",
  "@jc4649/pi-usage-recorder": "0.1.0",
  "@jhnsml/pi-bash-tools": "0.1.1",
  "@philogag/pi-tool-presistant-bash": "0.1.3",
  "@samfp/pi-memory": "1.5.0",
  "@whynothugo/pi-notify": "1.0.1",
  "pi-context-cap": "0.1.2",
  "pi-context-window-manager": "0.2.0",
  "pi-extension-qwen-token-plan-cn-ex": "0.1.0",
  "pi-extension-template": "0.1.6",
  "pi-prompt-templates": "0.1.0",
});

const descriptionOf = ({ server }: Extended, tool: string): string | undefined =>
  server.requests[0]!.decoded.tools.find(({ name }) => name === tool)?.description;

works("@hyperprior/pi-todo", "its list is there again after a restart", async (path) => {
  await using program = await extended({}, [
    call("hyperpi_todo", { action: "add", text: "write tests" }),
    call("hyperpi_todo", { action: "toggle", id: 1 }),
    { text: "Done." },
    call("hyperpi_todo", { action: "list" }),
    { text: "Listed." },
  ]);
  await program.run("-p", "note it", "--yolo", "-e", path);
  await program.run("-p", "-c", "what is there?", "--yolo", "-e", path);
  expect(lastLines(program)).toEqual([
    "user: note it",
    "toolResult: Added #1: write tests",
    "toolResult: Todo #1 is now complete.",
    "user: what is there?",
    "toolResult: Todos (1/1)\n✓ #1 write tests",
  ]);
});

works("@99percentpeople/pi-todo", "a plan is rebuilt from the session", async (path) => {
  await using program = await extended({}, [
    call("todo", { tasks: [{ key: "one", subject: "Inspect it", status: "in_progress" }] }),
    { text: "Planned." },
    // Without its subject: it is known.
    call("todo", { baseRevision: 1, tasks: [{ key: "one", status: "completed" }] }),
    { text: "Done." },
  ]);
  await program.run("-p", "plan it", "--yolo", "-e", path);
  await program.run("-p", "-c", "do it", "--yolo", "-e", path);
  const [, planned, , done] = lastLines(program);
  expect(planned).toBe("toolResult: Todo plan revision 1:\n[in_progress] one: Inspect it");
  expect(done).toContain("revision 2");
});

works("@fbraza/pi-todo-store", "a todo is a file of the project", async (path) => {
  await using program = await extended({}, [
    call("todo", { action: "create", title: "Write tests", body: "All of them." }),
    { text: "Done." },
  ]);
  await program.run("-p", "note it", "--yolo", "-e", path);
  expect(lastLines(program)[1]).toContain('"title": "Write tests"');
  const [file] = await readdir(join(program.cwd, ".pi/todos"));
  expect(await program.home.read(`work/.pi/todos/${file}`)).toContain("All of them.");
});

works("@cad0p/pi-bash-timeout", "takes the place of bash and keeps its own limit", async (path) => {
  await using program = await extended({}, [
    call("bash", { command: "echo here; pwd" }),
    call("bash", { command: "sleep 20", timeout: 1 }),
    { text: "Done." },
  ]);
  await program.run("-p", "go", "--yolo", "-e", path);
  expect(descriptionOf(program, "bash")).toEndWith("(default timeout: 120s when omitted)");
  const [, ran, stopped] = lastLines(program);
  expect(ran).toBe(`toolResult: here\n${program.cwd}\n`);
  expect(stopped).toBe("toolResult: Command timed out after 1 seconds");
});

works(
  "@jhnsml/pi-bash-tools",
  "nine typed tools that run programs of the machine",
  async (path) => {
    await using program = await extended({}, [
      call("codebase_stats", {}),
      call("find_replace", { path: "a.txt", find: "one", replace: "two" }),
      { text: "Done." },
    ]);
    const { cwd, home, server } = program;
    await home.write("work/a.txt", "one\n");
    // Stand-ins for programs that few machines have: what they are given is what is looked at.
    const say = '#!/bin/sh\necho "$(basename "$0") was given: $*"\n';
    for (const name of ["scc", "sd"]) {
      const file = await home.write(`programs/${name}`, say);
      await chmod(file, 0o755);
    }
    const env = {
      OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
      PATH: `${home.path("programs")}${delimiter}${home.env.PATH ?? ""}`,
    };
    await runTau(["-m", "ollama/x", "-p", "go", "--yolo", "-e", path], { cwd, home, env });
    const names = server.requests[0]!.decoded.tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["read_file", "json_query", "find_replace", "gh"]),
    );
    const [, stats, replaced] = lastLines(program);
    expect(stats).toContain("scc was given:");
    expect(replaced).toContain("sd was given:");
    expect(replaced).toContain("a.txt");
  },
);

works("@philogag/pi-tool-presistant-bash", "a shell of its own that remembers", async (path) => {
  await using program = await extended({}, (request, turn) => {
    const said = JSON.stringify(request.decoded.messages).replaceAll("\\\\", "");
    const [, sessionId = ""] = /sessionId \\?"([^"\\]+)/.exec(said) ?? [];
    if (turn === 1) return call("presistant-bash-create", { label: "mine" });
    if (turn === 2) return call("presistant-bash-exec", { sessionId, command: "cd /usr; X=7" });
    if (turn === 3) return call("presistant-bash-exec", { sessionId, command: "echo $X in $PWD" });
    return { text: "Done." };
  });
  await program.run("-p", "go", "--yolo", "-e", path);
  expect(lastLines(program).at(-1)).toContain("7 in /usr");
});

works(
  "pi-prompt-templates",
  "a template that is named in a prompt becomes its words",
  async (path) => {
    await using program = await extended({}, [{ text: "Yes." }]);
    await program.home.write(
      ".pi/agent/prompt-templates/careful.md",
      "---\ndescription: careful\n---\nChange as little as possible.\n",
    );
    await program.run("-p", "Fix it. $careful", "-e", path);
    expect(lastLines(program)).toEqual([
      'user: Fix it. <prompt-template name="careful">\nChange as little as possible.\n</prompt-template>',
    ]);
  },
);

works(
  "pi-context-window-manager",
  "long output is summed up by a model beside the conversation, and what can be forgotten is",
  async (path) => {
    await using program = await extended({}, (request, turn) => {
      const said = JSON.stringify(request.decoded.messages);
      if (said.includes("You are an output summarizer")) return { text: "numbers, many" };
      if (said.includes("context-management classifier")) return { text: '{"decision": "DROP"}' };
      if (turn === 1) return call("bash", { command: "seq 1 3000 | paste -sd ' ' | fold -w 200" });
      if (turn === 3) return call("read", { path: "pages.txt" });
      return { text: "Done." };
    });
    const { cwd, home, server } = program;
    await home.write("work/pages.txt", "what the pages say\n".repeat(200));
    const env = {
      OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
      PI_CTX_BASH_MIN_TOKENS: "100",
    };
    const args = ["-m", "ollama/x", "-p", "count", "--yolo", "-e", path];
    const { stdout } = await runTau(args, { cwd, home, env });
    expect(stdout).toBe("Done.\n");
    const [, aside, summed, classified, forgotten] = program.requests();
    expect(aside).toHaveLength(1);
    expect(aside![0]).toContain("1 2 3 4 5");
    expect(summed!.at(-1)).toBe("toolResult: numbers, many");
    expect(classified![0]).toContain("what the pages say");
    expect(forgotten!.join("\n")).not.toContain("what the pages say");
    expect(forgotten!.at(-1)).toBe("toolResult: numbers, many");
  },
);

works(
  "@jc4649/pi-usage-recorder",
  "a row for each turn, with tokens and what is in the window",
  async (path) => {
    await using program = await extended({}, [{ text: "Yes.", usage: { input: 100, output: 20 } }]);
    await program.run("-p", "hello", "-e", path);
    const row: unknown = JSON.parse(await program.home.read("work/.pi/usage/usage.jsonl"));
    expect(row).toMatchObject({
      turnIndex: 0,
      model: "x",
      input: 100,
      output: 20,
      totalTokens: 120,
      ctxTokens: 120,
      ctxWindow: 128_000,
    });
  },
);

works(
  "@ai-devkit/pi-session-tracker",
  "knows which process has which session, as long as it runs",
  async (path) => {
    await using program = await extended({}, [
      call("bash", { command: "cat ~/.pi/agent/sessions.json" }),
      { text: "Done." },
    ]);
    await program.run("-p", "go", "--yolo", "-e", path);
    expect(lastLines(program)[1]).toMatch(/"\d+": "[^"]+\.tau\/agent\/sessions\/[^"]+\.jsonl"/);
    expect(JSON.parse(await program.home.read(".pi/agent/sessions.json"))).toEqual({});
  },
);

works("@samfp/pi-memory", "what it is told in one session is known in the next", async (path) => {
  await using program = await extended({}, [
    call("memory_remember", { type: "fact", key: "pref.editor", value: "uses helix" }),
    { text: "Noted." },
    call("memory_search", { query: "editor" }),
    { text: "Found." },
  ]);
  await program.run("-p", "I use helix", "--yolo", "-e", path);
  await program.run("-p", "which editor?", "--yolo", "-e", path);
  expect(lastLines(program)).toEqual([
    "user: I use helix",
    "toolResult: Remembered: pref.editor = uses helix",
    "user: which editor?",
    "toolResult: pref.editor: uses helix (confidence: 0.95, source: user)",
  ]);
  // Before the model asks, it is told what is known.
  const system = program.server.requests[2]!.decoded.system.join("\n");
  expect(system).toContain("<memory>");
  expect(system).toContain("uses helix");
});

works("@codingcoffee/pi-websearch-crawl4ai", "its flag says which server it asks", async (path) => {
  const asked: string[] = [];
  using server = Bun.serve({
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return Response.json({ markdown: "what the page says", success: true });
    },
  });
  await using program = await extended({}, [
    call("web_fetch", { url: "https://example.com" }),
    { text: "Done." },
  ]);
  const flag = ["--crawl4ai-url", server.url.href];
  await program.run("-p", "go", "--yolo", "-e", path, ...flag);
  expect(lastLines(program)[1]).toContain("what the page says");
  expect(asked).toContain("/md");
});

works("pi-extension-qwen-token-plan-cn-ex", "its provider is asked with its key", async (path) => {
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      asked.push(data.toString().split("\r\n", 1)[0]!);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as { port: number };
  await using program = await extended({}, []);
  const { cwd, home } = program;
  const args = ["-p", "hi", "-e", path, "-m", "qwen-token-plan-cn-ex/qwen3.7-max"];
  const proxied = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
  const without = await runTau(args, { cwd, home, env: proxied });
  expect(without.stderr).toContain("QWEN_TOKEN_PLAN_CN_EX_API_KEY");
  expect(asked).toEqual([]);
  const env = { ...proxied, QWEN_TOKEN_PLAN_CN_EX_API_KEY: "sk-sp-1" };
  const { stderr } = await runTau(args, { cwd, home, env });
  proxy.close();
  expect(asked[0]).toBe("CONNECT token-plan.cn-beijing.maas.aliyuncs.com:443 HTTP/1.1");
  // It asks by itself, and what it says of its failure is told as a model's.
  expect(stderr).toContain("The extension's provider failed: ");
});

works(
  "pi-extension-template",
  "a tool with its guidelines, and a command that says something",
  async (path) => {
    await using program = await extended({}, [
      call("template_greet", { name: "Ada", mode: "short" }),
      { text: "Done." },
    ]);
    const said = await program.run("-p", "/template-info", "-e", path);
    expect(said.stderr).toContain("TypeScript-first Pi package template loaded.");
    await program.run("-p", "greet", "--yolo", "-e", path);
    expect(descriptionOf(program, "template_greet")).toContain(
      "Guidelines:\n- Use template_greet only when testing this template package",
    );
    expect(lastLines(program)[1]).toBe("toolResult: Hello, Ada!");
  },
);

works("pi-context-cap", "what it cannot do here is told by its name", async (path) => {
  await using program = await extended({}, [{ text: "Yes." }]);
  const config = { cap: 1000, appliesOver: 1000, matchPatterns: ["*"] };
  await program.home.write(".tau/agent/extensions/context-cap.json", JSON.stringify(config));
  const { stdout, stderr } = await program.run("-p", "hi", "-e", path);
  expect(stdout).toBe("Yes.\n");
  expect(stderr).toContain("pi-context-cap");
  expect(stderr).toContain("it sets contextWindow of");
  expect(stderr).toContain("set it in models.yml");
});

works("@hyperprior/pi-ask", "a tool that asks says that nobody is there", async (path) => {
  await using program = await extended({}, [
    call("hyperpi_ask", {
      questions: [{ prompt: "Which?", options: [{ value: "a", label: "A" }] }],
    }),
    { text: "Done." },
  ]);
  await program.run("-p", "go", "--yolo", "-e", path);
  expect(lastLines(program)[1]).toBe("toolResult: UI required to answer questions.");
});

works(
  "@whynothugo/pi-notify",
  "rings the terminal's bell when the answer is there",
  async (path) => {
    await using talk = await converse([{ text: "All done." }], {
      config: `extensions: [${JSON.stringify(path)}]\n`,
    });
    const { terminal } = talk;
    // A bell also ends what is told to the terminal itself.
    const bells = (): number =>
      Buffer.from(terminal.bytes())
        .toString()
        .replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, "")
        .split("\x07").length - 1;
    const before = bells();
    talk.say("go");
    await terminal.waitFor("All done.");
    await terminal.waitFor(() => bells() > before);
    expect(terminal.text()).not.toContain("failed");
  },
);

works("@hyperprior/pi-ask", "over RPC its question is the client's to answer", async (path) => {
  const questions = [{ prompt: "Which?", options: [{ value: "a", label: "A" }] }];
  const script = [call("hyperpi_ask", { questions }), { text: "Done." }];
  await using connection = await connect(script, { args: ["-e", path, "--yolo"] });
  connection.client.answerWith(() => ({ value: "A" }) as never);
  await connection.client.send("prompt", { message: "go" });
  await connection.event(({ type }) => type === "agent_end");
  expect(connection.requests()[1]!.at(-1)).toBe("toolResult: Answered 1 question(s).");
});
