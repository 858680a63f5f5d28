import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NASTY_SCHEMAS } from "./fixtures/nasty-schemas.ts";
import { mapChildren, type Schema } from "./json-schema.ts";
import { CLOUD_CODE } from "./cloud-code.ts";
import { GOOGLE } from "./google.ts";
import { OPENAI_STRICT } from "./openai-strict.ts";
import { ANTHROPIC } from "./anthropic.ts";
import { fitSchema as fitTo, OPENAI, RESPONSES } from "./tool-schema.ts";

const TARGETS = {
  openai: OPENAI,
  "openai-strict": OPENAI_STRICT,
  responses: RESPONSES,
  anthropic: ANTHROPIC,
  google: GOOGLE,
  "cloud-code": CLOUD_CODE,
};
type TargetName = keyof typeof TARGETS;

const fitSchema = (schema: Schema, target: TargetName) => fitTo(schema, TARGETS[target]);
const fit = (schema: Schema, target: TargetName) => fitSchema(schema, target).schema as Schema;
const props = (properties: Schema, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...more,
});

describe("canonical form", () => {
  const inner = (schema: Schema) => (fit(props({ x: schema }), "anthropic").properties as Schema).x;

  test("local references are inlined, and what stands beside one wins", () => {
    const schema = props(
      { x: { $ref: "#/$defs/a", description: "mine" }, y: { $ref: "#/definitions/b" } },
      {
        $defs: { a: { type: "string", description: "theirs" } },
        definitions: { b: { type: "number" } },
      },
    );
    expect(fit(schema, "anthropic")).toEqual(
      props({ x: { type: "string", description: "mine" }, y: { type: "number" } }),
    );
  });

  test("old and foreign spellings become 2020-12", () => {
    expect(inner({ any_of: [{ type: "string" }], anyOf: [{ type: "number" }] })).toEqual({
      anyOf: [{ type: "string" }],
    });
    expect(inner({ type: "string", nullable: true })).toEqual({ type: ["string", "null"] });
    expect(
      inner({ type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } }),
    ).toEqual({
      type: "array",
      prefixItems: [{ type: "string" }],
      items: { type: "number" },
    });
  });

  test("a library's own object is no schema; a missing type at the top is an object", () => {
    expect(inner({ _def: { typeName: "ZodString" } })).toEqual({ type: "object", properties: {} });
    expect(fit({ $schema: "x" }, "anthropic")).toEqual({ type: "object" });
    expect(fit({ $schema: "x" }, "openai")).toEqual({ type: "object", properties: {} });
  });

  test("properties named like keywords are properties, on every target", () => {
    const names = ["pattern", "any_of", "format", "type", "required", "ref", "nullable", "default"];
    const schema = props(Object.fromEntries(names.map((name) => [name, { type: "string" }])), {
      required: names,
    });
    for (const target of [
      "openai-strict",
      "google",
      "cloud-code",
      "responses",
      "anthropic",
    ] as const) {
      expect(Object.keys(fit(schema, target).properties as Schema)).toEqual(names);
    }
  });

  test("the schema that came in is not changed", () => {
    const schema = props({ x: { type: "string", nullable: true, default: "a" } });
    const before = structuredClone(schema);
    for (const target of ["openai-strict", "google", "cloud-code"] as const) fit(schema, target);
    expect(schema).toEqual(before);
  });

  test("references that would explode are written out as far as there is room", () => {
    const { schema } = NASTY_SCHEMAS["reference explosion"]!;
    const root = (fit(schema as Schema, "anthropic").properties as Schema).root as Schema;
    expect(Object.keys(root.properties as Schema)).toEqual(["left", "right", "third"]);
  });

  test("the same tool is fitted once", () => {
    const schema = props({});
    expect(fitSchema(schema, "google")).toBe(fitSchema(schema, "google"));
  });
});

