/** Lists reports that a machine has no right to make, and the log line for each. */

/** Reasons why a report has no consequences, each with its log line. */
export const REFUSALS = {
  'foreign-worker': {
    level: 'warn',
    says: 'reports on a worker of another machine',
  },
  'foreign-command': {
    level: 'warn',
    says: 'reports the end of a command of another machine, worker or number',
  },
  // Honest machines send this too: for a worker that was removed a moment ago.
  'unknown-worker': {
    level: 'debug',
    says: 'reports on a worker that no longer exists',
  },
  // Honest machines send this too: a journal answers a command that comes twice.
  'ended-command': {
    level: 'debug',
    says: 'reports the end of a command a second time',
  },
  // Honest machines send this too: for a worker that was removed, or to a database that is a copy of the past.
  'unknown-command': {
    level: 'debug',
    says: 'reports the end of a command that no longer exists',
  },
} as const;
/** Reasons why a report has no consequences. */
export type Refusal = keyof typeof REFUSALS;
