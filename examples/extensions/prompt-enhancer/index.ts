// Words of your own for what you say often: `;review` at the beginning of a prompt becomes the whole request.

import { defineExtension } from "@tau/extension";

const SHORTHANDS: Readonly<Record<string, string>> = {
  ";review":
    "Review the uncommitted changes for bugs, missing tests and unclear names. Change nothing.",
  ";why":
    "Explain why this happens, with the lines of code that show it, before you change anything:",
};

export default defineExtension({
  name: "prompt-enhancer",
  hooks: {
    input: ({ message }) => {
      const [first] = message.content;
      if (first?.type !== "text") return undefined;
      const [word = "", ...rest] = first.text.split(" ");
      const meant = SHORTHANDS[word];
      if (meant === undefined) return undefined;
      const text = [meant, ...rest].join(" ");
      return { type: "transform", message: { ...message, content: [{ type: "text", text }] } };
    },
  },
});
