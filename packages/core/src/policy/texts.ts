/** Holds all texts that Drover itself gives to an agent. */
import { showHidden } from '../hidden-characters.ts';
import type { Returns } from '../run/result.ts';
import type { Astray } from '../machine/reading.ts';

/** Texts around a person's prompt. Empty parts are left out. */
export interface PromptParts {
  readonly worktree: string;
  /** The branch of the worktree: work is taken from there alone. */
  readonly branch: string;
  readonly preamble: string;
  readonly rolePrompt: string;
  readonly validate: readonly string[];
  readonly prompt: string;
  /** Content that the task of a run owes. Absent: a task of its own, which ends with a commit. */
  readonly returns?: Returns | undefined;
}

/** Builds the text of a task: the agent's place, the expectations, then the person's words. */
export function taskText({
  worktree,
  branch,
  preamble,
  rolePrompt,
  validate,
  prompt,
  returns = 'commit',
}: PromptParts): string {
  const finish = [
    'When you are finished:',
    ...validate.map((command) => `- run: ${command}`),
    '- make a single commit with a message that says what and why',
    '- do not push to any remote',
  ];
  const ends = returns === 'commit' ? finish.join('\n') : '';
  const where = [`You are working in: ${worktree}`, `Your branch: ${branch} (commit there, and make no other branch)`];
  return [where.join('\n'), preamble.trim(), rolePrompt.trim(), ends, prompt.trim()]
    .filter((part) => part !== '')
    .join('\n\n');
}

const WHAT_WAS_CUT: Readonly<Partial<Record<string, string>>> = {
  rejected: 'while you were improving rejected work',
  rebasing: 'while you were resolving conflicts',
};

/** Builds the task once more, after the agent's program was cut off in the middle of it. */
export function restoredText(task: string, status: string): string {
  const when = WHAT_WAS_CUT[status] ?? 'while you were working on this task';
  return [
    `Note: the session was cut off ${when}. Partial work may be visible in the git diff or in new commits.`,
    'Look at it first, then continue from where you left off. The task was:',
    '',
    task,
  ].join('\n');
}

/** Builds a task that a person changed after it had failed. */
export function changedTaskText(task: string, words: string): string {
  return `${task}\n\nA person looked at what went wrong, and says:\n${words}`;
}

/** First and second question to a silent agent, as `[policy.nudge]` has them by default. Source: docs/recovery.md, stuck. */
export const NUDGES = [
  'Status check: you have been at this task for a while without visible progress. Are you making progress, or are you blocked on something? Please give a brief update, then go on.',
  'This task will be handed to a person if nothing comes back within five minutes. If you are blocked, say what blocks you. If you are still at work, commit your progress so far and go on.',
] as const;

/** Asks an agent to continue whose turn ended with an error that may be over. */
export function continueText(error: string): string {
  return `The last turn ended with an error (${error.trim()}). It may be over now: please continue from where you left off.`;
}

/** Asks an agent to continue after a person has looked after it. */
export function resumeText(): string {
  return 'A person has looked at what went wrong before. Please look at the state of your work, then continue from where you left off.';
}

/** Builds the text about conflicts for an agent that begins with nothing but them: `prompt` is its machine's, `task` the purpose of the work. */
export function conflictText(prompt: string, task: string | null): string {
  return task === null
    ? prompt
    : `${prompt}\n\nThe work was done for this task, which is not to be done again: "${excerpt(task)}"`;
}

/** A comment on a line of a diff. */
export interface LineComment {
  readonly path: string;
  /** Number of the line in the file after the work, or before it, and the text of the line. */
  readonly line: number;
  readonly side: 'before' | 'after';
  /** First of several lines, of which `line` is the last. */
  readonly from?: number | undefined;
  readonly says: string;
  readonly text: string;
}

