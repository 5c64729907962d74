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
 * - A clock's answer, and what is due now, are of use only to a caller that knows when it asked; claimed work is claimed again later.
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

/** Prepares the methods of stores. `later` makes a method when it is first asked for, so that a transaction makes few; a spread finds none. */
export function binder(functions: object) {
  const all = Object.entries(functions).filter((entry): entry is [string, Run] => typeof entry[1] === 'function');
  const runs = new Map(all);
  return {
    now: <Result>(call: Call) => Object.fromEntries(all.map(([name, run]) => [name, call(name, run)])) as Result,
    later: <Result>(call: Call) => {
      const made: Record<string, Run> = {};
      const get = (_: object, name: string) => {
        const run = runs.get(name);
        return run && (made[name] ??= call(name, run));
      };
      return new Proxy({}, { get }) as Result;
    },
  };
}
