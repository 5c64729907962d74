// Measures pages of real agents under a real "drover up": an answer until its agent went on, and nine panes that move at once.
import { pause, systemClock } from '@drover/base';
import type { CDPSession, Page } from 'playwright-core';
import { Stage } from '../../tools/dashboard/stage.ts';
import { databaseUrl, withClient } from '../src/client.ts';
import { openBenchPostgres } from '../src/postgres.ts';

const NAMES = ['ada', 'ben', 'cal', 'dan', 'eva', 'fay', 'gus', 'hal', 'ida'];

export interface Panes {
  /** Share of the time in which the main thread was at work. */
  readonly busy: number;
  /** Milliseconds between two frames, sorted by time. */
  readonly frames: readonly number[];
}

export interface Measured {
  /** Milliseconds from the press to _went on_, of each answer. */
  readonly answers: readonly number[];
  readonly panes: Panes;
}

/** @param rounds Answers that are given. */
export async function measureAgents({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Measured> {
  await using postgres = await openBenchPostgres();
  const { superuserConnectionString: server } = postgres.server;
  await withClient(server, (client) => client.query('create database agents'));
  await using stage = await Stage.open({ databaseUrl: databaseUrl(server, 'agents') });
  for (const name of NAMES) await stage.worker(name);
  const { page } = await stage.window();
  const asks = Array.from({ length: rounds }, (_, at) => `ASK Question ${at}? | yes ${at} | no; SLOW 2000`).join('; ');
  await stage.task('ada', asks, 'needs_input');
  const answers: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const button = page.getByRole('button', { name: `yes ${round}` });
    await button.waitFor({ timeout: 120_000 });
    const from = performance.now();
    await button.click();
    await page.getByText(`“yes ${round}”`).getByText('✓ went on').waitFor({ timeout: 120_000 });
    answers.push(performance.now() - from);
  }
  for (const name of NAMES.slice(1)) await stage.task(name, 'LONGSAY 100000', 'working');
  return { answers, panes: await panesOf(page, stage.url, seconds) };
}

async function panesOf(page: Page, url: string, seconds: number): Promise<Panes> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.goto(`${url}/panes`);
  await page
    .locator('pre')
    .nth(NAMES.length - 1)
    .waitFor({ timeout: 120_000 });
  // Apart from the frames, because asking for a frame at each refresh is work of its own.
  const before = await busySeconds(cdp);
  await pause(systemClock, seconds * 1_000);
  const after = await busySeconds(cdp);
  const frames = await page.evaluate<number[]>(`(${FRAMES})(${seconds * 1_000})`);
  return { busy: (after.busy - before.busy) / (after.at - before.at), frames };
}

async function busySeconds(cdp: CDPSession): Promise<{ readonly busy: number; readonly at: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { busy: of('TaskDuration'), at: of('Timestamp') };
}

/** Runs in the page: milliseconds between frames. */
const FRAMES = `(ms) => new Promise((resolve) => {
  const frames = [];
  const from = performance.now();
  const next = (before) => requestAnimationFrame((at) => {
    frames.push(at - before);
    if (at - from < ms) next(at); else resolve(frames.slice(1));
  });
  next(from);
})`;