/** Builds the feedback on rejected work; `head` names the reviewed commit. */
export function rejectionText(feedback: string, head: string, comments: readonly LineComment[] = []): string {
  return [
    `Your work (commit ${head.slice(0, 12)}) was reviewed and sent back:`,
    ...(feedback.trim() === '' ? [] : ['', feedback.trim()]),
    ...(comments.length === 0 ? [] : ['', 'On lines of that commit, each named by file and line:']),
    ...comments.flatMap(commentLines),
    '',
    'Please make the changes and commit them. Do not push to any remote.',
  ].join('\n');
}

/** Characters of a line that are repeated: enough to find it by, should its number change. */
const LINE_SHOWN_MAX = 200;

function commentLines({ path, line, side, from, says, text }: LineComment): string[] {
  const shown = showHidden(says.trim()).slice(0, LINE_SHOWN_MAX);
  const place = `${showHidden(path)}:${from === undefined ? '' : `${from}-`}${line}${side === 'before' ? ' before your work (you removed it)' : ''}`;
  return [
    '',
    `${place}: ${shown}`.trimEnd(),
    ...text
      .trim()
      .split('\n')
      .map((part) => `    ${part}`.trimEnd()),
  ];
}

/** Reports a failed check of the project on work that is to wait for review, or to be merged. */
export function validationText(command: string, output: string): string {
  return [
    `The check "${command}" failed on your work:`,
    '',
    output.trim(),
    '',
    'Please fix this and commit the fix.',
  ].join('\n');
}

/** Tells an agent that its commits are not on its branch. `head` is the commit at which the agent stopped. */
export function astrayText({ branch, expected, holdsExpected }: Astray, head: string): string {
  const where = branch === null ? 'HEAD is detached' : `you are on branch "${showHidden(branch)}"`;
  const steps = holdsExpected ? [`git checkout -B ${expected}`] : [`git checkout ${expected}`, `git merge ${head}`];
  return [
    `Your work cannot be taken as it is: ${where}, and only commits on "${expected}" are taken. Bring it there:`,
    '',
    ...steps.map((command) => `  ${command}`),
    '',
    'Then finish what is left there, commit it, and make no other branch.',
  ].join('\n');
}

/** Tells an agent that it stopped before it had committed its files, where commits must be signed. */
export function unsignedText(files: number): string {
  return [
    `You stopped, and ${files === 1 ? '1 changed file is' : `${files} changed files are`} not committed.`,
    'Commits here are to be signed (commit.gpgSign), which fails where nobody can unlock the key. No signature is needed for this work: if you are done, commit without one:',
    '',
    '  git add -A',
    '  git commit --no-gpg-sign -m "…what and why…"',
  ].join('\n');
}

/** Characters of a text that are enough to recognize it. */
const EXCERPT_MAX = 200;

/** Returns the beginning of a text on one line, for a notice that names it. */
export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= EXCERPT_MAX ? line : `${line.slice(0, EXCERPT_MAX)}…`;
}

/** Tells a person about work that Drover put on a branch, for people to merge. */
export function offerText({ branch, why }: { readonly branch: string; readonly why: string }): string {
  const rest = why === '' ? '' : `; ${why}`;
  return `published as branch "${branch}": its task is accepted once the default branch contains it${rest}`;
}

/** Words the notice about work that stands on commits that somebody dropped from the default branch. */
export function rewrittenText({ dropped }: { readonly dropped: string }): string {
  return `the default branch was rewritten: ${dropped.slice(0, 12)} is no longer in it`;
}

/** Words about work that a train went without. */
export function sentBackText({
  command,
  before,
}: {
  readonly command: string;
  readonly before: readonly string[];
}): string {
  return `sent back to its agent: the check "${command}" fails with its work, and passes with that of ${before.join(', ')} before it`;
}

/** Tells an agent that a budget is spent, in the one turn that it has left. */
export const RETURN_TEXT =
  'The budget of this work is spent, so you were interrupted. Commit what is ready, and say in a few sentences what is done and what is missing. Begin nothing new.';
