/** Validates values of the policy by key: a name's suffix gives its unit, and its default gives its kind. */
import type { Policy } from './policy.ts';

/** A problem: its path, as the names from the outermost table on, and the expected value. */
export interface PolicyProblem {
  readonly path: readonly string[];
  /** A whole sentence that names the key, such as `crash.countMax: expected …, got …`. */
  readonly message: string;
}

/** Bounds of a number. */
interface Bounds {
  /** Words that follow on "expected". */
  readonly words: string;
  readonly holds: (value: number) => boolean;
}

const AT_LEAST_ZERO: Bounds = { words: 'a number that is not negative', holds: (value) => value >= 0 };
const WHOLE: Bounds = {
  words: 'a whole number that is not negative',
  holds: (value) => Number.isSafeInteger(value) && value >= 0,
};
const AT_LEAST_ONE: Bounds = {
  words: 'a whole number of at least 1',
  holds: (value) => Number.isSafeInteger(value) && value >= 1,
};
const MILLISECONDS: Bounds = {
  words: 'a whole number of milliseconds that is not negative',
  holds: (value) => Number.isSafeInteger(value) && value >= 0,
};
const SHARE: Bounds = { words: 'a share from 0 to 1', holds: (value) => value >= 0 && value <= 1 };
const FACTOR: Bounds = { words: 'a factor of at least 1', holds: (value) => value >= 1 };

/** Words that a key takes, if it takes only some. Source: the types of `Policy`. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  method: ['profile', 'typed', 'buffer'],
  permission: ['ask', 'allow', 'deny'],
  question: ['ask', 'allow', 'deny'],
  other: ['ask', 'allow', 'deny'],
  wish: ['ask', 'allow', 'deny'],
  whenSpent: ['queue', 'escalate', 'block', 'log'],
  priority: ['S0', 'S1', 'S2', 'S3'],
};

/** Sample items for lists that are empty by default. */
const ITEMS: Readonly<Record<string, unknown>> = {
  rules: { tool: '*', command: '*', wish: 'ask' },
  substitutes: { profile: 'claude', by: ['codex'] },
  timeoutFactors: 1,
};

/** Returns the problems of a value for a key that holds `known`; none if the value is valid. */
export function valueProblem(path: readonly string[], value: unknown, known: unknown): readonly PolicyProblem[] {
  const key = path.at(-1) ?? '';
  if (Array.isArray(known)) return listProblems(path, value, known);
  if (typeof known === 'object' && known !== null) {
    const [entries, names] = [entriesOf(value), Object.keys(known)];
    if (entries === null) return [problem(path, `a table (${names.join(', ')})`, value)];
    return tableProblems(path, entries, Object.fromEntries(Object.entries(known)));
  }
  if (typeof known === 'number') {
    const bounds = boundsOf(key);
    if (typeof value === 'number' && Number.isFinite(value) && bounds.holds(value)) return [];
    return [problem(path, `${bounds.words}, such as ${known}`, value)];
  }
  const choices = typeof known === 'string' ? CHOICES[key] : undefined;
  if (choices !== undefined && !choices.some((choice) => choice === value))
    return [problem(path, choices.map((choice) => JSON.stringify(choice)).join(' or '), value)];
  if (key.endsWith('Text') && (typeof value !== 'string' || value.trim() === ''))
    return [problem(path, 'a text for the agent', value)];
  if (typeof value === typeof known) return [];
  return [problem(path, typeof known === 'boolean' ? 'true or false' : `a ${typeof known}`, value)];
}

function boundsOf(key: string): Bounds {
  if (key.endsWith('Ms')) return MILLISECONDS;
  if (key === 'keptMax') return AT_LEAST_ONE;
  if (key.endsWith('Max') || key === 'pauseAccountFrom' || key === 'sameToEscalate') return WHOLE;
  if (key === 'jitter' || key === 'spread' || key === 'nearShare') return SHARE;
  return key === 'factor' ? FACTOR : AT_LEAST_ZERO;
}

/** Checks a list: every item is like the first of the list that it replaces, with nothing left out. */
function listProblems(path: readonly string[], value: unknown, known: readonly unknown[]): readonly PolicyProblem[] {
  if (!Array.isArray(value)) return [problem(path, 'a list', value)];
  const example: unknown = known[0] ?? ITEMS[path.at(-1) ?? ''];
  if (example === undefined) return [];
  return value.flatMap((item, index) => {
    const here = [...path, String(index)];
    const found = valueProblem(here, item, example);
    const names = entriesOf(example)?.map(([name]) => name) ?? [];
    const given = new Set(entriesOf(item)?.map(([name]) => name) ?? names);
    const missing = names.filter((name) => !given.has(name));
    return [...found, ...missing.map((name) => problem([...here, name], 'a value, as every item has one', undefined))];
  });
}

function tableProblems(
  path: readonly string[],
  entries: readonly (readonly [string, unknown])[],
  known: Readonly<Record<string, unknown>>,
): readonly PolicyProblem[] {
  return entries.flatMap(([name, inner]) => {
    const here = [...path, name];
    if (Object.hasOwn(known, name)) return valueProblem(here, inner, known[name]);
    const message = `${here.join('.')} is not a key of the policy; the keys are: ${Object.keys(known).join(', ')}`;
    return [{ path: here, message }];
  });
}

function entriesOf(value: unknown): readonly [string, unknown][] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.entries(value);
}

function problem(path: readonly string[], expected: string, value: unknown): PolicyProblem {
  const got = value === undefined ? 'nothing' : JSON.stringify(value);
  return { path, message: `${path.join('.')}: expected ${expected}; got ${got}` };
}

/** Finds values that are good each for itself and make no sense together. */
export function policyContradictions({ nudge, limit, agentError }: Policy): readonly PolicyProblem[] {
  return [
    ...orderingProblems('nudge', nudge, ['firstMs', 'secondMs']),
    ...orderingProblems('nudge', nudge, ['secondMs', 'askMs']),
    ...orderingProblems('limit', limit, ['waitMs', 'waitMaxMs']),
    ...orderingProblems('agentError.backoff', agentError.backoff, ['firstDelayMs', 'capMs']),
  ];
}

function orderingProblems<K extends string>(
  table: string,
  values: Readonly<Record<K, number>>,
  [less, more]: readonly [K, K],
): readonly PolicyProblem[] {
  if (values[more] >= values[less]) return [];
  const message = `${table}.${more}: expected at least ${table}.${less}, which is ${values[less]}; got ${values[more]}`;
  return [{ path: [...table.split('.'), more], message }];
}
