/** Reads an OpenAPI document independently: checks answers, and makes inputs, from the document alone. */
import { z } from 'zod';
import fc from 'fast-check';

/** A JSON Schema as far as the document uses it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >;
}

export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Lists every operation with its method and path. */
export function operationsOf(
  document: Document,
): readonly { readonly name: string; readonly method: string; readonly path: string; readonly operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const upper = method.toUpperCase();
      return { name: `${upper} ${path}`, method: upper, path, operation };
    }),
  );
}

/** Replaces the references in a schema. */
export function resolved(document: Document, schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const name = String(value.$ref).split('/').at(-1) ?? '';
    const target = document.components.schemas[name];
    if (target === undefined) throw new Error(`The document refers to ${String(value.$ref)}, which is not there`);
    return resolved(document, target);
  });
  return JSON.parse(text) as JsonSchema;
}

/** Reads the text of an answer. A stream never ends: only its first event is read, which is the pause before a reader comes back. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value as Uint8Array | undefined);
}

/** Names the undocumented part of this answer; null: nothing. */
export function undocumented(
  document: Document,
  operation: Operation,
  { status, type, text }: { readonly status: number; readonly type: string; readonly text: string },
): string | null {
  const promised = operation.responses[String(status)];
  if (promised === undefined) return `The status ${status} is not documented: ${text}`;
  const content = promised.content?.[type];
  if (content === undefined) return `The status ${status} is documented without ${type}`;
  // The schema describes an event.
  if (type === 'text/event-stream') return /^retry: \d+\n\n$/u.test(text) ? null : `It begins with ${text}`;
  const checked = z
    .fromJSONSchema(resolved(document, content.schema) as never)
    .safeParse(type.endsWith('json') ? JSON.parse(text) : text);
  return checked.success ? null : `${checked.error.message} in ${text}`;
}

/** Builds values of a schema, and now and then something else. */
export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -2, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, valuesOf(one)])),
        { requiredKeys: [] },
      );
    case 'string':
      return fc.oneof(
        fc.string({ maxLength: 40 }),
        fc.string({ unit: 'binary', maxLength: 10 }),
        fc.constant('1a2b3c4d'),
      );
    default:
      return fc.jsonValue();
  }
}
