/** Results of a run's tasks: the file that an agent leaves, what its machine reads there, and what crosses the wire. */
import { PROBLEMS_MAX, RESULT_LIMITS as MAX, resultProblems } from '@drover/core/results';
import type { Finding, FindingAnswer, Part, ResultSeen, RunItem, TaskResult, Usage } from '@drover/core/results';
import { z } from 'zod';

export { refusalText, RESULT_LIMITS } from '@drover/core/results';

const words = z.string().max(MAX.textChars);
const checks = z.array(words).max(MAX.checks).readonly();

const part = z.strictObject({
  title: z.string().min(1).max(MAX.titleChars),
  prompt: z.string().min(1).max(MAX.reportChars),
  paths: z.array(z.string().min(1).max(MAX.pathChars)).max(MAX.paths).readonly(),
  check: checks.optional(),
}) satisfies z.ZodType<Part>;

const finding = z.strictObject({
  id: z.string().min(1).max(40),
  severity: z.enum(['blocker', 'major', 'minor', 'note']),
  file: z.string().max(MAX.pathChars).nullable().default(null),
  line: z.number().int().positive().nullable().default(null),
  text: words.min(1),
}) satisfies z.ZodType<Finding>;

const findingAnswer = z.strictObject({
  finding: z.string().min(1).max(40),
  did: z.enum(['fixed', 'declined']),
  why: words.default(''),
}) satisfies z.ZodType<FindingAnswer>;

const fields = {
  verdict: z.enum(['done', 'blocked', 'approve', 'revise']),
  summary: z.string().max(MAX.summaryChars),
  parts: z.array(part).max(MAX.parts).readonly().default([]),
  report: z.string().max(MAX.reportChars).default(''),
  findings: z.array(finding).max(MAX.findings).readonly().default([]),
  answers: z.array(findingAnswer).max(MAX.findings).readonly().default([]),
};

/** A result as it crosses the wire. */
export const taskResult = z.strictObject(fields) satisfies z.ZodType<TaskResult>;

/** Returns the JSON Schema of what an agent says in a result. */
export function resultSchema(): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(z.strictObject(fields), { io: 'input' });
  return schema;
}

/** The file of a result. `task`: the item that `drover result` wrote it for. */
const resultFile = z.strictObject({
  v: z.literal(1),
  task: z.string().max(200).optional(),
  attempt: z.number().int().positive(),
  ...fields,
});

/** Item of a run, as commands name it. */
export const runItem = z.object({
  runId: z.string().min(1).max(64),
  item: z.string().min(1).max(100),
  attempt: z.number().int().positive(),
  returns: z.enum(['commit', 'parts', 'report', 'review']),
}) satisfies z.ZodType<RunItem>;

/** More tokens, or dollars, than any task uses: sums of many rows stay exact numbers. */
const USED_MAX = 1_000_000_000_000;
const count = z.number().int().nonnegative().max(USED_MAX);

/** Use of an attempt as its machine has read it. */
export const usage = z.object({
  input: count,
  cached: count,
  output: count,
  money: z.number().nonnegative().max(USED_MAX).nullable(),
}) satisfies z.ZodType<Usage>;

/** Result as a machine has read it. */
export const resultSeen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('invalid'), problem: z.string().max(10_000) }),
  z.object({
    kind: z.literal('given'),
    attempt: z.number().int().positive(),
    at: z.number().int().nonnegative(),
    result: taskResult,
  }),
]) satisfies z.ZodType<ResultSeen>;

/** Result in a report of a machine. An older machine can send one that is too long: the rest counts, and the agent is asked again. */
export const resultTold = resultSeen
  .optional()
  .catch({ kind: 'invalid', problem: 'it could not be read: write it again, shorter' });

/** Name of the file in a worker's directory of results that says what its agent owes. */
export const OWED_FILE = 'task.json';

/** Name of the file for the result of an attempt. */
export function resultFileName({ attempt }: Pick<RunItem, 'attempt'>): string {
  return `${attempt}.json`;
}

/** Names an item in a result's file. */
export function itemName({ runId, item }: Pick<RunItem, 'runId' | 'item'>): string {
  return `${runId}/${item}`;
}

/** Reads what an agent owes; null: nothing that can be read. */
export function readOwed(text: string): RunItem | null {
  const read = runItem.safeParse(parsed(text));
  return read.success ? read.data : null;
}

/** End of reading a result's file. */
export type ResultRead =
  | { readonly kind: 'valid'; readonly result: TaskResult }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Reads a result's file for an item: its form, and the rules for what the item owes. Each problem names its field. */
export function readResult(text: string, owed: RunItem): ResultRead {
  const value = parsed(text);
  if (value === undefined) return { kind: 'invalid', problems: ['the file is not JSON'] };
  return checkResult(value, owed);
}

/** Checks a value as {@link readResult} checks a file. */
export function checkResult(value: unknown, owed: RunItem): ResultRead {
  const read = resultFile.safeParse(value);
  if (!read.success) return { kind: 'invalid', problems: read.error.issues.slice(0, PROBLEMS_MAX).map(tellIssue) };
  const { v: _v, task, attempt, ...result } = read.data;
  const named = itemName(owed);
  if (task !== undefined && task !== named)
    return { kind: 'invalid', problems: [`task: expected "${named}", got that of another task`] };
  if (attempt !== owed.attempt)
    return { kind: 'invalid', problems: [`attempt: expected ${owed.attempt}, got ${attempt}`] };
  const problems = resultProblems(result, owed.returns);
  return problems.length === 0 ? { kind: 'valid', result } : { kind: 'invalid', problems };
}

/** Checks a result again after zero bytes and secrets in it were replaced: their marks can be longer. */
export function checkReplaced(result: unknown): ResultRead {
  const read = taskResult.safeParse(result);
  if (read.success) return { kind: 'valid', result: read.data };
  const problems = read.error.issues.slice(0, PROBLEMS_MAX).map(tellIssue);
  return { kind: 'invalid', problems: problems.map((one) => `${one}, after zero bytes and secrets were replaced`) };
}

/** Characters of unknown names that are told. Longer ones are counted, never cut: half a secret could not be redacted. */
const NAMES_CHARS_MAX = 300;

function tellIssue(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const isLong = issue.code === 'unrecognized_keys' && message.length > NAMES_CHARS_MAX;
  const told = isLong ? `Unrecognized keys: ${issue.keys.length}, with names too long to show` : message;
  const place = path.reduce<string>(
    (before, key) => `${before}${typeof key === 'number' ? `[${key}]` : `.${String(key)}`}`,
    '',
  );
  return `${place === '' ? 'the file' : place.replace(/^\./u, '')}: ${told}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
