// Sample calls of the todo list: a new one, one that goes on, and one longer than the transcript shows.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const LONG = Array.from({ length: 12 }, (_, at) => ({
  content: `Move package ${at + 1} over`,
  status: at < 5 ? "completed" : at === 5 ? "in_progress" : "pending",
}));

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "todo",
    arguments: {
      ops: [
        { op: "done", task: "Read the invoices" },
        { op: "drop", task: "Guess the currency" },
        { op: "append", phase: "Ship", items: ["Tell Ada"] },
      ],
    },
    written: { ops: [{ op: "done", task: "Read the inv" }] },
    done: {
      text: "Now: Round to cents (Build, 2 of 3 closed)\n## Build\n- [/] Round to cents\n## Ship\n- [ ] Tell Ada",
      details: {
        storage: "session",
        completedTasks: [{ phase: "Build", content: "Read the invoices" }],
        phases: [
          {
            name: "Build",
            tasks: [
              { content: "Read the invoices", status: "completed" },
              { content: "Guess the currency", status: "abandoned" },
              { content: "Round to cents", status: "in_progress" },
            ],
          },
          { name: "Ship", tasks: [{ content: "Tell Ada", status: "pending" }] },
        ],
      },
    },
    failed:
      'Errors: There is no task "Raed the invoices". Did you mean "Read the invoices"?\nNothing was changed; correct the call and make it again.',
  },
  {
    name: "todo",
    variant: "todo-long",
    arguments: {
      ops: [{ op: "init", list: [{ phase: "Move", items: LONG.map(({ content }) => content) }] }],
    },
    written: { ops: [{ op: "init", list: [{ phase: "Move", items: ["Move package 1 over"] }] }] },
    done: {
      text: "Now: Move package 6 over (Move, 5 of 12 closed)",
      details: { storage: "memory", phases: [{ name: "Move", tasks: LONG }] },
    },
    failed: 'Errors: The phase "Move" is in the list twice.',
  },
];
