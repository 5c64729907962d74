// Describes what is wrong with the configuration, in words that say what to do.
import type { z } from 'zod';
import { describeOptions, type OptionDescription } from '../schema/describe.ts';
import { nearest } from '@drover/core';

/** Origin of a value, the strongest first. A value from none of them is the default. */
export type Origin =
  | { readonly kind: 'option' }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'file'; readonly file: string; readonly line: number | undefined };

/** Problem that must be solved before Drover can use the configuration. */
export type ConfigProblem = {
  /** Dotted key, such as `defaults.model`; empty where the file as a whole cannot be read. */
  readonly key: string;
  /** Sentence that says what was expected and what was found. */
  readonly message: string;
  readonly origin: Origin;
};

/** A problem as one line: `/home/me/drover.toml:12: defaults.modle is not an option; did you mean "model"?` */
export function formatProblem({ message, origin }: ConfigProblem): string {
  switch (origin.kind) {
    case 'option':
      return `command line: ${message}`;
    case 'environment':
      return `environment variable ${origin.variable}: ${message}`;
    case 'file':
      return origin.line === undefined ? `${origin.file}: ${message}` : `${origin.file}:${origin.line}: ${message}`;
    default:
      return origin satisfies never;
  }
}

/** Turns what the schema found into problems; `originOf` says where the value at a path came from. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  originOf: (path: readonly string[]) => Origin,
): readonly ConfigProblem[] {
  return issues.flatMap(deepest).flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') {
      return [{ key: path.join('.'), message: wrongValue(path, issue), origin: originOf(path) }];
    }
    return issue.keys.map((key) => {
      const full = [...path, key];
      return { key: full.join('.'), message: unknownKey(path, key), origin: originOf(full) };
    });
  });
}

/** Finds what is wrong inside a table that may be one of several things, rather than that it is none of them. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside = issue.errors.find((branch) => branch.some((inner) => inner.path.length > 0));
  if (inside === undefined) return [issue];
  return inside.flatMap((inner) => deepest({ ...inner, path: [...issue.path, ...inner.path] }));
}

function wrongValue(path: readonly string[], issue: z.core.$ZodIssue): string {
  const key = path.join('.');
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => inner.message).join('; ');
  if (issue.code === 'custom') return `${key}: ${issue.message}`;
  const option = optionAt(path);
  const inside = option !== undefined && isNamedInside(option, path) ? ownWords(issue) : null;
  if (inside !== null && issue.input === undefined) return `${key} is missing: expected ${inside}`;
  if (inside !== null) return `${key}: expected ${inside}, got ${got(issue.input, option?.secret ?? false)}`;
  const expected = option === undefined ? 'a table' : option.type;
  const reason = issue.code === 'invalid_format' ? ` (${issue.message})` : '';
  return `${key}: expected ${expected}${reason}, got ${got(issue.input, option?.secret ?? false)}`;
}

/** Tells whether the path ends in a key inside of the option's value: there the type of the whole says nothing. */
function isNamedInside({ key }: OptionDescription, path: readonly string[]): boolean {
  return path.length > key.split('.').length && !/^\d+$/u.test(path.at(-1) ?? '');
}

/** Describes what the value itself was to be; null: the schema says nothing that helps. */
function ownWords(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case 'invalid_format':
      return issue.message.replace(/^expected /u, '');
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'invalid_type':
      return KINDS[issue.expected] ?? null;
    default:
      return null;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

function got(value: unknown, secret: boolean): string {
  if (secret) return 'something else (not shown: it may hold a password)';
  if (value instanceof Date) return `the date ${value.toISOString()}`;
  if (Array.isArray(value)) return `the list ${shortened(value)}`;
  if (typeof value === 'object' && value !== null) return 'a table';
  if (typeof value === 'string') return `the string ${shortened(value)}`;
  return `the ${typeof value} ${String(value)}`;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

function unknownKey(path: readonly string[], key: string): string {
  const full = [...path, key].join('.');
  const siblings = keysIn(path);
  const meant = path.length === 0 && Object.hasOwn(MEANT, key) ? MEANT[key] : undefined;
  const near = meant ?? nearest(key, siblings);
  if (near !== null) return `${full} is not an option; did you mean "${near}"?`;
  const elsewhere = describeOptions().find((option) => option.key.endsWith(`.${key}`));
  if (elsewhere !== undefined) return `${full} is not an option here; did you mean "${elsewhere.key}"?`;
  return `${full} is not an option; here may stand ${siblings.join(', ')}`;
}

/** Words that people try as tables, for the commands or the services are called so. */
const MEANT: Readonly<Record<string, string>> = {
  oncall: 'escalation',
  telegram: 'chat',
  slack: 'chat',
  discord: 'chat',
  ntfy: 'chat',
  smtp: 'email',
};

/** The keys that may stand in the table at `path`. */
function keysIn(path: readonly string[]): string[] {
  const option = optionAt(path);
  // An option that is a table says its keys in its type: `table with from, to, days, through`.
  const [, words] = / with ([\w, ]{1,400})$/u.exec(option?.type ?? '') ?? [];
  if (words !== undefined) return words.split(/, | and /u);
  const inside = describeOptions().filter((option) => startsWith(option, path));
  const keys = inside.map((option) => option.key.split('.')[path.length] ?? '');
  return [...new Set(keys)].filter((key) => key !== '');
}

/** The option at a path, or around it: an item of a list is told with the list's type. */
function optionAt(path: readonly string[]): OptionDescription | undefined {
  return describeOptions().find((option) => {
    const length = option.key.split('.').length;
    return path.length >= length && startsWith(option, path.slice(0, length));
  });
}

function startsWith(option: OptionDescription, path: readonly string[]): boolean {
  const parts = option.key.split('.');
  return path.every((part, index) => parts[index] === part || parts[index] === '<name>');
}
