// Writes the types that the document of the public API promises, for the tests' client, from the document alone: `npm run docs`.
import { v1Document } from '@drover/api';

/** A JSON Schema as far as the document uses it: what is not here makes no difference to a type. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The file's whole text: `paths` as `openapi-fetch` reads it. */
export function v1Types(document: Document = v1Document('0') as Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, '')};`,
  );
  const paths = Object.entries(document.paths).map(([place, methods]) => {
    const each = Object.entries(methods).map(([method, operation]) => `    ${method}: ${operationType(operation)};`);
    return [`  '${place}': {`, ...each, '  };'].join('\n');
  });
  return `${[HEAD, ...schemas, ['export interface paths {', ...paths, '}'].join('\n')].join('\n\n')}\n`;
}

const HEAD = '/** Written by `npm run docs` from the document of the public API: change the schemas of its routes. */';

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const inputs = (['path', 'query', 'header'] as const).flatMap((place) => {
    const ofPlace = parameters.filter((one) => one.in === place);
    if (ofPlace.length === 0) return [];
    const isNeeded = ofPlace.some(({ required }) => required);
    return [`        ${place}${isNeeded ? '' : '?'}: ${fieldsOf(ofPlace.map(parameterField), '        ')};`];
  });
  const body = requestBody && `      requestBody: { content: ${contentType(requestBody.content)} };`;
  const answers = Object.entries(responses).map(
    ([status, { content = {} }]) => `        ${status}: { content: ${contentType(content)} };`,
  );
  return [
    '{',
    ...(inputs.length === 0 ? [] : ['      parameters: {', ...inputs, '      };']),
    ...(body === undefined ? [] : [body]),
    '      responses: {',
    ...answers,
    '      };',
    '    }',
  ].join('\n');
}

function contentType(content: Content): string {
  const each = Object.entries(content).map(([type, { schema }]) => `'${type}': ${typeOf(schema, '        ')}`);
  return each.length === 0 ? 'Record<never, never>' : `{ ${each.join('; ')} }`;
}

interface Field {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly schema: Schema;
}

function parameterField({ name, required = false, schema }: Parameter): Field {
  return { name, isNeeded: required, schema };
}

function fieldsOf(fields: readonly Field[], indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map(({ name, isNeeded, schema }) => {
    const key = /^[A-Za-z_$][\w$]*$/u.test(name) ? name : `'${name}'`;
    return `${inner}${key}${isNeeded ? '' : '?'}: ${typeOf(schema, inner)};`;
  });
  return ['{', ...lines, `${indent}}`].join('\n');
}

/** A schema that says nothing of a value allows any. */
function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: only, enum: some, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if (only !== undefined) return JSON.stringify(only);
  if (some !== undefined) return unionOf(some.map((one) => JSON.stringify(one)));
  const cases = anyOf ?? oneOf;
  if (cases !== undefined) return unionOf(cases.map((one) => typeOf(one, indent)));
  if (typeof type === 'object') return unionOf(type.map((one) => typeOf({ ...schema, type: one }, indent)));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema, indent);
    case 'object':
      return objectOf(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`The document has the type "${type}", for which there is no rule here: add one`);
  }
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function arrayOf({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `readonly [${prefixItems.map((one) => typeOf(one, indent)).join(', ')}]`;
  return `readonly (${typeof items === 'object' ? typeOf(items, indent) : 'unknown'})[]`;
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    isNeeded: required.includes(name),
    schema,
  }));
  if (fields.length > 0) return fieldsOf(fields, indent);
  if (typeof additionalProperties === 'object')
    return `Readonly<Record<string, ${typeOf(additionalProperties, indent)}>>`;
  return 'Record<string, never>';
}
