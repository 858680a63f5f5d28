// Sample calls of ask: one question, and several with every kind of answer.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const DATABASE = {
  id: "database",
  question: "Which database should the service use?",
  options: [{ label: "PostgreSQL" }, { label: "SQLite" }],
  recommended: 0,
};
const CLOSED = "The user closed the questions without an answer.";

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "ask",
    arguments: { questions: [DATABASE] },
    written: { questions: [{ id: "database", question: "Which data" }] },
    done: {
      text: "User selected: PostgreSQL",
      details: {
        results: [
          {
            ...DATABASE,
            options: ["PostgreSQL", "SQLite"],
            multi: false,
            selectedOptions: ["PostgreSQL"],
          },
        ],
      },
    },
    failed: CLOSED,
  },
  {
    name: "ask",
    variant: "ask-several",
    arguments: {
      questions: [
        DATABASE,
        {
          id: "regions",
          question: "Which regions?",
          options: [{ label: "EU" }, { label: "US" }],
          multi: true,
        },
        { id: "name", question: "What is it called?", options: [] },
      ],
    },
    written: { questions: [DATABASE, { id: "regions" }] },
    done: {
      text: "User answers:\ndatabase: SQLite\nregions: US, EU\nname: custom input: 料金エンジン",
      details: {
        results: [
          {
            id: "database",
            question: DATABASE.question,
            selectedOptions: ["SQLite"],
            isByTime: true,
          },
          { id: "regions", question: "Which regions?", selectedOptions: ["US", "EU"] },
          {
            id: "name",
            question: "What is it called?",
            selectedOptions: [],
            customInput: "料金エンジン",
          },
        ],
      },
    },
    failed: CLOSED,
  },
];
