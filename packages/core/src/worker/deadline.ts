/** The names of the deadlines that a worker can have armed. */

/** Names of deadlines: at most one of each is armed. `DEADLINE_MEANING` explains each. */
export const DEADLINE_NAMES = [
  'command',
  'start-up',
  'restart',
  'delivery',
  'hold',
  'nudge',
  'background',
  'trouble',
  'check',
  'settle',
  'accept',
  'checkpoint',
  'account',
  'move',
  'hand-back',
] as const;

export type DeadlineName = (typeof DEADLINE_NAMES)[number];
