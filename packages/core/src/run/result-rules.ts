/** Rules that a result must keep beyond its form: they depend on what the task owes. The form itself is checked where the file is read. */
import type { Part, Returns, TaskResult, Verdict } from './result.ts';

/** Verdicts that a task may end with. */
const VERDICTS_OF: Readonly<Record<Returns, readonly Verdict[]>> = {
  commit: ['done', 'blocked'],
  parts: ['done', 'blocked'],
  report: ['done', 'blocked'],
  review: ['approve', 'revise'],
};

/** Limits of a result; the schema of the file uses the same. */
export const RESULT_LIMITS = {
  summaryChars: 2_000,
  reportChars: 64_000,
  textChars: 4_000,
  titleChars: 200,
  pathChars: 400,
  parts: 20,
  paths: 100,
  checks: 20,
  findings: 100,
  /** Bytes of the whole file. */
  bytes: 512 * 1024,
} as const;

/** Problems that are told at once: their words go to a pane, and through one message of a machine. */
export const PROBLEMS_MAX = 10;

/** Says what is wrong with a result for a task that owes `returns`, a sentence each; empty: nothing. */
export function resultProblems(result: TaskResult, returns: Returns): readonly string[] {
  const { verdict, summary, parts, report, findings, answers } = result;
  const allowed = VERDICTS_OF[returns];
  const problems: string[] = [];
  if (!allowed.includes(verdict)) problems.push(`verdict: expected ${either(allowed)} for this task, got "${verdict}"`);
  if (summary.trim() === '') problems.push('summary: expected a few words about what was done');
  if (verdict === 'done' && returns === 'parts' && parts.length === 0)
    problems.push('parts: expected at least one part');
  if (verdict === 'done' && returns === 'report' && report.trim() === '') problems.push('report: expected the report');
  if (returns !== 'parts' && parts.length > 0) problems.push('parts: this task owes none');
  if (returns !== 'review' && findings.length > 0) problems.push('findings: only a review has findings');
  if (verdict === 'revise' && findings.length === 0)
    problems.push('findings: "revise" needs at least one finding that says what to change');
  const blocker = findings.find(({ severity }) => severity === 'blocker');
  if (verdict === 'approve' && blocker !== undefined)
    problems.push(`findings: "approve" contradicts the blocker "${blocker.id}"`);
  problems.push(...repeated(findings.map(({ id }) => id)).map((id) => `findings: the id "${id}" is there twice`));
  problems.push(...repeated(answers.map(({ finding }) => finding)).map((id) => `answers: two answers to "${id}"`));
  if (parts.length > 0) problems.push(...partsProblems(parts));
  return problems.slice(0, PROBLEMS_MAX);
}

/** Says what is wrong with a plan, also with one that a person has edited. */
export function partsProblems(parts: readonly Part[]): readonly string[] {
  if (parts.length === 0) return ['parts: expected at least one part'];
  if (parts.length > RESULT_LIMITS.parts)
    return [`parts: expected at most ${RESULT_LIMITS.parts} parts, got ${parts.length}`];
  return parts.flatMap((part, at) => [
    ...(part.title.trim() === '' ? [`parts[${at}].title: expected a title`] : []),
    ...(part.prompt.trim() === '' ? [`parts[${at}].prompt: expected what its agent shall do`] : []),
    ...pathProblems(part, at),
  ]);
}

/** Says what is wrong with the answers of an author: each names a finding of the last round. */
export function answerProblems({ answers }: TaskResult, findings: readonly string[]): readonly string[] {
  return answers
    .filter(({ finding }) => !findings.includes(finding))
    .map(({ finding }) => `answers: no finding of the last round is named "${finding}"`);
}

function pathProblems({ paths }: Part, at: number): readonly string[] {
  if (paths.length === 0) return [`parts[${at}].paths: expected the files that the part may change`];
  return paths
    .filter((path) => path.startsWith('/') || path.includes('\\') || path.split('/').includes('..'))
    .map((path) => `parts[${at}].paths: expected a path below the repository's root with "/", got "${path}"`);
}

function repeated(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}

function either(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ');
}
