// Serves the panel on this machine only, under an address that nobody can guess.
//
//     node serve.ts "explain this repository"

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Tau</title>
<style>
  body { font: 16px/1.5 system-ui; max-width: 44rem; margin: 3rem auto; color: #222 }
  td { padding: 0 1.5rem 0 0 } pre { white-space: pre-wrap; background: #f6f6f4; padding: 1rem }
</style>
<h1>Tau</h1>
<p><b id="turns">0</b> turns</p>
<table id="calls"></table>
<pre id="last"></pre>
<script>
  const show = async () => {
    const { turns, calls, last } = await (await fetch("state")).json();
    document.getElementById("turns").textContent = turns;
    document.getElementById("last").textContent = last;
    document.getElementById("calls").replaceChildren(...Object.entries(calls).map(([name, count]) => {
      const row = document.createElement("tr");
      for (const text of [name, count]) row.insertCell().textContent = text;
      return row;
    }));
  };
  setInterval(show, 1000);
  show();
</script>`;

const [prompt = "look around", tau = "tau"] = process.argv.slice(2);
const child = spawn(tau, ["--mode", "rpc", "-e", import.meta.dirname], {
  stdio: ["pipe", "pipe", "inherit"],
});
const waiting = new Map<string, (data: unknown) => void>();
createInterface({ input: child.stdout }).on("line", (line) => {
  const { type, id, data } = JSON.parse(line);
  if (type === "response") waiting.get(id)?.(data);
});
const ask = (command: object): Promise<unknown> =>
  new Promise((resolve) => {
    const id = randomUUID();
    waiting.set(id, resolve);
    child.stdin.write(`${JSON.stringify({ ...command, id })}\n`);
  });
void ask({ type: "prompt", message: prompt });

const secret = randomUUID();
const server = createServer(async (request, response) => {
  if (request.url === `/${secret}/`) response.setHeader("content-type", "text/html").end(PAGE);
  else if (request.url === `/${secret}/state`)
    response.end(JSON.stringify(await ask({ type: "panel" })));
  else response.writeHead(404).end();
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`http://127.0.0.1:${port}/${secret}/`);
});
child.on("exit", (code) => process.exit(code ?? 1));
