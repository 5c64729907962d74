/** Pushes accepted work as a branch, and runs the project's program that asks people to merge it. */
import type { Command, CommandResult } from '@drover/core';
import { commitMessage, depotOf, noteAsked, offer, validate } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { depotPlaceOf } from '../depot-of.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf } from '../worktree-of.ts';

/** Milliseconds for the project's program: it talks to one service. */
const ASK_MS = 120_000;
/** Characters of the program's output that people see, and of a message that it gets. */
const SAID_CHARS_MAX = 500;
const TITLE_CHARS_MAX = 200;
const BODY_CHARS_MAX = 20_000;

/** Checked candidate, its inputs, and the owner and the task after which its branch is named. */
type Offering = Omit<Parameters<typeof offer>[2], 'content'>;

type Offered = Extract<CommandResult, { readonly kind: 'offered' | 'published' | 'blocked' | 'rejected' }>;

/** Pushes the branch of the worker's task. */
export async function offerWork(
  context: CommandContext,
  { base, commit, work }: Command<'publish'>,
): Promise<CommandResult> {
  if (work === undefined)
    throw new CommandError(
      'not-named',
      'The coordinator did not name the worker of this work, which is a bug of Drover there',
    );
  const { worker } = openPlaceOf(context);
  return offerCommit(context, { worker, task: work.task ?? commit, head: work.head, base, commit });
}

/** Pushes a branch for the commit. The program runs until it has succeeded once for that branch. Safe to repeat. */
export async function offerCommit(context: CommandContext, offering: Offering): Promise<Offered> {
  const { git, archive } = openPlaceOf(context);
  const { worker, task, commit } = offering;
  const content = { archive, sha256Of: context.host.sha256 };
  const outcome = await offer(git, depotPlaceOf(context), { ...offering, content });
  switch (outcome.kind) {
    case 'offered': {
      const { branch, isAsked } = outcome;
      const why = isAsked ? '' : await ask(context, { worker, branch, commit, task });
      return { kind: 'offered', commit, branch, why };
    }
    case 'merged':
      return { kind: 'published', commit };
    case 'lacking':
      return { kind: 'blocked', why: outcome.why };
    case 'refused':
      return { kind: 'rejected', words: outcome.words };
    default:
      return outcome satisfies never;
  }
}

interface Asked {
  readonly worker: string;
  readonly branch: string;
  readonly commit: string;
  readonly task: string;
}

/** @returns a message for people; empty: the project has no such program. */
async function ask(context: CommandContext, { worker, branch, commit, task }: Asked): Promise<string> {
  const { openRequest } = context.settings.project;
  if (openRequest.length === 0) return '';
  const { git, defaultBranch, source } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  const { title, body } = await commitMessage(git, place, commit);
  const values = {
    branch,
    base: defaultBranch,
    commit,
    title: clean(title).slice(0, TITLE_CHARS_MAX),
    body: clean(body).slice(0, BODY_CHARS_MAX),
  };
  const words = openRequest.map((word) => fill(word, values));
  const ran = await validate(git, {
    // The depot, not the clone: the agent writes its clone, and files there could name programs.
    worktree: depotOf(place),
    commands: [['env', ...surroundings(values, source), ...words]],
    timeoutMs: ASK_MS,
  });
  const said = context.redactor.cutText(ran.results.at(-1)?.output ?? '', { start: false, end: false });
  if (ran.kind !== 'passed')
    return `no request was opened, because "${openRequest[0] ?? ''}" failed: ${said.trim().slice(-SAID_CHARS_MAX)}`;
  await noteAsked(git, place, { worker, task, commit });
  const last = said.trim().split('\n').at(-1) ?? '';
  return last.slice(0, SAID_CHARS_MAX);
}

type Values = Readonly<Record<'branch' | 'base' | 'commit' | 'title' | 'body', string>>;

/** Fills in values in one pass: braces in a message stay as they are. */
function fill(word: string, values: Values): string {
  return word.replaceAll(/\{(branch|base|commit|title|body)\}/gu, (_, name: keyof Values) => values[name]);
}

/** Sets the environment in which the program finds the repository as `origin`, as in any clone. */
function surroundings(values: Values, source: string): string[] {
  return [
    ...Object.entries(values).map(([name, value]) => `DROVER_${name.toUpperCase()}=${value}`),
    'GIT_CONFIG_COUNT=1',
    'GIT_CONFIG_KEY_0=remote.origin.url',
    `GIT_CONFIG_VALUE_0=${source}`,
  ];
}

/** Removes control characters other than line ends: a request must not hold them, nor an argument a zero byte. */
function clean(text: string): string {
  // oxlint-disable-next-line eslint/no-control-regex
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/gu, ' ').trim();
}
