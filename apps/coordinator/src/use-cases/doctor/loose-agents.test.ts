/** Names coding agents that are in a place where they do not belong, with the remedy. */
import { expect, test } from 'vitest';
import { examineAgents } from './loose-agents.ts';

const AGENT = { what: 'process 42 (claude --resume)', directory: '/r/.worktrees/adam', end: 'kill 42' };

test.each([
  ['outlived', 'process 42 (claude --resume) belongs to a session that has ended'],
  ['stranger', 'process 42 (claude --resume) is a coding agent that Drover did not start'],
  ['unread', 'process 42 (claude --resume) is a coding agent of the same user, and the system does not tell'],
] as const)(
  'given a coding agent outside of a session, when it is %s, then that is told with the command that ends it',
  (why, words) => {
    const told = examineAgents('shop on laptop', { looseAgents: [{ ...AGENT, why }] });

    expect(told).toEqual([
      {
        check: 'agents',
        about: '/r/.worktrees/adam',
        level: 'warning',
        says: expect.stringContaining(words),
        help: 'kill 42   (on that machine)',
      },
    ]);
  },
);

test.each([
  ['that has none', [], 'no coding agent works'],
  ['that cannot tell', null, 'this system has no /proc'],
])('given a machine %s, when the doctor looks, then one line says so', (_, looseAgents, words) => {
  const told = examineAgents('shop on laptop', { looseAgents });

  expect(told).toEqual([expect.objectContaining({ level: 'ok', says: expect.stringContaining(words) })]);
});
