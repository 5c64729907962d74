// Finds the options that the environment sets, and their values.
import { nearest } from '@drover/core';
import { parse } from 'smol-toml';
import { ENVIRONMENT_ONLY } from '../environment.ts';
import { describeOptions, type OptionDescription, type OptionShape } from '../schema/describe.ts';

/** Option that an environment variable sets. */
type Override = { readonly path: readonly string[]; readonly value: unknown; readonly variable: string };

const NAME = '<NAME>';

/** Names of other programs that set an option. A test reads each name of each option, so one that is missing here is found. */
const COMMON_NAMES: readonly string[] = ['DATABASE_URL', 'DATABASE_DIRECT_URL'];

/** Variables that are read elsewhere, and set no option. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  ENVIRONMENT_ONLY.map(({ name }) => name).filter((name) => name !== 'DROVER_URL'),
);

/**
 * Beginnings of systematic names. A variable with one of them that sets nothing is probably misspelt.
 * `DROVER_AGENT_` is not among them: variables that Drover gives to the programs in its panes may begin so.
 */
const PREFIXES = ['DEFAULTS', 'REPO', 'WORKERS', 'PROFILES', 'QUEUE', 'COORDINATOR', 'REDACT', 'POLICY'].map(
  (name) => `DROVER_${name}_`,
);

/** Reads every `DROVER_*` override, and says which variables look like one but set nothing. */
export function readOverrides(variables: Readonly<Record<string, string>>): {
  overrides: readonly Override[];
  warnings: readonly string[];
} {
  // Commands are short: most have no such variable, and do without the description of all options.
  if (!Object.keys(variables).some(maySetAnOption)) return { overrides: [], warnings: [] };
  const overrides = [...plainOverrides(variables), ...namedOverrides(variables)];
  const used = new Set(overrides.map((override) => override.variable));
  const warnings = Object.keys(variables)
    .filter((name) => !used.has(name) && PREFIXES.some((prefix) => name.startsWith(prefix)) && !isKnown(name))
    .map(unknownVariable);
  return { overrides, warnings };
}

function maySetAnOption(variable: string): boolean {
  return COMMON_NAMES.includes(variable) || (variable.startsWith('DROVER_') && !ELSEWHERE.has(variable));
}

function plainOptions(): readonly OptionDescription[] {
  return describeOptions().filter((option) => !option.key.includes('<name>'));
}

/** Options of named tables, the longest key first: `DROVER_WORKERS_A_ROLE_PROMPT` is `role_prompt` of `a`. */
function namedOptions(): readonly OptionDescription[] {
  return describeOptions()
    .filter((option) => option.key.includes('<name>'))
    .toSorted((one, other) => other.key.length - one.key.length);
}

function plainOverrides(variables: Readonly<Record<string, string>>): Override[] {
  return plainOptions().flatMap((option) => {
    const variable = option.env.find((name) => variables[name] !== undefined);
    const text = variable === undefined ? undefined : variables[variable];
    if (variable === undefined || text === undefined) return [];
    return [{ path: option.key.split('.'), value: valueOf(text, option.shape), variable }];
  });
}

function namedOverrides(variables: Readonly<Record<string, string>>): Override[] {
  const options = namedOptions();
  return Object.entries(variables).flatMap(([variable, text]) => {
    for (const option of options) {
      const name = nameIn(variable, option);
      if (name === null) continue;
      return [{ path: option.key.replace('<name>', name).split('.'), value: valueOf(text, option.shape), variable }];
    }
    return [];
  });
}

/** The worker or profile that a variable such as `DROVER_WORKERS_API_2_MODEL` names, here `api-2`. */
function nameIn(variable: string, option: OptionDescription): string | null {
  const [before = '', after = ''] = (option.env[0] ?? '').split(NAME);
  if (!variable.startsWith(before) || !variable.endsWith(after)) return null;
  if (variable.length <= before.length + after.length) return null;
  return variable.slice(before.length, -after.length).toLowerCase().replaceAll('_', '-');
}

/** A text that does not fit is kept as it is: the schema then says what it expected, and the message quotes it. */
function valueOf(text: string, shape: OptionShape): unknown {
  switch (shape) {
    case 'string':
      return text;
    case 'integer':
      return /^-?\d+$/u.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      return { true: true, '1': true, false: false, '0': false }[text.trim().toLowerCase()] ?? text;
    case 'strings':
      return text.trimStart().startsWith('[') ? tomlValue(text) : words(text);
    case 'toml':
      return tomlValue(text);
    default:
      return shape satisfies never;
  }
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function tomlValue(text: string): unknown {
  try {
    return parse(`value = ${text}`)['value'];
  } catch {
    return text;
  }
}

function isKnown(variable: string): boolean {
  return plainOptions().some((option) => option.env.includes(variable));
}

function unknownVariable(variable: string): string {
  const near = nearest(
    variable,
    plainOptions().flatMap((option) => option.env),
  );
  const hint = near === null ? 'see docs/configuration.md for the names that do' : `did you mean ${near}?`;
  return `the environment variable ${variable} is not an option; ${hint}`;
}
