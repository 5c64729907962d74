// Tests that work is published to a remote repository like to one on this machine, and that the remote's answers are
// heard.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DepotPlace, type Git, makeCandidate, publish } from '../../src/index.ts';
import { WORKER, makeYard } from '../support.ts';
import { workAt } from './support.ts';
import { describeTarget, type TargetYard } from './target-contract.ts';

async function makeTarget(): Promise<TargetYard & { readonly remote: string }> {
  const yard = await makeYard();
  const [remote, person] = [join(yard.dir, 'remote.git'), join(yard.dir, 'person')];
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, remote);
  await yard.sh(yard.dir, 'clone', '-q', `file://${remote}`, person);
  const place: DepotPlace = {
    directory: join(yard.dir, 'depot'),
    target: { kind: 'remote', url: `file://${remote}`, defaultBranch: 'main' },
  };
  return {
    yard,
    remote,
    place,
    main: () => yard.sh(remote, 'rev-parse', 'main'),
    async advance(files) {
      await yard.sh(person, 'pull', '-q', '--ff-only');
      const commit = await yard.commit(person, files, 'theirs');
      await yard.sh(person, 'push', '-q', 'origin', 'main');
      return commit;
    },
    dyingBeforeMove: (git) => dying(git, 'before'),
    dyingAfterMove: (git) => dying(git, 'after'),
    [Symbol.asyncDispose]: () => yard[Symbol.asyncDispose](),
  };
}

function dying(git: Git, when: 'before' | 'after'): Git {
  return {
    ...git,
    run: async (program, args, options) => {
      if (!args.includes('push')) return git.run(program, args, options);
      if (when === 'after') await git.run(program, args, options);
      throw new Error('killed');
    },
  };
}

describeTarget('remote', makeTarget);

async function candidateOf({ yard, place }: TargetYard): Promise<{ worker: string; base: string; commit: string }> {
  const made = await makeCandidate(yard.git, place, workAt(yard, await yard.commit(yard.worktree, { 'w.txt': 'w\n' })));
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return { worker: WORKER, base: made.base, commit: made.commit };
}

test('given a branch that the remote protects, when work is published, then it is refused in the words of the remote', async () => {
  await using target = await makeTarget();
  const hook = '#!/bin/sh\necho "main is protected: open a request" >&2\nexit 1\n';
  await writeFile(join(target.remote, 'hooks/pre-receive'), hook, { mode: 0o755 });
  const made = await candidateOf(target);

  const outcome = await publish(target.yard.git, target.place, made);

  expect(outcome).toMatchObject({
    kind: 'refused',
    words: expect.stringContaining('main is protected: open a request'),
  });
  expect(await target.main()).toBe(made.base);
});

test('given a main that moves, or goes back, between the look and the push, when work is published, then it is not moved by us', async () => {
  await using target = await makeTarget();
  const { yard, remote } = target;
  const made = await candidateOf(target);
  const root = await yard.sh(remote, 'commit-tree', `${made.base}^{tree}`, '-m', 'another beginning');
  const meanwhile = (act: () => Promise<unknown>): Git => ({
    ...yard.git,
    run: async (program, args, options) => {
      if (args.includes('push')) await act();
      return yard.git.run(program, args, options);
    },
  });

  const back = meanwhile(() => yard.sh(remote, 'update-ref', 'refs/heads/main', root));
  const rewound = await publish(back, target.place, made);
  await yard.sh(remote, 'update-ref', 'refs/heads/main', made.base);
  const on = meanwhile(() => target.advance({ 'theirs.txt': 't\n' }));
  const advanced = await publish(on, target.place, made);

  expect(rewound).toEqual({ kind: 'moved', now: root });
  expect(advanced).toEqual({ kind: 'moved', now: await target.main() });
  expect(await yard.sh(remote, 'show', 'main:theirs.txt')).toBe('t');
});

test('given settings of a person that push more, when work is published, then only the default branch moves, and no hook runs', async () => {
  await using target = await makeTarget();
  const { yard, remote } = target;
  const made = await candidateOf(target);
  const depot = join(yard.dir, 'depot/depot.git');
  const mark = join(yard.dir, 'ran');
  await writeFile(join(yard.dir, 'pre-push'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  await yard.sh(depot, 'tag', '-a', '-m', 'a tag', 'v1', made.commit);
  for (const [name, value] of [
    ['push.followTags', 'true'],
    ['push.gpgSign', 'if-asked'],
    ['push.pushOption', 'ci.skip'],
    ['core.hooksPath', yard.dir],
  ] as const)
    await yard.sh(depot, 'config', name, value);

  const outcome = await publish(yard.git, target.place, made);

  expect(outcome.kind).toBe('published');
  expect(await yard.sh(remote, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(await yard.git.files.stat(mark)).toBeUndefined();
});

test.each([
  ['ext::sh -c "touch /tmp/x"', /helper program/],
  ['--upload-pack=touch /tmp/x', /dash/],
  ['https://ada:secret@example.org/shop.git', /password/],
])(
  'given the address %j, when work is published there, then it is refused before git is asked, without its password',
  async (url, why) => {
    await using target = await makeTarget();
    const made = await candidateOf(target);
    const { yard, place } = target;
    const calls = yard.calls.length;

    const refused = publish(yard.git, { ...place, target: { kind: 'remote', url, defaultBranch: 'main' } }, made);

    await expect(refused).rejects.toMatchObject({ code: 'bad-name', message: expect.stringMatching(why) });
    await expect(refused).rejects.not.toThrow('secret');
    expect(yard.calls.slice(calls).filter((call) => call.includes(url))).toEqual([]);
  },
);
