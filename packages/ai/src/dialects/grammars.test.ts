// What each grammar makes of replies as models really write them: the documented forms,
// spelt out here by hand, and the ways in which models deviate from them.

import { describe, expect, test } from "bun:test";
import type { AssistantBlock } from "../message.ts";
import { anthropic } from "./anthropic.ts";
import { deepseekV3, deepseekV31 } from "./deepseek.ts";
import type { Dialect } from "./dialect.ts";
import { call, contentOf, executableCalls, hear, heard } from "./dialect-test-support.ts";
import { gemini } from "./gemini.ts";
import { gemma } from "./gemma.ts";
import { glm } from "./glm.ts";
import { harmony } from "./harmony.ts";
import { kimiK2 } from "./kimi-k2.ts";
import { qwen3 } from "./qwen3.ts";

interface Sample {
  dialect: Dialect;
  /** Two calls with text before them, as the convention's documents show it. */
  parallel: string;
  /** A complete call inside reasoning, with an answer behind it. */
  thoughtCall: string;
  /** Reasoning that is never closed. */
  openThought: string;
  /** A call, and then a result that the model made up, and more. */
  invented: string;
  /** Sentences about the markers. */
  prose: string[];
}

const B = "\uFF5C";
const ds = (words: string): string => `<${B}${words.replaceAll(" ", "\u2581")}${B}>`;
const DS_CALL = `${ds("tool calls begin")}${ds("tool call begin")}list${ds("tool sep")}{}${ds("tool call end")}${ds("tool calls end")}`;
const KIMI_CALL =
  "<|tool_calls_section_begin|><|tool_call_begin|>functions.list:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>";

