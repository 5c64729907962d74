/** The lines below the workers in `drover status`: questions, machines without room, accounts at a limit, chats that no bot serves. */
import type { AccountView, ChatView, EscalationView, MachineView } from '@drover/api';
import { escalationLine } from '../escalation/line.ts';
import { clockTime, plain } from '../../terminal/style.ts';

/** Formats a line for each, with the command that answers it; empty if there are none. */
export function needsYou({
  escalations = [],
  accounts = [],
  chats = [],
  machines = [],
  now,
}: Waiting): readonly string[] {
  const lines = [
    ...escalations.map(questionLine),
    ...machines.flatMap(machineLines),
    ...accounts.flatMap((account) => accountLine(account, now)),
    ...chats.map((chat) => chatLine(chat, now)),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Everything that may wait for a person, or that a person should know. `now` is in epoch milliseconds. */
interface Waiting {
  readonly escalations?: readonly Pick<EscalationView, 'title' | 'shortId' | 'worker' | 'workers'>[];
  readonly accounts?: readonly AccountView[];
  readonly chats?: readonly ChatView[];
  readonly machines?: readonly Pick<MachineView, 'name' | 'warnings'>[];
  readonly now: number;
}

/** Formats a machine's shortages: such a machine gets no new work, and work there fails soon. */
function machineLines({ name, warnings }: Pick<MachineView, 'name' | 'warnings'>): string[] {
  return warnings
    .filter((words) => words.startsWith('is short'))
    .map(
      (words) =>
        `machine ${plain(name)} ${plain(words)}: it gets new work again when it has resources: drover machine show ${plain(name)}`,
    );
}

function questionLine(one: Pick<EscalationView, 'title' | 'shortId' | 'worker' | 'workers'>): string {
  return escalationLine(one, one.workers.length > 1 ? undefined : one.worker);
}

function accountLine({ key, state, until, stated, probe, waiting }: AccountView, now: number): string[] {
  const others = waiting.length === 0 ? '' : `; ${waiting.length} worker(s) wait, and continue by themselves then`;
  switch (state) {
    case 'open':
      return [];
    case 'paused':
      return [`account ${key} waits until ${moment(until, now)} (limit${stated ? '' : ', estimated time'})${others}`];
    case 'probing':
      return [`account ${key} was at a limit: ${probe ?? 'a worker'} tests whether it has reset${others}`];
    default:
      return state satisfies never;
  }
}

function chatLine({ channel, places, servedUntil }: ChatView, now: number): string {
  const since = servedUntil === null ? '' : ` since ${moment(servedUntil, now)}`;
  return `no bot serves ${channel}${since}: ${places} chat(s) get no questions: drover doctor`;
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
