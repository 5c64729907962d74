// The listeners of `bench -- feed`, in a process of their own: prints a line when all listen, and what they heard at the end.
import { get } from 'node:http';
import { percentile } from '../src/table.ts';

/** Milliseconds from the time of an event to its arrival, over all listeners, and the events that did not arrive. */
export interface Heard {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly missed: number;
}

/** Milliseconds that the listeners wait after the last event that any of them heard. */
const PATIENCE_MS = 20_000;

const given = JSON.parse(process.argv[2] ?? '{}') as {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly listeners: number;
  readonly events: number;
};
const wanted = given.listeners * given.events;
const delays: number[] = [];
let listening = 0;
let patience: NodeJS.Timeout | undefined;

for (let place = 0; place < given.listeners; place += 1) listen(given.tokens[place % given.tokens.length] ?? '');

function listen(token: string): void {
  const headers = { authorization: `Bearer ${token}` };
  get(`${given.url}/v1/events/stream?types=task`, { headers, agent: false }, (response) => {
    if (response.statusCode !== 200) throw new Error(`A listener was refused with ${response.statusCode}`);
    let rest = '';
    let isOpen = false;
    response.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n\n');
      rest = parts.pop() ?? '';
      // The first page of a stream says from where it listens.
      if (!isOpen && parts.some((part) => part.startsWith(':'))) {
        isOpen = true;
        listening += 1;
        if (listening === given.listeners) begin();
      }
      for (const part of parts) hear(part);
    });
  });
}

function begin(): void {
  console.log('listening');
  patience = setTimeout(end, PATIENCE_MS);
}

function hear(part: string): void {
  const [, data] = /^data: (.*)$/mu.exec(part) ?? [];
  if (data === undefined) return;
  const { at } = JSON.parse(data) as { readonly at: number };
  delays.push(Date.now() - at);
  patience?.refresh();
  if (delays.length === wanted) end();
}

function end(): void {
  clearTimeout(patience);
  const heard: Heard = {
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    longest: percentile(delays, 1),
    missed: wanted - delays.length,
  };
  console.log(JSON.stringify(heard));
}
