// Lists the options as data: for `drover project check`, for the documentation, for reading the environment.
import { z } from 'zod';
import { configSchema } from './schema.ts';

/** Way in which the text of an environment variable becomes a value. */
export type OptionShape = 'string' | 'integer' | 'boolean' | 'strings' | 'toml';

/** Option of `drover.toml`. */
export type OptionDescription = {
  /** Table of the option, such as `defaults`, `workers.<name>`; empty for `policy`, which is a table itself. */
  readonly section: string;
  /** Full dotted key, such as `defaults.model` or `workers.<name>.role`. */
  readonly key: string;
  /** The type as a person reads it, such as `integer from 1 to 86400`. */
  readonly type: string;
  readonly shape: OptionShape;
  /** The default as TOML, or null where there is none. */
  readonly default: string | null;
  readonly description: string;
  /** Environment variables that set it, the first that is set wins. `<NAME>` stands for a name in capitals, `-` as `_`. */
  readonly env: readonly string[];
  /** Tells whether the value must never be printed. */
  readonly secret: boolean;
};

/** Table of `drover.toml`. */
export type SectionDescription = {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionDescription[];
};

type Schema = z.core.JSONSchema.BaseSchema;

let sections: readonly SectionDescription[] | undefined;

/** Every table of `drover.toml` with its options, in the order of the schema. Made when first asked for: it takes some 25 ms. */
export function describeConfig(): readonly SectionDescription[] {
  sections ??= describeSections();
  return sections;
}

/** Every option in one list. */
export function describeOptions(): readonly OptionDescription[] {
  return describeConfig().flatMap((section) => section.options);
}

function describeSections(): SectionDescription[] {
  const root = z.toJSONSchema(configSchema, { io: 'input' });
  return Object.entries(root.properties ?? {}).flatMap(([name, property]) => {
    const schema = schemaOf(property);
    const description = schema.description ?? '';
    if (schema.properties !== undefined) return tablesOf(name, schema);
    const each = schemaOf(schema.additionalProperties);
    if (each.properties !== undefined) {
      return { name: `${name}.<name>`, description, options: optionsOf(`${name}.<name>`, each) };
    }
    return { name, description, options: [describeOption('', name, schema)] };
  });
}

/** A table, and those that lie in it. */
function tablesOf(name: string, schema: Schema): SectionDescription[] {
  const within = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const inner = schemaOf(property);
    return isTable(inner) ? tablesOf(`${name}.${key}`, inner) : [];
  });
  return [{ name, description: schema.description ?? '', options: optionsOf(name, schema) }, ...within];
}

function isTable(schema: Schema): boolean {
  // A table with a form of its own is one option.
  return schema.properties !== undefined && typeof schema['words'] !== 'string';
}

function optionsOf(section: string, schema: Schema): OptionDescription[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const inner = schemaOf(property);
    return isTable(inner) ? [] : [describeOption(section, `${section}.${key}`, inner)];
  });
}

function describeOption(section: string, key: string, schema: Schema): OptionDescription {
  const { type, shape } = typeOf(schema);
  const systematic = `DROVER_${key.replaceAll('.', '_').toUpperCase()}`;
  const more = Array.isArray(schema['env']) ? schema['env'].map(String) : [];
  return {
    section,
    key,
    type,
    shape,
    default: schema.default === undefined ? null : toml(schema.default),
    description: schema.description ?? '',
    env: [systematic, ...more],
    secret: schema['secret'] === true,
  };
}

function typeOf(schema: Schema): { type: string; shape: OptionShape } {
  // A schema with a form of its own says it in words.
  if (typeof schema['words'] === 'string') return { type: schema['words'], shape: 'toml' };
  if (schema.enum !== undefined) {
    return { type: schema.enum.map((value) => JSON.stringify(value)).join(' or '), shape: 'string' };
  }
  switch (schema.type) {
    case 'string':
      return { type: 'string', shape: 'string' };
    case 'boolean':
      return { type: 'true or false', shape: 'boolean' };
    case 'integer':
      return { type: `integer from ${schema.minimum} to ${schema.maximum}`, shape: 'integer' };
    case 'array':
      return schemaOf(schema.items).type === 'array'
        ? { type: 'list of commands, each a list of words', shape: 'toml' }
        : { type: 'list of strings', shape: 'strings' };
    default:
      return schemaOf(schema.additionalProperties).type === 'string'
        ? { type: 'table of strings', shape: 'toml' }
        : { type: 'table of numbers', shape: 'toml' };
  }
}

/** Strings, numbers, lists and the empty table, the only defaults there are, are written in TOML as in JSON. */
function toml(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(toml).join(', ')}]` : JSON.stringify(value);
}

/** JSON Schema allows `true` and lists where a schema stands; the options use neither. */
function schemaOf(value: Schema['items'] | Schema['additionalProperties']): Schema {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}
