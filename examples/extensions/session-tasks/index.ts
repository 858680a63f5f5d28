// A todo list that is kept in the session: the model has a tool for it, you have `/tasks`, and going back in
// the session's tree brings the list of that moment back.

import { defineExtension, defineTool, ToolError } from "@tau/extension";

interface Task {
  text: string;
  done: boolean;
}

const KIND = "session-tasks";

const tasksTool = (tasks: () => Task[], keep: (tasks: Task[]) => Promise<void>) =>
  defineTool<{ add?: string; finish?: number }>({
    name: "tasks",
    description:
      "Your list of tasks: add one, finish one by its number, or read it with no parameters.",
    parameters: {
      type: "object",
      properties: { add: { type: "string" }, finish: { type: "integer", minimum: 1 } },
    },
    tier: "read",
    async execute({ add, finish }) {
      const list = [...tasks()];
      if (add !== undefined) list.push({ text: add, done: false });
      if (finish !== undefined) {
        const task = list[finish - 1];
        if (!task) throw new ToolError(`There is no task ${finish}; there are ${list.length}.`);
        list[finish - 1] = { ...task, done: true };
      }
      if (add !== undefined || finish !== undefined) await keep(list);
      return shown(list);
    },
  });

function shown(tasks: readonly Task[]): string {
  return (
    tasks.map(({ text, done }, at) => `${at + 1}. [${done ? "x" : " "}] ${text}`).join("\n") ||
    "No tasks."
  );
}

export default defineExtension({
  name: "session-tasks",
  moreTools: ["tasks"],
  setup: (host) => {
    let tasks: Task[] = [];
    // What is on the way to the present position counts: another branch has a list of its own.
    const rebuild = async (): Promise<void> => {
      const entries = await host.log.branch();
      const last = entries.findLast(
        (entry) => entry.type === "custom" && entry.customType === KIND,
      );
      tasks = (last?.data as Task[] | undefined) ?? [];
    };
    const keep = async (changed: Task[]): Promise<void> => {
      tasks = changed;
      await host.append([{ type: "custom", customType: KIND, data: changed }]);
    };
    return {
      tools: [tasksTool(() => tasks, keep)],
      commands: [
        {
          name: "tasks",
          help: "show the list of tasks",
          when: "any",
          run: async () => shown(tasks),
        },
      ],
      hooks: { session_start: rebuild, session_tree: rebuild },
    };
  },
});