describe("OpenAI strict", () => {
  const strict = (schema: Schema) => fitSchema(schema, "openai-strict");

  test("every property required, optional ones nullable, objects closed", () => {
    const schema = props(
      { path: { type: "string" }, limit: { type: "integer", minimum: 1, description: "Lines" } },
      { required: ["path"] },
    );
    expect(strict(schema)).toEqual({
      strict: true,
      schema: {
        type: "object",
        properties: {
          path: { type: "string" },
          limit: { anyOf: [{ type: "integer" }, { type: "null" }], description: "Lines" },
        },
        required: ["path", "limit"],
        additionalProperties: false,
      },
    });
  });

  test("a default goes into the description that is there", () => {
    const schema = props(
      {
        a: { type: "string", description: "A", default: "x" },
        b: { type: "string", description: "B (default: y)", default: "y" },
        c: { type: "string", default: "z" },
      },
      { required: ["a", "b", "c"] },
    );
    expect(strict(schema).schema.properties).toEqual({
      a: { type: "string", description: 'A (default: "x")' },
      b: { type: "string", description: "B (default: y)" },
      c: { type: "string" },
    });
  });

  test("type arrays become branches with their own keywords, the description on the whole", () => {
    const schema = props(
      {
        x: {
          type: ["object", "string", "null"],
          description: "D",
          properties: { y: { type: "number" } },
          required: ["y"],
        },
      },
      { required: ["x"] },
    );
    expect((strict(schema).schema.properties as Schema).x).toEqual({
      anyOf: [
        {
          type: "object",
          properties: { y: { type: "number" } },
          required: ["y"],
          additionalProperties: false,
        },
        { type: "string" },
        { type: "null" },
      ],
      description: "D",
    });
  });

  test("a single allOf is inlined and wins; enum and const tell their type", () => {
    const schema = props(
      {
        a: { allOf: [{ type: "string", description: "in" }], description: "out" },
        b: { enum: ["x", "y"] },
        c: { const: 3 },
      },
      { required: ["a", "b", "c"] },
    );
    expect(strict(schema).schema.properties).toEqual({
      a: { type: "string", description: "in" },
      b: { enum: ["x", "y"], type: "string" },
      c: { const: 3, type: "integer" },
    });
  });

  test.each([
    ["an enum of mixed kinds", props({ x: { enum: [1, "two", null] } })],
    ["a constant object", props({ x: { const: { a: 1 } } })],
    ["free keys", props({ x: { type: "object", additionalProperties: { type: "string" } } })],
    ["anything at all", props({ x: {} })],
    ["oneOf", props({ x: { oneOf: [{ type: "string" }, { type: "number" }] } })],
  ])("%s is sent as it came, without the promise", (_name, schema) => {
    expect(strict(schema)).toEqual({ strict: false, schema });
  });

  test.each([
    ["a schema that refers to itself", props({ x: { $ref: "#" } })],
    ["a list of anything", props({ x: { type: "array" } })],
    ["a boolean schema", props({ x: true })],
    ["an object without a word about its keys", props({ x: { type: "object" } })],
    ["keys by pattern", props({ x: props({}, { patternProperties: { "^a": {} } }) })],
    ["a tuple", props({ x: { type: "array", prefixItems: [{ type: "string" }] } })],
  ])("%s is sent without the promise", (_name, schema) => {
    expect(strict(schema)).toEqual({ strict: false, schema: fit(schema, "openai") });
  });
});

/** The vendor wants a type and has none for this. */
const ANY_VALUE = {
  anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "object" }],
};

describe("Google", () => {
  const google = (schema: Schema) => (fit(props({ x: schema }), "google").properties as Schema).x;

  test("unions with null are nullable; others stay anyOf; several types are branches", () => {
    expect(google({ type: ["string", "null"] })).toEqual({ type: "string", nullable: true });
    expect(google({ anyOf: [{ type: "number" }, { type: "null" }], description: "d" })).toEqual({
      type: "number",
      description: "d",
      nullable: true,
    });
    expect(google({ oneOf: [{ type: "number" }, { type: "string" }] })).toEqual({
      anyOf: [{ type: "number" }, { type: "string" }],
    });
    expect(google({ type: ["string", "number"] })).toEqual({
      anyOf: [{ type: "string" }, { type: "number" }],
    });
  });

  test("what it cannot say is told, what only structures is dropped", () => {
    expect(google({ type: "string", format: "uri", default: "a", description: "A link" })).toEqual({
      type: "string",
      description: 'A link (format: "uri", default: "a")',
    });
    expect(google({ type: "object", additionalProperties: false, properties: {} })).toEqual({
      type: "object",
      properties: {},
    });
    expect(google({ type: "string", format: "date-time" })).toEqual({
      type: "string",
      format: "date-time",
    });
    expect(google({ const: "only" })).toEqual({ enum: ["only"], type: "string" });
    expect(google({ type: "integer", enum: [1, 2] })).toEqual({
      type: "integer",
      description: "(one of: 1, 2)",
    });
    expect(google({ type: "array" })).toEqual({ type: "array", items: ANY_VALUE });
  });

  test("objects that must all hold become one", () => {
    expect(
      google({
        allOf: [
          props({ a: { type: "string" } }, { required: ["a"] }),
          props({ b: { type: "number" } }, { required: ["b"] }),
        ],
      }),
    ).toEqual(props({ a: { type: "string" }, b: { type: "number" } }, { required: ["a", "b"] }));
  });

  test("a schema that refers to itself is written out once, and then free", () => {
    expect(fit(props({ x: { $ref: "#" } }), "google")).toEqual(
      props({ x: props({ x: { type: "object", description: "(#)" } }) }),
    );
  });
});

