/** Variables that each worker of a project has of its own, such as a port: `repo.worker.env`, whose values are templates. */
import { isWithheld } from './withheld.ts';

/** The facts that fill a template. */
export interface WorkerFacts {
  /** Small number that no other living worker of the project has, and that stays with the worker. */
  readonly index: number;
  readonly worker: string;
  readonly project: string;
}

/** A `{{…}}` placeholder. */
const PART = /\{\{([^{}]*)\}\}/gu;
/** Matches `index`, `3000 + index`, `3000 + index * 10`. */
const NUMBER = /^(?:(\d{1,9})\s*\+\s*)?index(?:\s*\*\s*(\d{1,9}))?$/u;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;
/** Matches a line break, or a character that no program can be given. */
const UNFIT = /[\0\r\n]/u;

/** Says why a program cannot get a variable of this name; null: it can. */
export function envNameProblem(name: string): string | null {
  if (!NAME.test(name))
    return 'expected a name of letters, digits and "_" that does not start with a digit, such as PORT';
  if (isWithheld(name)) return `the variable ${name} is reserved: choose another name, such as APP_${name}`;
  return null;
}

/** Says why a value is no template; null: it is one. */
export function envValueProblem(value: string): string | null {
  const form =
    'expected {{index}}, {{worker}}, {{project}}, or a number such as {{3000 + index}} or {{3000 + index * 10}}';
  if (UNFIT.test(value)) return 'expected one line';
  const wrong = [...value.matchAll(PART)].find(([, inner = '']) => filled(inner, EXAMPLE) === null);
  if (wrong !== undefined) return `${form}; got ${wrong[0]}`;
  const left = /\{\{|\}\}/u.exec(value.replaceAll(PART, ''));
  return left === null ? null : `${form}; got "${left[0]}" alone`;
}

const EXAMPLE: WorkerFacts = { index: 0, worker: '', project: '' };

/** Returns the variables of one worker. A value that is no template stays as it is. */
export function workerEnv(
  templates: Readonly<Record<string, string>>,
  facts: WorkerFacts,
): Readonly<Record<string, string>> {
  const fill = (value: string): string =>
    value.replaceAll(PART, (whole: string, inner: string) => filled(inner, facts) ?? whole);
  return Object.fromEntries(Object.entries(templates).map(([name, value]) => [name, fill(value)]));
}

function filled(inner: string, { index, worker, project }: WorkerFacts): string | null {
  const words = inner.trim();
  if (words === 'worker') return worker;
  if (words === 'project') return project;
  const [whole, first = '0', factor = '1'] = NUMBER.exec(words) ?? [];
  return whole === undefined ? null : String(Number(first) + index * Number(factor));
}

/** Returns the lowest free number: that of a new worker. */
export function lowestFree(taken: readonly number[]): number {
  const all = new Set(taken);
  let free = 0;
  while (all.has(free)) free += 1;
  return free;
}
