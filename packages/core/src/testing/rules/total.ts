/** Proves that every event has an answer, by known moves only and from the row alone. */
import { canMove } from '../../worker/status.ts';
import type { Watch } from '../history.ts';
import type { Rule } from './rule.ts';
import { differences, frozen, isSame } from './same.ts';

/** Rule that the policy answers any event, also from machines that answer another question. */
export const TOTAL: Rule = {
  letter: 'total',
  holds: 'every event is answered, by moves of the transition table and with at most one command',
  watch: (): Watch => {
    return ({ before, decision }) => {
      const { worker, commands } = decision;
      if (!canMove(before.lifecycle.status, worker.lifecycle.status))
        return `${before.lifecycle.status} became ${worker.lifecycle.status}`;
      if (commands.length > 1) return `${commands.length} commands at once`;
      const [command] = commands;
      if (command !== undefined && command.seq !== worker.command.inFlight?.seq)
        return 'a command that the row does not know of';
      return decision.rules.length > 0 ? null : 'no rule is named';
    };
  },
};

/** Decisions between two round trips: a round trip costs as much as twenty decisions. */
const CHECKED_EVERY = 8;

/** Rule that a coordinator that loads the row decides as the one that saved it, and that `decide` writes to none of its inputs. */
export const ROUND_TRIP: Rule = {
  letter: 'json',
  holds: 'a worker survives a round trip through JSON, and the same is decided again from it',
  watch: (): Watch => {
    let seen = 0;
    return ({ before, event, ctx, decision, decide }) => {
      seen += 1;
      if (seen % CHECKED_EVERY !== 0) return null;
      const { worker } = decision;
      const loaded: typeof worker = JSON.parse(JSON.stringify(worker));
      if (!isSame(worker, loaded)) return `not the same after JSON: ${differences(worker, loaded)}`;
      const again = decide(frozen(before), frozen(event), ctx);
      return isSame(again, decision) ? null : `decided otherwise the second time: ${differences(decision, again)}`;
    };
  },
};
