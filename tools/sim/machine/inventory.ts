/** Lists what a simulated machine has of its project, when the doctor asks. */
import type { Inventory, WorkerSettings } from '@drover/protocol';
import type { MachineBody } from './parts.ts';

/** Lists what its disk and its panes hold, for the workers that its agent remembers. */
export function inventoryOf(
  { parts, panes, now }: MachineBody,
  { projectId, workers }: { readonly projectId: string; readonly workers: readonly WorkerSettings[] },
): Inventory {
  const git = parts.clones.of(projectId);
  const found = workers.flatMap((worker) => {
    const tree = git.worktrees.get(worker.workerId);
    return tree === undefined ? [] : [{ settings: worker, tree, facts: git.facts(tree, null) }];
  });
  return {
    kind: 'inventory',
    at: now(),
    git: { name: 'sim', email: 'sim@example.org', hooksPath: null },
    programs: [],
    freeBytes: 1_000_000_000_000,
    worktrees: found.map(({ settings: { name }, facts: { dirty, rebasing, unmerged } }) => {
      return { name, path: `/srv/demo/${name}`, branch: `drover/${name}`, gone: false, dirty, rebasing, unmerged };
    }),
    strays: [],
    branches: found.map(({ settings: { name }, facts: { head, ahead, subject } }) => {
      return { name, head, ahead, base: git.tip, subject };
    }),
    sessions: [...panes.values()].map(({ settings: { workerId, name, profile }, program }) => {
      const { conversation, incarnation, end } = program;
      return { workerId, name, profile, conversation, incarnation, dead: end !== null, screen: null };
    }),
    looseAgents: [],
    workers: [...workers],
    commands: {},
  };
}

/** Text of a pane for those who ask: with a secret of a known form, and with what would steer a terminal or turn a line around, among its words. */
export const SHOWN_PANE = `the last line of its pane\n\u001B[31mtoken ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}\u202E`;
