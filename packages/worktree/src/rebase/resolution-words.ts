/** Writes what people and the agent read about the end of a conflict. The agent reads what is wrong and how to get on from there. */
import { DEADLINES_MS, type Git, git } from '../git/git.ts';
import { quote } from '../names.ts';
import type { Resolution, ResolutionRequest } from './resolution.ts';

/** The verdict in words. */
export interface ResolutionWords {
  /** Act of its agent, for people: completes "its agent …". */
  readonly why: string;
  /** Text for the agent; empty where it is not asked. */
  readonly prompt: string;
  /** Notes for the reviewer, a sentence each. */
  readonly notes: readonly string[];
}

/** Paths and markers named in one text. */
const NAMED_MAX = 20;
/** Characters of `git status` in a prompt: some sixty lines. */
const STATUS_CHARS_MAX = 4_000;

/** Puts a verdict into words; reads `git status` where the agent needs it. @throws {GitError} */
export async function resolutionWords(
  context: Git,
  request: ResolutionRequest & { readonly branch: string },
  resolution: Resolution,
): Promise<ResolutionWords> {
  const { orig, onto, branch } = request;
  const again = startAgain(request);
  const notes = 'chosen' in resolution ? chosenNotes(resolution.chosen) : [];
  switch (resolution.kind) {
    case 'in-progress': {
      const count = resolution.files.length;
      const left = count === 0 ? 'the rebase not continued' : `${count} file(s) not merged`;
      return { why: `stopped with ${left}`, prompt: helpText(count, await statusOf(context, request.worktree)), notes };
    }
    case 'elsewhere': {
      const there = resolution.branch === branch ? 'on another base' : `with ${checkedOut(resolution.branch)}`;
      const what = `The conflicts are not resolved where they were: the worktree must have "${branch}" checked out, on top of`;
      const found =
        resolution.branch === branch ? 'It is not on top of it.' : `It has ${checkedOut(resolution.branch)} instead.`;
      const way = `If your resolution is a commit somewhere, put it there: "git checkout ${branch}", then "git reset --hard" to it.`;
      return { why: `ended the rebase ${there}`, prompt: [`${what} ${onto}. ${found}`, way, again].join('\n'), notes };
    }
    case 'aborted':
      return { why: 'aborted the rebase; the work is unchanged', prompt: '', notes };
    case 'contained':
      return { why: 'has nothing left to merge: the default branch has all of its work', prompt: '', notes };
    case 'emptied': {
      const lost = `Nothing is left of your work: "${branch}" has the same files as the default branch. You had changed:`;
      return {
        why: 'left nothing of the work',
        prompt: [lost, list(resolution.files), again, unless('the default branch has all of it in another way')].join(
          '\n',
        ),
        notes,
      };
    }
    case 'markers': {
      const places = resolution.markers.map(({ path, line, text }) => `${quote(path)}, line ${line}: ${text.trim()}`);
      const way =
        'In each place keep what is right of both sides and take the markers out. Then "git add" the files and "git commit --amend --no-edit".';
      return {
        why: `committed conflict markers in ${named([...new Set(resolution.markers.map(({ path }) => path))])}`,
        prompt: ['Conflict markers are committed:', lines(places), way].join('\n'),
        notes,
      };
    }
    case 'lost-own':
      return {
        why: `lost changes of the work itself in ${named(resolution.files)}`,
        prompt: [
          'Changes of your own work are not there any more, in:',
          list(resolution.files),
          `See what they were with "git diff ${onto} ${orig} -- FILE", bring back what belongs to the task beside what the default branch changed, and commit that.`,
          unless('they are not needed any more'),
        ].join('\n'),
        notes: [`Changes of the work itself are not there any more, in ${named(resolution.files)}.`, ...notes],
      };
    case 'undone-others':
      return {
        why: `undid changes of the default branch in ${named(resolution.files)}`,
        prompt: [
          'Changes that others made on the default branch are not there any more, in:',
          list(resolution.files),
          `See what they were with "git diff ${orig}...${onto} -- FILE", bring them back beside your own, and commit that.`,
          unless('your task is to undo them'),
        ].join('\n'),
        notes: [`Changes of the default branch are undone, in ${named(resolution.files)}.`, ...notes],
      };
    case 'resolved':
      return { why: 'has resolved the conflicts', prompt: '', notes };
    default:
      return resolution satisfies never;
  }
}

function startAgain({ orig, onto }: ResolutionRequest): string {
  return `Otherwise begin again: "git reset --hard ${orig}" is your work as it was, "git rebase ${onto}" brings the conflicts back. Resolve them and run "GIT_EDITOR=true git rebase --continue".`;
}

function unless(reason: string): string {
  return `If ${reason}, change nothing and say so: a person decides.`;
}

/** Text for an agent that stopped before the end. Source: docs/recovery.md, merge. */
function helpText(unmerged: number, status: string): string {
  const what =
    unmerged === 0
      ? 'The rebase is not finished: nothing is left to merge, but it was not continued.'
      : `The rebase is not finished: ${files(unmerged)} not merged yet.`;
  return [
    what,
    'Git says:',
    '',
    status,
    '',
    'The usual causes: a file still has conflict markers (<<<<<<<, =======, >>>>>>>); a resolved file was not added with',
    '"git add"; "git rebase --continue" was not run after it; a generated file was merged by hand (resolve its sources, then generate it). In a rebase "ours" is the default branch and "theirs" is your work.',
    'Resolve what is left, run "GIT_EDITOR=true git rebase --continue" until no rebase is in progress, and then the checks.',
    'If you cannot resolve it, run "git rebase --abort" and say why.',
  ].join('\n');
}

async function statusOf(context: Git, at: string): Promise<string> {
  const args = ['-c', 'status.short=false', '-c', 'status.branch=false', 'status', '--long', '--untracked-files=no'];
  const { stdout } = await git(context, args, {
    at,
    action: 'read the status',
    timeoutMs: DEADLINES_MS.read,
    reads: true,
    maxOutputBytes: STATUS_CHARS_MAX,
    mayCut: true,
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function chosenNotes(chosen: readonly string[]): readonly string[] {
  if (chosen.length === 0) return [];
  return [`One side had to go (deleted by one and changed by the other, or no text), in ${named(chosen)}.`];
}

function checkedOut(branch: string | null): string {
  return branch === null ? 'a commit without a branch checked out' : `${quote(branch)} checked out`;
}

function files(count: number): string {
  return count === 1 ? '1 file is' : `${count} files are`;
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map(quote).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}

function list(paths: readonly string[]): string {
  return lines(paths.map(quote));
}

function lines(texts: readonly string[]): string {
  const shown = texts.slice(0, NAMED_MAX).map((text) => `- ${text}`);
  return [...shown, ...(texts.length > NAMED_MAX ? [`- and ${texts.length - NAMED_MAX} more`] : [])].join('\n');
}
