/** Tests that agents commit as the person whose source it is. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bringBase, carryIdentity, depotOf, findIdentity } from '../src/index.ts';
import { KEEPER } from '../src/names.ts';
import { placeAtHome } from './depot/home-port.ts';
import { makeYard, type Yard } from './support.ts';

describe('the identity of the source', () => {
  test('given a source with a name and an address of its own, when an agent commits, then it commits as the source does', async () => {
    await using yard = await makeYard();
    await machineSays(yard, '[user]\nname = Machine\nemail = machine@example.org\n');
    await sourceSays(yard, { 'user.name': 'Grace', 'user.email': 'grace@example.org' });

    await carried(yard);

    expect(await committedIn(yard)).toBe('Grace <grace@example.org>');
  });

  test('given a directory with an identity by includeIf, when the source lies in it and the clone does not, then the agent commits as the source does', async () => {
    await using yard = await makeYard();
    await writeFile(join(yard.dir, 'work.inc'), '[user]\nemail = grace@work.example\n');
    await machineSays(
      yard,
      `[user]\nname = Grace\nemail = grace@home.example\n[includeIf "gitdir:${yard.source}/"]\npath = ${join(yard.dir, 'work.inc')}\n`,
    );

    await carried(yard);

    expect(await committedIn(yard)).toBe('Grace <grace@work.example>');
  });

  test('given an identity that was carried, when the source changes it or takes it away, then the next worker commits as the source does then', async () => {
    await using yard = await makeYard();
    await machineSays(yard, '[user]\nname = Machine\nemail = machine@example.org\n');
    await sourceSays(yard, {
      'user.name': 'Grace',
      'user.email': 'grace@example.org',
      'author.email': 'author@example.org',
    });
    await carried(yard);
    expect(await committedIn(yard)).toBe('Grace <author@example.org>');

    await sourceSays(yard, { 'user.name': 'Hedy', 'user.email': undefined, 'author.email': undefined });
    await carried(yard);

    expect(await committedIn(yard)).toBe('Hedy <machine@example.org>');
  });

  test('given an agent that gives the clone another identity, when the next task begins, then the source counts again', async () => {
    await using yard = await makeYard();
    await sourceSays(yard, { 'user.name': 'Grace', 'user.email': 'grace@example.org' });
    await carried(yard);
    await plain(yard, yard.worktree, 'config', '--add', 'user.email', 'a@example.org');
    await plain(yard, yard.worktree, 'config', '--add', 'user.email', 'b@example.org');

    await carried(yard);

    expect(await committedIn(yard)).toBe('Grace <grace@example.org>');
  });

  test('given no identity anywhere, when a clone is made, then agents commit as Drover, and the machine counts once it has one', async () => {
    await using yard = await makeYard();
    const clone = { at: yard.worktree, source: yard.source };
    expect(await committedIn(yard)).toBe(`${KEEPER.name} <${KEEPER.email}>`);
    expect(await findIdentity(yard.git, clone)).toEqual({});
    await machineSays(yard, '[user]\nname = Machine\nemail = machine@example.org\n');

    await carried(yard);

    expect(await committedIn(yard)).toBe('Machine <machine@example.org>');
    expect(await findIdentity(yard.git, clone)).toEqual({ name: 'Machine', email: 'machine@example.org' });
  });

  test.each([
    [
      'a line break and a header',
      'Grace\ncommitter Eve <eve@example.org> 0 +0000',
      'Gracecommitter Eve eve@example.org 0 +0000',
    ],
    ['an option', '--unset-all', '--unset-all'],
    ['quotes and a comment', 'Gr"a;c#e', 'Gr"a;c#e'],
    ['nothing that git takes', ' <.,> ', KEEPER.name],
    ['no end', 'x'.repeat(100_000), KEEPER.name],
  ])(
    'given a source whose name holds %s, when an agent commits, then the commit has one author, which is git’s reading of it',
    async (_what, name, author) => {
      await using yard = await makeYard();
      await sourceSays(yard, { 'user.name': name, 'user.email': 'grace@example.org' });

      await carried(yard);

      expect(await committedIn(yard)).toBe(`${author} <grace@example.org>`);
    },
  );

  test('given a source that signs its commits, when its identity is carried, then its key and its wish to sign stay where they are', async () => {
    await using yard = await makeYard();
    await sourceSays(yard, { 'user.name': 'Grace', 'user.signingkey': 'ABCD', 'commit.gpgsign': 'true' });

    await carried(yard);

    const all = await plain(yard, yard.worktree, 'config', '--local', '--list');
    expect(all).toContain('user.name=Grace');
    expect(all).not.toMatch(/signingkey|gpgsign/u);
  });

  test('given six workers that begin at once, when each carries a new identity, then none fails and it is there', async () => {
    await using yard = await makeYard();
    await sourceSays(yard, {
      'user.name': 'Grace',
      'user.email': 'grace@example.org',
      'author.name': 'G',
      'committer.name': 'H',
    });

    await Promise.all(Array.from({ length: 6 }, () => carried(yard)));

    expect(await committedIn(yard)).toBe('G <grace@example.org>');
    expect((await plain(yard, yard.worktree, 'config', '--local', '--get-all', 'author.name')).split('\n')).toEqual([
      'G',
    ]);
  });

  test('given a source on another machine, when main is brought for a clone here, then agents commit as that source does, and a change comes along', async () => {
    await using yard = await makeYard();
    await machineSays(yard, '[user]\nname = Machine\nemail = machine@example.org\n');
    const place = placeAtHome(yard, () => yard.git);
    const committed = async (): Promise<string> => {
      await bringBase(yard.git, place);
      await carryIdentity(yard.git, { at: yard.worktree, source: depotOf(place) });
      return committedIn(yard);
    };
    await sourceSays(yard, { 'user.name': 'Grace', 'user.email': 'grace@example.org' });

    expect(await committed()).toBe('Grace <grace@example.org>');
    await sourceSays(yard, { 'user.name': 'Hedy\n[core]\neditor = rm' });
    expect(await committed()).toBe('Hedy[core]editor = rm <grace@example.org>');
  });
});

function carried({ git, worktree, source }: Yard): Promise<void> {
  return carryIdentity(git, { at: worktree, source });
}

async function machineSays({ dir }: Yard, config: string): Promise<void> {
  await writeFile(join(dir, 'home', '.gitconfig'), config);
}

async function sourceSays(yard: Yard, settings: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const [key, value] of Object.entries(settings))
    await plain(yard, yard.source, 'config', ...(value === undefined ? ['--unset', key] : [key, value]));
}

/** Commits as an agent does. @returns the author. */
async function committedIn(yard: Yard): Promise<string> {
  await plain(yard, yard.worktree, 'commit', '-q', '--allow-empty', '-m', 'work');
  return plain(yard, yard.worktree, 'log', '-1', '--format=%an <%ae>');
}

/** Git without the name that the yard gives itself. */
async function plain({ git }: Yard, at: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await git.run('git', ['-C', at, ...args], { timeoutMs: 20_000 });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}
