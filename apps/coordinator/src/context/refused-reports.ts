/** Which reports of a machine are not its own to make, and how is each told? */

/** Why nothing follows from a report, and how each is told. */
export const REFUSALS = {
  'foreign-worker': {
    level: 'warn',
    says: 'reports on a worker of another machine',
  },
  'foreign-command': {
    level: 'warn',
    says: 'reports the end of a command that was given to another machine, or for another worker or number',
  },
  // Also said by honest machines: of a worker that was removed a moment ago.
  'unknown-worker': {
    level: 'debug',
    says: 'reports on a worker that is not on record any more',
  },
  // Also said by honest machines: a journal answers a command that comes twice.
  'ended-command': {
    level: 'debug',
    says: 'reports the end of a command that has ended before',
  },
  // Also said by honest machines: of a worker that was removed, or to a database that is a copy of the past.
  'unknown-command': {
    level: 'debug',
    says: 'reports the end of a command that is not on record any more',
  },
} as const;
/** Why nothing follows from a report. */
export type Refusal = keyof typeof REFUSALS;
