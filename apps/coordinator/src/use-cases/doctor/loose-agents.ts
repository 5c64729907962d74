/** Finds coding agents that work in worktrees, and belong to no session there: outlived sessions, daemons, and agents that people started. */
import type { Inventory } from '@drover/protocol';
import type { Finding } from './facts.ts';
import { orFine, warning } from './finding.ts';

/** Builds one line for each agent, or a line that says that there is none, or that the machine cannot tell. */
export function examineAgents(where: string, { looseAgents }: Pick<Inventory, 'looseAgents'>): readonly Finding[] {
  if (looseAgents === null) {
    const says = 'this system has no /proc, so Drover cannot tell whether other agents work in worktrees';
    return [{ check: 'agents', about: where, level: 'ok', says, help: null }];
  }
  return orFine('agents', where, {
    says: 'no coding agent works in a worktree outside of its session',
    found: looseAgents.map(({ what, directory, end, why }) =>
      warning('agents', directory, { says: `${what} ${MEANING[why]}`, help: `${end}   (on that machine)` }),
    ),
  });
}

const MEANING: Readonly<Record<NonNullable<Inventory['looseAgents']>[number]['why'], string>> = {
  outlived:
    'belongs to a session that has ended and may change files there: Drover ends it before it starts an agent there again',
  stranger: 'is a coding agent that Drover did not start there, so Drover starts no agent beside it',
  unread:
    'is a coding agent of the same user, and the system does not tell where it works: it may be a worktree, so Drover starts no agent until it has ended',
};
