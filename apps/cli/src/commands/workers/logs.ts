/** `drover logs`: what happened to a worker, or what its terminal shows. */
import type { EventView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { count, flag, required } from '../../program/spec.ts';
import { eventText } from './text.ts';

/** Lines of the terminal that `--pane` shows at most. */
const PANE_LINES = 2_000;
/** How long one request waits for news, in milliseconds. */
const WAIT_MS = 20_000;

/** `drover logs`. */
export const command = defineCommand({
  about: 'show what happened to a worker, or its terminal',
  example: 'drover logs adam\ndrover logs adam --follow\ndrover logs adam --pane | less',
  args: { worker: required('its name') },
  options: {
    limit: count('count', 'how many events', { min: 1, max: 500, default: 50, short: 'n' }),
    follow: flag('keep printing new events until Ctrl-C', { short: 'f' }),
    pane: flag('show its terminal instead, with its history'),
  },
  async run(surroundings, { args: { worker: name }, options: { limit, follow, pane } }) {
    if (pane) {
      const { text } = await ask(surroundings, (client) => client.workers.pane.query({ name, lines: PANE_LINES }));
      answer(surroundings, { text }, () => text);
      return;
    }
    const newest = await ask(surroundings, (client) => client.events.query({ name, waitMs: 0, limit }));
    const events = newest.toReversed();
    const print = (event: EventView): void =>
      answer(surroundings, event, (one, { terminal }) => eventText(one, { terminal, named: false }));
    for (const event of events) print(event);
    if (!follow) return;
    let after = events.at(-1)?.id ?? 0;
    for (;;) {
      const input = { name, after, waitMs: WAIT_MS, limit: 500 };
      for (const event of await ask(surroundings, (client) => client.events.query(input))) {
        print(event);
        after = event.id;
      }
    }
  },
});
