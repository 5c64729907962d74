// Measures how soon a person is asked in a chat: from the question on an agent's screen to its card, as users run it, with a scripted Telegram.
//
// npm run bench -- chat [--smoke]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WitnessLine } from '@drover/sim-agent';
import { startTelegramPeer } from '../apps/chat-bot/src/testing/index.ts';
import { startDrover } from './src/running-drover.ts';
import type { RunningDrover } from './src/running-drover.ts';
import { measureParts, spread, type Figure } from './src/figures.ts';
import { median, percentile } from './src/table.ts';
import { until } from './src/wait.ts';
import type { Benchmark } from './src/benchmark.ts';

const DROVER = fileURLToPath(new URL('../bin/drover', import.meta.url));

/** Questions that are open at once, and those that come one by one after them. */
const FULL = { together: 50, alone: 10 };
const SMOKE = { together: 2, alone: 1 };
/** Aims in milliseconds. */
const AIM = { p50: 1_000, p99: 5_000 };
/** Milliseconds that any one step may take on a loaded machine. */
const PATIENCE_MS = 600_000;

export const benchmark: Benchmark = {
  about: 'chat: a question on the screen of an agent until its card, with 50 open at once',
  run: (choice) => {
    const { together, alone } = choice.smoke ? SMOKE : FULL;
    return measureParts(
      {
        screen: async () => {
          const took = await screenTimes(together, alone);
          return [
            { what: `asked at once by ${together}`, measured: spread(took.together) },
            figureOf(`one at a time, ${together} and more open`, took.alone),
          ];
        },
      },
      choice,
    );
  },
};

function figureOf(what: string, took: readonly number[]): Figure {
  const isKept = median(took) <= AIM.p50 && percentile(took, 0.99) <= AIM.p99;
  return { what, measured: spread(took), aim: { is: `p50 ${AIM.p50} ms, p99 ${AIM.p99} ms`, isKept } };
}

/** Milliseconds from each question on a screen to its card. */
interface ScreenTimes {
  /** All asked at the same moment. */
  readonly together: readonly number[];
  /** Milliseconds of those asked one after the other, while the others are open. */
  readonly alone: readonly number[];
}

/** `together` workers show their questions at once; then `alone` more do, one by one. */
async function screenTimes(together: number, alone: number): Promise<ScreenTimes> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(path.join(tmpdir(), 'bench-screens-'));
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const telegram = stack.use(await startTelegramPeer());
  const [log, go] = [path.join(directory, 'log'), path.join(directory, 'go')];
  const toml = [
    '[chat]',
    `telegram_api_url = "${telegram.url}"`,
    '[profiles.sim]',
    `env = { SIM_AGENT_LOG = "${log}" }`,
    '',
  ].join('\n');
  const env = { DROVER_TELEGRAM_TOKEN: telegram.options.telegram?.token ?? '' };
  const drover = stack.use(await startDrover(together + alone, { toml, env }));
  const [, code = ''] = /\/link (\S+)/u.exec(await typed(drover, ['user', 'link', 'ada'])) ?? [];
  telegram.command('link', code);
  await until('the welcome', PATIENCE_MS, () => telegram.seen().find(({ text }) => text.startsWith('Welcome')));
  const seen = new Map<string, number>();
  const countShown = (): number => {
    for (const { text } of telegram.seen()) {
      const [, name] = /(bench-\d+) \(/u.exec(text) ?? [];
      if (name !== undefined && !seen.has(name)) seen.set(name, Date.now());
    }
    return seen.size;
  };
  const ask = (worker: number, before: string): Promise<string> =>
    typed(drover, ['start', '--worker', `bench-${worker}`, '--prompt', `${before}ASK Which port? | 8080 | 9090`]);
  for (let worker = 1; worker <= together; worker += 1) await ask(worker, `WAITFILE ${go}\n`);
  await writeFile(go, '');
  await until('the cards of all', PATIENCE_MS, () => countShown() === together || undefined);
  for (let worker = together + 1; worker <= together + alone; worker += 1) {
    await ask(worker, '');
    await until(`the card of bench-${worker}`, PATIENCE_MS, () => countShown() === worker || undefined);
  }
  const shown = await shownAt(log);
  const took = (worker: number): number =>
    (seen.get(`bench-${worker}`) ?? Number.NaN) - (shown.get(`bench-${worker}`) ?? 0);
  const all = Array.from({ length: together + alone }, (_, index) => took(index + 1));
  return { together: all.slice(0, together), alone: all.slice(together) };
}

/** Returns when each agent opened its dialog, by the log that agents keep of themselves. */
async function shownAt(log: string): Promise<ReadonlyMap<string, number>> {
  const names = new Map<number, string>();
  const shown = new Map<string, number>();
  for (const text of (await readFile(log, 'utf8')).trim().split('\n')) {
    const line = JSON.parse(text) as WitnessLine;
    if (line.event === 'started') names.set(line.pid, path.basename(line.cwd));
    if (line.event === 'dialog-opened' && line.dialog === 'question') shown.set(names.get(line.pid) ?? '', line.t);
  }
  return shown;
}

async function typed({ cwd, env }: RunningDrover, args: readonly string[]): Promise<string> {
  const child = spawn(DROVER, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`drover ${args.join(' ')} ended with ${String(status)}`);
  return said;
}
