/** Tests whether an agent may push from its place, and where to. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setPushAddress } from '../../src/index.ts';
import { makeYard, type Yard } from '../support.ts';

async function withRemote(): Promise<Yard & { readonly remote: string }> {
  const yard = await makeYard();
  const remote = join(yard.dir, 'remote.git');
  await yard.sh(yard.dir, 'clone', '-q', '--bare', yard.source, remote);
  await yard.sh(yard.source, 'remote', 'add', 'origin', '/nowhere/to/fetch');
  await yard.sh(yard.source, 'remote', 'set-url', '--push', 'origin', remote);
  return { ...yard, remote };
}

test('given a project that says nothing, when an agent pushes, then git refuses with words that say what to do', async () => {
  await using yard = await withRemote();
  const { git, worktree: at, source } = yard;

  await setPushAddress(git, { at, source, mayPush: false });

  await expect(yard.sh(at, 'push', '-q', 'origin', 'HEAD:refs/heads/x')).rejects.toThrow('Drover publishes this work');
});

test('given a project that lets agents push, when one pushes, then its branch is where the source pushes to; and taken back, it is refused', async () => {
  await using yard = await withRemote();
  const { git, worktree: at, source, remote } = yard;
  await setPushAddress(git, { at, source, mayPush: true });

  await yard.sh(at, 'push', '-q', 'origin', 'HEAD:refs/heads/x');

  expect(await yard.sh(remote, 'rev-parse', 'x')).toBe(await yard.sh(at, 'rev-parse', 'HEAD'));
  await setPushAddress(git, { at, source, mayPush: false });
  await expect(yard.sh(at, 'push', '-q', 'origin', 'HEAD:refs/heads/y')).rejects.toThrow('Drover publishes this work');
});
