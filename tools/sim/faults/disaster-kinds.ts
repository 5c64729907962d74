/** Lists the disasters that can hit a fleet from outside, and how often each comes compared with the rest. */

/** Weights by kind: the more, the more often. */
export const DISASTERS = {
  replica: 4,
  agent: 4,
  tmux: 1,
  machine: 1,
  program: 3,
  partition: 3,
  'clock-jump': 1,
  'replica-sleeps': 1,
  'branch-moves': 3,
  'branch-rewritten': 1,
  'source-dirty': 2,
  'worktree-deleted': 1,
  'machine-clock': 2,
  // Disasters that come only where luck has more of them.
  coordinator: 0,
  'idle-program': 0,
  uninstalled: 0,
  row: 0,
  'branch-breaks': 0,
} as const;

export type DisasterKind = keyof typeof DISASTERS;
