/** The lines below the workers in `drover status`: questions to people, accounts that wait for a limit, chats that no bot serves. */
import type { AccountView, ChatView, EscalationView } from '@drover/api';
import { escalationLine } from '../escalations/line.ts';
import { clockTime } from '../../terminal/style.ts';

/** One line for each, with the command that answers it; empty where all is well. */
export function needsYou(
  escalations: readonly Pick<EscalationView, 'title' | 'shortId' | 'worker' | 'workers'>[],
  accounts: readonly AccountView[],
  chats: readonly ChatView[] = [],
): readonly string[] {
  const lines = [...escalations.map(questionLine), ...accounts.flatMap(accountLine), ...chats.map(chatLine)];
  return lines.length === 0 ? [] : ['', ...lines];
}

function questionLine(one: Pick<EscalationView, 'title' | 'shortId' | 'worker' | 'workers'>): string {
  return escalationLine(one, one.workers.length > 1 ? undefined : one.worker);
}

function accountLine({ key, state, until, stated, probe, waiting }: AccountView): string[] {
  const others = waiting.length === 0 ? '' : `; ${waiting.length} worker(s) wait`;
  switch (state) {
    case 'open':
      return [];
    case 'paused':
      return [`account ${key} waits until ${clock(until)} (limit${stated ? '' : ', the time is a guess'})${others}`];
    case 'probing':
      return [`account ${key} was at a limit: ${probe ?? 'a worker'} tries whether it is over${others}`];
    default:
      return state satisfies never;
  }
}

function chatLine({ channel, places, servedUntil }: ChatView): string {
  const since = servedUntil === null ? '' : ` since ${clock(servedUntil)}`;
  return `no bot serves ${channel}${since}: ${places} chat(s) are not asked: drover doctor`;
}

/** `14:05`, in the local time zone. */
function clock(at: number | null): string {
  return at === null ? 'later' : clockTime(at).slice(0, 5);
}
