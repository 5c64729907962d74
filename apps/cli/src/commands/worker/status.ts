/** `drover status`: all workers, once or live. */
import { ask } from '../../client/client.ts';
import { AGAIN_MS, untilAnswered } from '../../client/until-answered.ts';
import { CommandError } from '../../exit-codes.ts';
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';
import { accountLines, canaryLines, chatLines, machineLines, questionLines } from './needs-you.ts';
import { waitingLines } from './next-step.ts';
import { statusText, workerList } from './text.ts';
import { openScreen } from '../../terminal/screen.ts';
import type { Surroundings } from '../../surroundings.ts';
import { untilSignalled } from '../../processes/until-signalled.ts';
import { listWorkers } from './by-name.ts';

/** Milliseconds that one request waits for an event: without one, ages on the page are refreshed after that time. */
const WAIT_MS = 5_000;
/** Maximum number of open escalations on the page. */
const ESCALATIONS_SHOWN = 10;

export const command = defineCommand({
  about: 'show all workers and what needs you',
  example:
    'drover status\ndrover status --watch\ndrover status --json | jq -r \'.[] | select(.status == "needs_review").name\'',
  isList: true,
  options: { watch: flag('keep them updated until Ctrl-C', { short: 'w' }) },
  async run(surroundings, { options: { watch } }) {
    const { terminal } = surroundings;
    if (!watch) terminal.out(await page(surroundings));
    else if (terminal.interactive && !terminal.json) await watchOnScreen(surroundings);
    else await watchInLines(surroundings);
  },
});

async function page(surroundings: Surroundings): Promise<string> {
  const { terminal, now } = surroundings;
  const workers = await listWorkers(surroundings);
  if (terminal.json) return JSON.stringify(workers);
  if (terminal.quiet) return workers.map(workerList(workers).nameOf).join('\n');
  // A worker sees itself, but neither questions to people nor accounts.
  if (surroundings.worker !== null) return statusText(workers, { now: now(), terminal, forYou: [] });
  const [escalations, accounts, chats, machines] = await Promise.all([
    ask(surroundings, (client) => client.escalations.list.query({ all: false, limit: ESCALATIONS_SHOWN })),
    ask(surroundings, (client) => client.accounts.query()),
    ask(surroundings, (client) => client.oncall.chats.query()),
    ask(surroundings, (client) => client.machines.list.query()),
  ]);
  const asked = new Set(escalations.flatMap((one) => one.workers.map(({ worker }) => worker)));
  const forYou = [
    ...questionLines(escalations),
    ...waitingLines(workers, asked),
    ...machineLines(machines),
    ...chatLines(chats, now()),
  ];
  const page = statusText(workers, { now: now(), terminal, forYou });
  return [page, ...accountLines(accounts, now()), ...canaryLines(machines)].join('\n');
}

/** Redraws a whole screen repeatedly, and waits for a coordinator that is away. */
async function watchOnScreen(surroundings: Surroundings): Promise<void> {
  const { terminal, sleep } = surroundings;
  const news = await newsOf(surroundings); // an error at the start is final
  let text = await page(surroundings);
  const ending = untilSignalled();
  using screen = openScreen(terminal);
  while (!ending.signal.aborted) {
    screen.draw(`${text}\n\nCtrl-C ends.`);
    try {
      await Promise.race([news(), ending.asked]);
      text = await page(surroundings);
    } catch (error) {
      if (!(error instanceof CommandError) || error.code !== 'unreachable') throw error;
      screen.draw(`${text}\n\n${error.message}. Retrying; Ctrl-C ends.`);
      await sleep(AGAIN_MS, ending.signal);
    }
  }
}

/** Prints a new page after each event, on output that cannot be redrawn, also after the coordinator was away. */
async function watchInLines(surroundings: Surroundings): Promise<void> {
  const { terminal } = surroundings;
  const news = await newsOf(surroundings);
  terminal.out(await page(surroundings));
  for (;;) {
    if ((await untilAnswered(surroundings, news)) > 0)
      terminal.out(await untilAnswered(surroundings, () => page(surroundings)));
  }
}

/** Remembers the last event before the first page is read, so that no later one is missed. @returns a function that waits for events, and returns their number. */
async function newsOf(surroundings: Surroundings): Promise<() => Promise<number>> {
  const newest = await ask(surroundings, (client) => client.events.query({ waitMs: 0, limit: 1 }));
  let after = newest[0]?.id ?? 0;
  return async () => {
    const input = { after, waitMs: WAIT_MS, limit: 500 };
    const events = await ask(surroundings, (client) => client.events.query(input));
    after = events.at(-1)?.id ?? after;
    return events.length;
  };
}
