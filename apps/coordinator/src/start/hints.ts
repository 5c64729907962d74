/** Sends hints between replicas: at once in this process, and by NOTIFY, coalesced. */
import type { Clock, Log } from '@drover/base';
import type { Channel } from '@drover/store';
import type { Waiters } from '../context/waiters.ts';
import type { Hints } from '../context/ports.ts';

/** Milliseconds between notifications of a channel, at most ten a second: each takes a lock of the whole server. Source: docs/adr/0004. */
const COALESCE_MS = 100;
/** Ids in one notification, which holds at most 8,000 bytes; more ids are sent as "any". */
const IDS_MAX = 150;

interface Wires {
  readonly clock: Clock;
  readonly log: Log;
  readonly notify: (channel: Channel, payload: string) => Promise<void>;
  readonly commands: Waiters;
  readonly events: Waiters;
  readonly due: (at: number) => void;
}

/** Wakes this process at once and the others soon. */
export function createHints({ clock, log, notify, commands, events, due }: Wires): Hints {
  const tell = (channel: Channel): ((id: string) => void) =>
    coalesced(clock, (payload) => {
      notify(channel, payload).catch((error: unknown) => log('debug', `Cannot send a hint: ${String(error)}`));
    });
  const tellCommands = tell('drover_commands');
  const tellEvents = tell('drover_events');
  return {
    commands: (machineId) => {
      commands.wake(machineId);
      tellCommands(machineId);
    },
    events: (workerId) => {
      events.wake(workerId);
      tellEvents(workerId);
    },
    due,
  };
}

/** Sends the first at once, and all that follow within the next tenth of a second together. */
function coalesced(clock: Clock, send: (payload: string) => void): (id: string) => void {
  let waiting = new Set<string>();
  let open = true;
  const flush = (): void => {
    if (waiting.size === 0) {
      open = true;
      return;
    }
    const payload = waiting.size > IDS_MAX ? '*' : [...waiting].join(',');
    waiting = new Set();
    clock.after(COALESCE_MS, flush);
    send(payload);
  };
  return (id) => {
    waiting.add(id);
    if (!open) return;
    open = false;
    flush();
  };
}

/** Wakes the waits of this process at a hint of another replica. */
export function heard(payload: string, waiters: Waiters): void {
  for (const id of payload.split(',')) waiters.wake(id);
}