const SAMPLES: Record<string, Sample> = {
  anthropic: {
    dialect: anthropic,
    parallel: `Both.
<function_calls>
<invoke name="get-weather">
<parameter name="city">Köln, "NRW"</parameter>
</invoke>
<invoke name="write_file">
<parameter name="path">{"a":1}</parameter>
<parameter name="mode">3</parameter>
</invoke>
</function_calls>`,
    thoughtCall: `<thinking>I could <invoke name="list"></invoke> here.</thinking>\nNo.`,
    openThought: "<thinking>\nhm",
    invented: `<function_calls>\n<invoke name="list">\n</invoke>\n</function_calls>\n<function_results>\n<result>x</result></function_results>Done.`,
    prose: ["An <invoke> tag and <invoker> too.", "Use `<function_calls>` and <invoke name=x>."],
  },
  "deepseek-v3": {
    dialect: deepseekV3,
    parallel: `Both.${ds("tool calls begin")}${ds("tool call begin")}function${ds("tool sep")}get-weather
\`\`\`json
{"city": "Köln, \\"NRW\\""}
\`\`\`${ds("tool call end")}
${ds("tool call begin")}function${ds("tool sep")}write_file
\`\`\`json
{"path": "{\\"a\\":1}", "mode": 3}
\`\`\`${ds("tool call end")}${ds("tool calls end")}${ds("end of sentence")}`,
    thoughtCall: `<think>I could ${DS_CALL} here.</think>No.`,
    openThought: "<think>\nhm",
    invented: `${DS_CALL}${ds("tool outputs begin")}${ds("tool output begin")}x${ds("tool output end")}Done.`,
    prose: [`The token ${ds("tool calls begin")} opens.`, "<|tool_calls_begin|> is ASCII."],
  },
  "deepseek-v3.1": {
    dialect: deepseekV31,
    parallel: `</think>Both.${ds("tool calls begin")}${ds("tool call begin")}get-weather${ds("tool sep")}{"city": "Köln, \\"NRW\\""}${ds("tool call end")}${ds("tool call begin")}write_file${ds("tool sep")}{"path": "{\\"a\\":1}", "mode": 3}${ds("tool call end")}${ds("tool calls end")}`,
    thoughtCall: `<think>I could ${DS_CALL} here.</think>No.`,
    openThought: "<think>\nhm",
    invented: `${DS_CALL}${ds("tool output begin")}x${ds("tool output end")}Done.`,
    prose: [`${ds("tool call begin")} and ${ds("tool call end")} are a pair.`],
  },
  gemini: {
    dialect: gemini,
    parallel: `Both.
\`\`\`tool_code
print(default_api.get_weather(city='Köln, "NRW"'))
result = write_file(path="{\\"a\\":1}", mode=3)
\`\`\``.replace("get_weather", "get-weather"),
    thoughtCall: "```thinking\nI could print(default_api.list()) here.\n```\nNo.",
    openThought: "```thinking\nhm",
    invented: "```tool_code\nlist()\n```\n```tool_outputs\nx\n```\nDone.",
    prose: ["A ```tool_code fence.", "```python\nlist()\n```", "```tool_code\nx + 1\n```"],
  },
  gemma: {
    dialect: gemma,
    parallel: `Both.<|tool_call>call:get-weather{city:<|"|>Köln, "NRW"<|"|>}<tool_call|><|tool_call>call:write_file{path:<|"|>{"a":1}<|"|>,mode:3}<tool_call|><turn|>`,
    thoughtCall: "<|channel>thought\nI could <|tool_call>call:list{}<tool_call|>.\n<channel|>No.",
    openThought: "<|channel>thought\nhm",
    invented:
      "<|tool_call>call:list{}<tool_call|><|tool_response>response:list{}<tool_response|>Done.",
    prose: ["The token <|tool_call> opens a call.", "<|tool_call>call: nothing"],
  },
  glm: {
    dialect: glm,
    parallel: `Both.
<tool_call>get-weather
<arg_key>city</arg_key>
<arg_value>Köln, "NRW"</arg_value>
</tool_call>
<tool_call>write_file
<arg_key>path</arg_key>
<arg_value>{"a":1}</arg_value>
<arg_key>mode</arg_key>
<arg_value>3</arg_value>
</tool_call><|observation|>`,
    thoughtCall: "<think>I could <tool_call>list\n</tool_call> here.</think>\nNo.",
    openThought: "<think>hm",
    invented: "<tool_call>list\n</tool_call>\n<tool_response>\nx\n</tool_response>Done.",
    prose: ["<tool_call> is a tag.", "Wrap it: <tool_call>name</tool_call>.", "<tool_call><b>"],
  },
  harmony: {
    dialect: harmony,
    parallel: `<|channel|>commentary<|message|>Both.<|end|><|start|>assistant<|channel|>commentary to=functions.get-weather <|constrain|>json<|message|>{"city": "Köln, \\"NRW\\""}<|call|><|start|>assistant to=functions.write_file<|channel|>commentary<|message|>{"path": "{\\"a\\":1}", "mode": 3}<|call|>`,
    thoughtCall:
      "<|channel|>analysis<|message|>I could call to=functions.list here {}.<|end|><|start|>assistant<|channel|>final<|message|>No.<|return|>",
    openThought: "<|channel|>analysis<|message|>hm",
    invented:
      "<|channel|>commentary to=functions.list<|message|>{}<|call|><|start|>functions.list to=assistant<|channel|>commentary<|message|>x<|end|>Done.",
    prose: ["A <|start|> begins a message, <|channel|> follows.", "<|start|>user<|message|>hi"],
  },
  "kimi-k2": {
    dialect: kimiK2,
    parallel: `Both.<|tool_calls_section_begin|><|tool_call_begin|>functions.get-weather:0<|tool_call_argument_begin|>{"city": "Köln, \\"NRW\\""}<|tool_call_end|><|tool_call_begin|>functions.write_file:1<|tool_call_argument_begin|>{"path": "{\\"a\\":1}", "mode": 3}<|tool_call_end|><|tool_calls_section_end|><|im_end|>`,
    thoughtCall: `<think>I could ${KIMI_CALL} here.</think>No.`,
    openThought: "<think>hm",
    invented: `${KIMI_CALL}<|im_end|><|im_system|>list<|im_middle|>## Return of functions.list:0\nx`,
    prose: ["<|tool_calls_section_begin|> opens.", "<|tool_call_begin|> what <|tool_call_end|>"],
  },
  qwen3: {
    dialect: qwen3,
    parallel: `Both.
<tool_call>
{"name": "get-weather", "arguments": {"city": "Köln, \\"NRW\\""}}
</tool_call>
<tool_call>
{"arguments": {"path": "{\\"a\\":1}", "mode": 3}, "name": "write_file"}
</tool_call><|im_end|>`,
    thoughtCall: `<think>\nI could <tool_call>{"name": "list", "arguments": {}}</tool_call>.\n</think>\n\nNo.`,
    openThought: "<think>\nhm",
    invented: `<tool_call>\n{"name": "list", "arguments": {}}\n</tool_call>\n<tool_response>\nx\n</tool_response>Done.`,
    prose: [
      "<tool_call> is a tag.",
      "Like <tool_call>{…}</tool_call> this.",
      "<tool_call>{}</tool_call>",
    ],
  },
};

