// A process that remembers prompts among others that do the same.

import { PromptHistory } from "../prompt-history.ts";

const [path, name, count] = process.argv.slice(2);
using history = new PromptHistory({
  path: path!,
  onWarning: (message) => process.stderr.write(`${message}\n`),
});
for (let index = 0; index < Number(count); index += 1) {
  history.add({ prompt: `${name} prompt ${index}`, cwd: `/${name}`, sessionId: name! });
  if (index % 5 === 0) await Bun.sleep(1);
  if (index % 7 === 0) history.flush();
}
