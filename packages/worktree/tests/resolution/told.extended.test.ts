/** Tests that an agent which ended a conflict wrongly gets on from there by doing what it reads. */
import { expect, test } from 'vitest';
import { resolutionWords } from '../../src/index.ts';
import { BRANCH, WORKER } from '../support.ts';
import { BOTH, type Standing, collide, lines } from './yard.ts';

async function wordsOf(
  standing: Standing,
): Promise<{ kind: string; why: string; prompt: string; notes: readonly string[] }> {
  const { yard, at, onto, orig } = standing;
  const request = { worktree: at, worker: WORKER, onto, orig, branch: BRANCH };
  const resolution = await standing.judge();
  return { kind: resolution.kind, ...(await resolutionWords(yard.git, request, resolution)) };
}

/** The commands in quotes that a prompt names, without those that need a file to be named. */
function commandsIn(prompt: string): string[][] {
  return [...prompt.matchAll(/"(?:GIT_EDITOR=true )?git ([^"]+)"/gu)]
    .map(([, command = '']) => command.split(' '))
    .filter((words) => !words.includes('FILE') && !words.includes('--abort'));
}

test('given a rebase that is not over, when its agent is helped, then the help holds what "git status" says', async () => {
  await using standing = await collide();

  const { why, prompt } = await wordsOf(standing);

  expect(why).toBe('stopped with 1 file(s) not merged');
  expect(prompt).toContain('both modified:   both.txt');
  expect(prompt).toContain('(use "git add <file>..." to mark resolution)');
  expect(prompt).toContain('git rebase --continue');
});

test('given a rebase with all files staged, when its agent is helped, then it is told that only the end is lacking', async () => {
  await using standing = await collide();
  await standing.yard.write(standing.at, { 'both.txt': BOTH });
  await standing.git('add', '-A');

  const { why, prompt } = await wordsOf(standing);

  expect(why).toBe('stopped with the rebase not continued');
  expect(prompt).toContain('all conflicts fixed: run "git rebase --continue"');
});

test('given a skipped commit, when its agent does what it is told, then the conflicts are there again', async () => {
  await using standing = await collide();
  await standing.git('rebase', '--skip');
  const { kind, why, prompt } = await wordsOf(standing);
  expect(kind).toBe('emptied');
  expect(why).toBe('left nothing of the work');
  const [reset = [], rebase = []] = commandsIn(prompt);

  await standing.git(...reset);
  await standing.git(...rebase).catch(() => undefined);

  expect(await standing.judge()).toMatchObject({ kind: 'in-progress', files: ['both.txt'] });
  await standing.goOn({ 'both.txt': BOTH });
  expect(await standing.judge()).toMatchObject({ kind: 'resolved' });
});

test('given a resolution on another branch, when its agent does what it is told, then it counts', async () => {
  await using standing = await collide();
  await standing.git('rebase', '--abort');
  await standing.git('checkout', '-q', '-b', 'mine', standing.onto);
  const resolution = await standing.yard.commit(standing.at, {
    'both.txt': BOTH,
    'own.txt': lines({ 9: 'nine of mine' }),
    'new-own.txt': 'mine\n',
  });
  const { kind, why, prompt } = await wordsOf(standing);
  expect(kind).toBe('elsewhere');
  expect(why).toBe('ended the rebase with "mine" checked out');
  const [checkout = [], reset = []] = commandsIn(prompt);

  await standing.git(...checkout);
  await standing.git(...reset, resolution);

  expect(await standing.judge()).toMatchObject({ kind: 'resolved' });
});

test('given committed markers, when its agent does what it is told, then they are gone', async () => {
  await using standing = await collide();
  await standing.goOn();
  const { why, prompt } = await wordsOf(standing);
  expect(why).toBe('committed conflict markers in "both.txt"');
  expect(prompt).toContain('- "both.txt", line 2: <<<<<<< ');
  await standing.yard.write(standing.at, { 'both.txt': BOTH });

  await standing.git('add', 'both.txt');
  await standing.git(...(commandsIn(prompt).find(([name]) => name === 'commit') ?? []));

  expect(await standing.judge()).toMatchObject({ kind: 'resolved' });
});

test.each([
  [
    'lost-own',
    { 'both.txt': BOTH, 'own.txt': lines() },
    /lost changes of the work itself in "own.txt"/u,
    /-line 9|\+nine of mine/u,
  ],
  [
    'undone-others',
    { 'both.txt': BOTH, 'main.txt': lines() },
    /undid changes of the default branch in "main.txt"/u,
    /\+five of main/u,
  ],
] as const)(
  'given a resolution that is %s, when its agent looks as it is told, then it sees what is missing, and a reviewer would be told',
  async (verdict, files, said, shown) => {
    await using standing = await collide();
    await standing.goOn(files);

    const { kind, why, prompt, notes } = await wordsOf(standing);

    expect(kind).toBe(verdict);
    expect(why).toMatch(said);
    expect(notes).toHaveLength(1);
    const [command = ''] = /git diff [^"]+/u.exec(prompt) ?? [];
    expect(
      await standing.git(...command.split(' ').slice(1, -1), verdict === 'lost-own' ? 'own.txt' : 'main.txt'),
    ).toMatch(shown);
  },
);