describe("Cloud Code Assist", () => {
  const cloud = (schema: Schema) =>
    (fit(props({ x: schema }), "cloud-code").properties as Schema).x;

  test("no nullable and no unions are left", () => {
    expect(cloud({ type: ["string", "null"] })).toEqual({ type: "string" });
    expect(cloud({ anyOf: [{ type: "string" }, { type: "number" }] })).toEqual({
      type: "string",
      description: "(or: number)",
    });
    expect(
      cloud({
        anyOf: [
          props({ a: { type: "string" } }, { required: ["a"] }),
          props({ b: { type: "string" } }),
        ],
      }),
    ).toEqual(props({ a: { type: "string" }, b: { type: "string" } }));
  });
});

test("Responses says anyOf for oneOf, at any depth", () => {
  const schema = props({ x: { type: "array", items: { oneOf: [{ type: "string" }] } } });
  expect((fit(schema, "responses").properties as Schema).x).toEqual({
    type: "array",
    items: { anyOf: [{ type: "string" }] },
  });
});

// Random schemas, as tools of strangers bring them.
const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom("string", "number", "integer", "boolean", "null") }),
  fc.record({ type: fc.constant(["string", "null"]), description: fc.string() }),
  fc.record({
    enum: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 3 }),
  }),
  fc.constant<Schema>({ $ref: "#/$defs/shared" }),
  fc.constant<Schema>({ $ref: "#" }),
  fc.constant<Schema>({
    type: "string",
    format: "uuid",
    nullable: true,
    default: "x",
    pattern: "^a",
  }),
  fc.constant<Schema>({}),
);
const anySchema: fc.Arbitrary<Schema> = fc
  .letrec<{ node: Schema }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema" },
      leaf as fc.Arbitrary<Schema>,
      fc.record({ type: fc.constant("array"), items: tie("node") }) as fc.Arbitrary<Schema>,
      fc
        .tuple(
          fc.dictionary(fc.constantFrom("a", "pattern", "any_of", "type"), tie("node")),
          fc.boolean(),
        )
        .map(([properties, all]) =>
          props(properties, { required: all ? Object.keys(properties) : [] }),
        ),
      fc
        .tuple(
          fc.constantFrom("anyOf", "oneOf", "allOf"),
          fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
        )
        .map(([keyword, list]) => ({ [keyword]: list })),
    ),
  }))
  .node.map((node) => props({ x: node }, { $defs: { shared: { type: "string" } } }));

function everyNode(schema: Schema, check: (node: Schema) => void): void {
  check(schema);
  mapChildren(schema, (child) => {
    everyNode(child, check);
    return child;
  });
}

test("whatever comes in, each target's own rules hold for what goes out", () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      const strict = fitSchema(schema, "openai-strict");
      if (strict.strict) {
        everyNode(strict.schema as Schema, (node) => {
          expect(node).not.toContainAnyKeys([
            "$ref",
            "oneOf",
            "allOf",
            "format",
            "pattern",
            "default",
          ]);
          expect(node.type ?? node.anyOf).toBeDefined();
          if (node.type === "object") {
            expect(node.additionalProperties).toBe(false);
            expect(node.required).toEqual(Object.keys(node.properties as Schema));
          }
        });
      }
      everyNode(fit(schema, "google"), (node) => {
        expect(node).not.toContainAnyKeys([
          "$ref",
          "$defs",
          "additionalProperties",
          "oneOf",
          "allOf",
          "const",
        ]);
        expect(Array.isArray(node.type)).toBe(false);
      });
      everyNode(fit(schema, "cloud-code"), (node) => {
        expect(node).not.toContainAnyKeys(["$ref", "nullable", "anyOf", "oneOf", "allOf"]);
      });
      for (const target of ["openai", "responses", "anthropic"] as const) {
        expect(fit(schema, target).type).toBe("object");
      }
    }),
    { numRuns: 500 },
  );
});
