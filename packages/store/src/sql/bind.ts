// Binds functions `(db, …)` as the methods of a store, by the type of their first parameter, without a line for each.
import type { Db, Pool, Trx } from './db.ts';
import type { FUNCTIONS } from './functions.ts';

/** The functions of a table of functions that take this for a database, without that parameter. */
export type Bound<Functions, Given> = {
  readonly [
    K in keyof Functions as Functions[K] extends (db: infer Wanted extends Db, ...rest: never) => unknown
      ? Given extends Wanted
        ? K
        : never
      : never
  ]: Functions[K] extends (db: never, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
};

/** Functions that read or write by themselves: each is a transaction of its own. */
export type StoreFunctions = Bound<typeof FUNCTIONS, Pool>;

/** Functions that run inside a transaction. */
export type TransactionFunctions = Bound<typeof FUNCTIONS, Trx>;

/**
 * Functions that are not retried after a lost connection; all others are. A lost answer says nothing of what was done.
 *
 * - A clock's answer, and what is due now, are of use only to a caller that knows when it asked; claimed work comes again when its lease is over.
 * - A machine is given its commands again at its next hello, for which it needs another challenge.
 * - A terminal that is joined or met is used up: the person asks again. A text that comes twice is worse than one that is lost.
 * - A test of a place whose answer is lost fails, and a person tries it again; so is an invitation.
 */
export const ONCE: ReadonlySet<string> = new Set([
  'readClock',
  'nextDueAt',
  'claimDueWork',
  'hello',
  'takeCommands',
  'joinTerminal',
  'meetTerminal',
  'carry',
  'claimDeliveries',
  'takePlaceTests',
  'createJoinToken',
] satisfies (keyof StoreFunctions)[]);

/** A function of a table, with the database for its first parameter. */
export type Run = (...given: unknown[]) => unknown;

type Call = (name: string, run: Run) => Run;

/** Prepares the methods of stores. `later` makes a method when it is first asked for, so that a transaction makes few. */
export function binder(functions: object) {
  const runs = new Map<string, Run>(Object.entries(functions).filter(([, run]) => typeof run === 'function'));
  return {
    now: <Result>(call: Call) => Object.fromEntries([...runs].map(([name, run]) => [name, call(name, run)])) as Result,
    later: <Result>(call: Call) => {
      const made: Record<string, Run> = {};
      const get = (_: object, name: string) => {
        const run = runs.get(name);
        return run && (made[name] ??= call(name, run));
      };
      return new Proxy({}, { get, ownKeys: refuse, has: refuse, set: refuse }) as Result;
    },
  };
}

function refuse(): never {
  throw new TypeError('A transaction cannot be spread or changed: use Object.create(tx, { name: { value } })');
}
