import { expect, test } from 'vitest';
import { findPrefixTaken, tellPrefixTaken, workerBranch } from '../../src/index.ts';
import { makeSource } from '../support.ts';

test('given a source with a branch of the name of the prefix, when it is looked at, then a prefix that is free is offered', async () => {
  await using yard = await makeSource();
  expect(await findPrefixTaken(yard.git, [yard.source], 'drover')).toBe(undefined);
  for (const name of ['drover', 'drover-workers', 'other/drover']) await yard.sh(yard.source, 'branch', name);

  for (const at of [yard.source, `file://${yard.source}`]) {
    const taken = await findPrefixTaken(yard.git, [at], 'drover');
    expect(taken).toEqual({ branch: 'drover', at, free: 'drover-agents' });
    expect(taken && tellPrefixTaken(taken, 'drover')).toContain('set branch_prefix = "drover-agents" in [repo]');
  }
  expect(await findPrefixTaken(yard.git, [yard.source], 'drover-agents')).toBe(undefined);
  expect(await findPrefixTaken(yard.git, [yard.source], 'drover/team')).toMatchObject({ branch: 'drover' });
});

test('given a prefix, then the branch of a worker begins with it', () => {
  expect(workerBranch({ branchPrefix: 'team/agents' }, 'alba')).toBe('team/agents/alba');
  expect(workerBranch({}, 'alba')).toBe('drover/alba');
});
