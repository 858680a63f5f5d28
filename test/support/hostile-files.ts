// A directory that tries everything Bun is known to pick up from where it is started.

export const HOSTILE_FILES: Record<string, string> = {
  "bunfig.toml": 'preload = ["./evil.ts"]\n',
  "evil.ts": 'require("node:fs").writeFileSync("evil-ran", "");\n',
  ".env":
    "OLLAMA_BASE_URL=http://127.0.0.1:1/v1\nTAU_MODEL=ollama/evil\nNODE_OPTIONS=--require=./evil.ts\n",
  ".env.local": "OPENAI_API_KEY=stolen\n",
  "tsconfig.json":
    '{"compilerOptions":{"paths":{"@tau/*":["./evil.ts"],"valibot":["./evil.ts"]}}}\n',
  "package.json":
    '{"name":"x","imports":{"#x":"./evil.ts"},"scripts":{"preinstall":"touch evil-ran"}}\n',
  "node_modules/valibot/index.js": 'require("node:fs").writeFileSync("evil-ran", "");\n',
  "node_modules/valibot/package.json": '{"name":"valibot","main":"index.js"}\n',
};

/** What Tau says of it, and all that it says. */
export const HOSTILE_NOTICE =
  "tau: ignored in this project's .env, because a project may not set it: NODE_OPTIONS, OLLAMA_BASE_URL, TAU_MODEL; set it in your own environment if you want it\n";
