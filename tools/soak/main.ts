// Runs `npm run soak -- --hours 8 [--state DIR]`: checks that Drover keeps its promises through a night of work and chaos.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openPlace, recall, remember, type Memory } from './place.ts';
import { soak, type Options } from './soak.ts';

const HELP = `npm run soak -- [--hours 8] [--workers 6] [--state DIR] [--every MINUTES]

Works with simulated agents while the machine agent, the coordinator, the database, the tmux server and the agents are
killed, the network is cut, and the disks of the machine and of the database are filled (root on Linux only: they are
files with file systems in them, mounted below the state directory). Counts every 5 minutes; ends with a table and a
verdict. Stopped (Ctrl-C), or killed with everything it runs, it goes on when it is started again with the same --state.
Exit status: 0 promises kept, 1 broken, 2 it could not run, 130 stopped before its time.
`;

/** Exit status of a program that a person ended. */
const STOPPED = 130;

async function main(options: Options): Promise<number> {
  mkdirSync(options.state, { recursive: true });
  const place = openPlace(options.state, process.env);
  const memory: Memory = recall(place) ?? {
    ranMs: 0,
    token: randomBytes(24).toString('base64url'),
    joined: false,
    nextTask: 1,
    port: await freePort(),
    runs: 0,
  };
  remember(place, memory);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  try {
    return await soak(place, { memory, options, stop: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  console.log(`Stopped; the same command with --state ${place.dir} goes on`);
  return STOPPED;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '8' },
    workers: { type: 'string', default: '6' },
    every: { type: 'string', default: '5' },
    state: { type: 'string', default: '/tmp/drover-soak' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else
  try {
    const [hours, workers, minutes] = [Number(values.hours), Number(values.workers), Number(values.every)];
    if (!(hours > 0) || !(workers >= 1) || !(minutes > 0))
      throw new Error('--hours, --workers and --every are numbers above 0');
    process.exitCode = await main({ hours, workers, state: resolve(values.state), everyMs: minutes * 60_000 });
  } catch (error) {
    console.error(`soak: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 2;
  }