const BOTH: AssistantBlock[] = [
  { type: "text", text: "Both." },
  call("get-weather", { city: 'Köln, "NRW"' }),
  call("write_file", { path: '{"a":1}', mode: 3 }),
];

describe.each(Object.entries(SAMPLES))("%s", (_id, sample) => {
  const { dialect } = sample;

  test("reads parallel calls, whole and by the character", () => {
    expect(heard(dialect, sample.parallel)).toEqual(BOTH);
    expect(contentOf(hear(dialect, sample.parallel.split("")))).toEqual(BOTH);
  });

  test("gives every call an id of its own", () => {
    const ids = hear(dialect, [sample.parallel, sample.parallel])
      .content.filter((block) => block.type === "toolCall")
      .map((block) => block.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("does not run what was only thought of", () => {
    const content = heard(dialect, sample.thoughtCall);
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    expect(content[1]).toEqual({ type: "text", text: "No." });
  });

  test("takes reasoning that is never closed for reasoning", () => {
    expect(heard(dialect, sample.openThought)).toEqual([{ type: "thinking", text: "hm" }]);
  });

  test("forgets results that the model made up", () => {
    expect(heard(dialect, sample.invented)).toEqual([call("list")]);
  });

  test("shows sentences about markers as they are", () => {
    for (const text of sample.prose) expect(heard(dialect, text)).toEqual([{ type: "text", text }]);
  });

  test("shows no marker while calls arrive, and runs none that broke off", () => {
    for (let end = 0; end <= sample.parallel.length; end++) {
      const message = hear(dialect, [sample.parallel.slice(0, end)], "cut");
      const text = message.content.map((block) => (block.type === "text" ? block.text : ""));
      // At most one character, which could still have become anything.
      const bare = text.join("").replace(/[<`]$/, "");
      expect("Both.".startsWith(bare.trim())).toBe(true);
      const calls = executableCalls(message);
      expect(calls).toEqual(BOTH.slice(1, 1 + calls.length));
    }
  });
});

describe("deviations", () => {
  test("anthropic: the legacy form, and values that talk about tags", () => {
    const legacy = `<function_calls>
<invoke>
<tool_name>write_file</tool_name>
<parameters>
<path>a.txt</path>
<tags>["x", "</tags>"]</tags>
</parameters>
</invoke>
</function_calls>`;
    expect(heard(anthropic, legacy)).toEqual([
      call("write_file", { path: "a.txt", tags: ["x", "</tags>"] }),
    ]);
    const tags = `<invoke name="write_file"><parameter name="content">a</parameter> b\n</parameter></invoke>`;
    expect(heard(anthropic, tags)).toEqual([call("write_file", { content: "a</parameter> b\n" })]);
    const prefix = "antml:";
    const prefixed = `<${prefix}function_calls>\n<${prefix}invoke name="write_file">\n<${prefix}parameter name="content"> kept </${prefix}parameter>\n</${prefix}invoke>\n</${prefix}function_calls>`;
    expect(heard(anthropic, prefixed)).toEqual([call("write_file", { content: " kept " })]);
  });

  test("anthropic: a stop sequence takes the last tag away", () => {
    const text = `<function_calls>\n<invoke name="list">\n</invoke>\n`;
    expect(heard(anthropic, text)).toEqual([call("list")]);
  });

  test("deepseek: either version is understood", () => {
    expect(heard(deepseekV3, SAMPLES["deepseek-v3.1"]!.parallel)).toEqual(BOTH);
    expect(heard(deepseekV31, SAMPLES["deepseek-v3"]!.parallel)).toEqual(BOTH);
  });

  test("gemini: lists, tuples, dicts, words, escapes, concatenation and comments", () => {
    const text = `\`\`\`tool_code
# both at once
[default_api.write_file(path='a\\'b\\n\\u00e9', tags=("x", "y",), options={'deep': True, "n": {"k": None}}, mode=-1_0),
 write_file("p" 'q', content="""three
\`\`\` quotes " """, append=False), list(**{})]
\`\`\``;
    expect(heard(gemini, text)).toEqual([
      call("write_file", {
        path: "a'b\né",
        tags: ["x", "y"],
        options: { deep: true, n: { k: null } },
        mode: -10,
      }),
      call("write_file", { path: "pq", content: 'three\n``` quotes " ', append: false }),
      call("list"),
    ]);
  });

  test("gemini: parentheses and fences in strings; what is no literal is refused", () => {
    const nested = '```tool_code\nprint(default_api.get-weather(city="f(x)```) # no"))\n```\nText.';
    expect(heard(gemini, nested)).toEqual([
      call("get-weather", { city: "f(x)```) # no" }),
      { type: "text", text: "Text." },
    ]);
    const program = "```tool_code\nlist(x=open('secret').read())\n```";
    expect(heard(gemini, program)).toMatchObject([{ name: "list", malformed: expect.any(String) }]);
  });

  test("gemma: bare words, blanks and nested values", () => {
    const text = `<|tool_call>call:write_file{path: STRING , options:{theme:<|"|>a,}<|"|>,n:[1, -2.5,true] } ,note:none}<tool_call|>`;
    expect(heard(gemma, text)).toEqual([
      call("write_file", {
        path: "STRING",
        options: { theme: "a,}", n: [1, -2.5, true] },
        note: null,
      }),
    ]);
    expect(heard(gemma, "<|tool_call>call:list{a:}<tool_call|>")).toMatchObject([
      { name: "list", malformed: expect.any(String) },
    ]);
  });

  test("glm: types come from the schema, and 4.7 leaves line breaks out", () => {
    const pair = (key: string, value: string): string =>
      `<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`;
    const text = `<tool_call>write_file${pair("path", '{"a":1}')}${pair("content", "42")}${pair("tags", "['x', 'y']")}${pair("note", "null")}${pair("value", "7")}${pair("other", "{'k': True}")}${pair("word", "celsius")}</tool_call><tool_call>list</tool_call>`;
    expect(heard(glm, text)).toEqual([
      call("write_file", {
        path: '{"a":1}',
        content: "42",
        tags: ["x", "y"],
        note: null,
        value: 7,
        other: { k: true },
        word: "celsius",
      }),
      call("list"),
    ]);
  });

  test("glm: a value cut short by its own text is refused, not run", () => {
    const text = `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_key>\n</tool_call>`;
    expect(heard(glm, text)).toMatchObject([{ name: "write_file", malformed: expect.any(String) }]);
  });

  test("harmony: a recipient before any token, stop tokens stripped, ends forgotten", () => {
    const json = '{"city": "<|call|>"}';
    expect(
      heard(
        harmony,
        ` to=functions.get-weather<|channel|>commentary <|constrain|>json<|message|>${json}`,
      ),
    ).toEqual([call("get-weather", { city: "<|call|>" })]);
    const text = `<|channel|>analysis<|message|>hm<|start|>assistant<|channel|>final<|message|>Yes.`;
    expect(heard(harmony, text)).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "Yes." },
    ]);
  });

  test("kimi: names with dots in front, closers inside strings", () => {
    const text = `<|tool_calls_section_begin|><|tool_call_begin|>my.functions.get-weather:12<|tool_call_argument_begin|> {"city": "<|tool_call_end|>"} <|tool_call_end|><|tool_calls_section_end|>`;
    expect(heard(kimiK2, text)).toEqual([call("get-weather", { city: "<|tool_call_end|>" })]);
  });

  test("qwen: the coder's form, arguments as a string, closers inside strings", () => {
    const coder = `<tool_call>\n<function=write_file>\n<parameter=content>\nline\n\n</parameter>\n<parameter=mode>\n3\n</parameter>\n</function>\n</tool_call>`;
    expect(heard(qwen3, coder)).toEqual([call("write_file", { content: "line\n", mode: 3 })]);
    const quoted = `<tool_call>{"name": "get-weather", "arguments": "{\\"city\\": \\"</tool_call>\\"}"}</tool_call>`;
    expect(heard(qwen3, quoted)).toEqual([call("get-weather", { city: "</tool_call>" })]);
    const direct = `<tool_call>{"name": "get-weather", "arguments": {"city": "</tool_call>"}}</tool_call>`;
    expect(heard(qwen3, direct)).toEqual([call("get-weather", { city: "</tool_call>" })]);
    const broken = `<tool_call>\n{"name": "list", "arguments": {"a": tru}}\n</tool_call>`;
    expect(heard(qwen3, broken)).toMatchObject([{ name: "list", malformed: expect.any(String) }]);
  });

  test("a reply that only closes the reasoning its prompt opened", () => {
    const message = hear(qwen3, ["hm</think>", "\n\nYes."], "stop", { startsInThinking: true });
    expect(contentOf(message)).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "Yes." },
    ]);
  });

  test("a tag in the middle of a line is talked about", () => {
    const text = "The <think> tag, and <|im_end|> too.";
    expect(heard(qwen3, text)).toEqual([{ type: "text", text }]);
  });
});
