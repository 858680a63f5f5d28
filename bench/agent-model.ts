// A model for the measurement of many agents, in a process of its own so that its work is not measured
// along: the first request shares a task out, and every agent is told a long story, slowly.

import { ModelServer } from "@tau/testkit/model-server";

const [agents = "32", tokensPerSecond = "50"] = process.argv.slice(2);
/** Without the letters that are typed meanwhile. */
const STORY = "a word of the story that goes on and on, and then some more of it. ".repeat(2000);

const server = await ModelServer.start(({ text }) => {
  if (/You are the agent /.test(text)) {
    const delivery = { delayMs: 1000 / Number(tokensPerSecond) };
    return { text: STORY, deltaChars: 5, delivery };
  }
  if (text.includes("Started")) return { text: "They are on it." };
  const tasks = Array.from({ length: Number(agents) }, (_, at) => ({
    id: `A${at}`,
    description: "tell a story",
    assignment: "tell it",
  }));
  return { toolCalls: [{ name: "task", arguments: { agent: "task", tasks } }] };
});
console.log(server.baseUrl("openai-completions"));
