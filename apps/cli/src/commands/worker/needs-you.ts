/** The lines of `drover status` beside the workers: questions, machines without room, chats that no bot serves, and the accounts that pay. */
import type { AccountView, ChatView, EscalationView, MachineView } from '@drover/api';
import { escalationLine } from '../escalation/line.ts';
import { clockTime, plain } from '../../terminal/style.ts';

type Question = Pick<EscalationView, 'title' | 'shortId' | 'worker' | 'workers'>;

/** Formats open questions, with the command that shows each. */
export function questionLines(questions: readonly Question[]): readonly string[] {
  return questions.map((one) => escalationLine(one, one.workers.length > 1 ? undefined : one.worker));
}

/** Formats the shortages of machines: such a machine gets no new work, and work there fails soon. */
export function machineLines(machines: readonly Pick<MachineView, 'name' | 'warnings'>[]): readonly string[] {
  return machines.flatMap(({ name, warnings }) =>
    warnings
      .filter((words) => words.startsWith('is short'))
      .map(
        (words) =>
          `machine ${plain(name)} ${plain(words)}: it gets new work again when it has resources: drover machine show ${plain(name)}`,
      ),
  );
}

/** Formats versions of agent programs that no trial has seen: they get one task at a time, and prove themselves. */
export function canaryLines(machines: readonly Pick<MachineView, 'name' | 'warnings'>[]): readonly string[] {
  return machines.flatMap(({ name, warnings }) =>
    warnings
      .filter((words) => words.includes(', which no trial has seen'))
      .map((words) => `machine ${plain(name)} ${plain(words)}`),
  );
}

/** Formats accounts at a limit, and of the others those of which drover.toml or a program speaks. `now` is in epoch milliseconds. */
export function accountLines(accounts: readonly AccountView[], now: number): readonly string[] {
  return accounts.flatMap((account) => accountLine(account, now));
}

function accountLine(account: AccountView, now: number): string[] {
  const { key, state, until, stated, probe, waiting, pays, quota, left } = account;
  const others = waiting.length === 0 ? '' : `; ${waiting.length} worker(s) wait, and continue by themselves then`;
  const rest = quota === null ? '' : `; ${left}`;
  switch (state) {
    case 'open': {
      // The login of a machine, "claude@laptop", has no name of its own; "claude/me@work" has one.
      const isTold = quota !== null || !/^[^/]*@/u.test(key);
      return isTold && pays.length > 0 ? [`account ${key} pays for ${pays.length} worker(s): ${left}`] : [];
    }
    case 'paused':
      return [
        `account ${key} waits until ${moment(until, now)} (limit${stated ? '' : ', estimated time'})${others}${rest}`,
      ];
    case 'probing':
      return [`account ${key} was at a limit: ${probe ?? 'a worker'} tests whether it has reset${others}${rest}`];
    default:
      return state satisfies never;
  }
}

/** Formats chats that no bot serves. `now` is in epoch milliseconds. */
export function chatLines(chats: readonly ChatView[], now: number): readonly string[] {
  return chats.map(({ channel, places, servedUntil }) => {
    const since = servedUntil === null ? '' : ` since ${moment(servedUntil, now)}`;
    return `no bot serves ${channel}${since}: ${places} chat(s) get no questions: drover doctor`;
  });
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Formats a time in the local time zone: `14:05`, on another day than today `Mon 2026-11-30 14:05`. */
function moment(at: number | null, now: number): string {
  if (at === null) return 'later';
  const time = clockTime(at).slice(0, 5);
  const [date, today] = [new Date(at), new Date(now)];
  if (date.toDateString() === today.toDateString()) return time;
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${DAYS[date.getDay()] ?? ''} ${date.getFullYear()}-${month}-${day} ${time}`;
}
