// Measures the dashboard against its aims: real pages in Chromium, from a real coordinator with a Postgres whose rows change all the time.
//
// npm run bench -- dashboard [--smoke] [--set hours=N] [--set only=fleet|heap|agents|sizes]   N: hours whose changes are played before the heap is read
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Benchmark } from '../src/benchmark.ts';
import { ms, percentile, table } from '../src/table.ts';
import { measureAgents } from './agents.ts';
import { heapOfHours, KEEP_LINE } from './day.ts';
import { keepChanging, openPage, say, startShownFleet } from './fleet.ts';
import type { ShownFleet } from './fleet.ts';
import { heapMiB, interactionsOf, longDiff, paintedAt, PRESSES, when } from './page.ts';

const WORKERS = 500;
const CHANGES_PER_SECOND = 50;
const DIFF_LINES = 10_000;
/** Times by which a phone is slower than this machine. */
const PHONE = 4;

/** A measure beside its aim. `limit`: the largest number that is within it. */
interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 'MiB' | 'KiB' | 'elements' | '%';
  readonly limit: number;
  readonly beside: string;
}

export const benchmark: Benchmark = {
  about: `the pages with ${WORKERS} workers and ${CHANGES_PER_SECOND} changes a second: paint, keys, long diffs, heap, sizes`,
  run: async ({ smoke, settings }) => {
    const hours = Number(settings['hours'] ?? (smoke ? 0.02 : 8));
    const parts: Readonly<Record<string, () => Promise<readonly Row[]> | readonly Row[]>> = {
      // A smoke run judges nothing: its fleet does for both.
      fleet: () => ofFleet(smoke, smoke ? hours : 0),
      ...(!smoke && { heap: () => ofHeap(hours) }),
      agents: () => ofAgents(smoke),
      sizes,
    };
    const rows: Row[] = [];
    for (const [name, measure] of Object.entries(parts))
      if ((settings['only'] ?? name) === name) rows.push(...(await measure()));
    console.log(
      table(
        ['what', 'measured', 'aim', 'kept', 'beside it'],
        rows.map(({ what, value, unit, limit, beside }) => [
          what,
          shown(value, unit),
          shown(limit, unit),
          value <= limit ? 'yes' : 'NO',
          beside,
        ]),
      ),
    );
    return smoke || rows.every(({ value, limit }) => value <= limit);
  },
};

function shown(value: number, unit: Row['unit']): string {
  return unit === 'ms' ? ms(value) : `${value.toFixed(unit === 'elements' ? 0 : 1)} ${unit}`;
}

/** @param hours Hours of changes before the heap is read, too; 0: it is not. */
async function ofFleet(smoke: boolean, hours: number): Promise<readonly Row[]> {
  await using fleet = await startShownFleet(WORKERS);
  return [
    ...(await paints(fleet, smoke ? 2 : 5)),
    ...(await changes(fleet, smoke ? 5 : 40)),
    ...(await keysUnderLoad(fleet)),
    ...(await diffs(fleet)),
    ...(hours > 0 ? await heaps(fleet, hours) : []),
  ];
}

async function ofHeap(hours: number): Promise<readonly Row[]> {
  await using fleet = await startShownFleet(WORKERS);
  return await heaps(fleet, hours);
}

async function ofAgents(smoke: boolean): Promise<readonly Row[]> {
  const { answers, panes } = await measureAgents(smoke ? { rounds: 2, seconds: 3 } : { rounds: 20, seconds: 30 });
  return [
    {
      what: `answer → went on, p95 of ${answers.length}`,
      value: percentile(answers, 0.95),
      unit: 'ms',
      limit: 1_000,
      beside: '',
    },
    {
      what: '9 panes that move: main thread',
      value: panes.busy * 100,
      unit: '%',
      limit: 15,
      beside: 'prototype, 30 panes: rows of text 13 to 17 %, xterm DOM 29 %, xterm WebGL 61 %',
    },
    {
      what: '… frame, p99',
      value: percentile(panes.frames, 0.99),
      unit: 'ms',
      limit: 34,
      beside: 'prototype, 30 panes: 33, 67, 183 ms',
    },
  ];
}

/** From the request for the page to the first row of the table, with an empty cache. */
async function paints(fleet: ShownFleet, rounds: number): Promise<readonly Row[]> {
  const median = async (slower: number, width: number): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { page, cdp } = await openPage(fleet, fleet.url, { slower, width });
      await cdp.send('Network.clearBrowserCache');
      await page.reload();
      times.push(await paintedAt(page));
      await page.context().close();
    }
    return percentile(times, 0.5);
  };
  const what = `${WORKERS} workers, first row painted, cold`;
  return [
    { what, value: await median(1, 1_280), unit: 'ms', limit: 800, beside: 'prototype 510 to 675 ms' },
    { what: `${what}, phone`, value: await median(PHONE, 360), unit: 'ms', limit: 2_500, beside: 'prototype 2.5 s' },
  ];
}

/** From the commit of a change to its words in a browser. */
async function changes(fleet: ShownFleet, rounds: number): Promise<readonly Row[]> {
  const p95 = async (url: string): Promise<number> => {
    const { page } = await openPage(fleet, url);
    // A row that is always in view.
    await page.goto(`${url}/?q=w${WORKERS}`);
    await paintedAt(page);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const words = `said in round ${round} at ${url}`;
      await say(fleet.client, WORKERS, words);
      const from = Date.now();
      const isShown = `document.body.innerText.includes(${JSON.stringify(words)})`;
      times.push((await when(page, isShown, 'Date.now()')) - from);
    }
    await page.context().close();
    return percentile(times, 0.95);
  };
  return [
    { what: 'saved to painted, p95', value: await p95(fleet.url), unit: 'ms', limit: 300, beside: '' },
    { what: '… on another replica', value: await p95(fleet.otherUrl), unit: 'ms', limit: 600, beside: '' },
  ];
}

/** Keys while rows change, on a slow processor. */
async function keysUnderLoad(fleet: ShownFleet): Promise<readonly Row[]> {
  const { page } = await openPage(fleet, fleet.url, { slower: PHONE });
  await paintedAt(page);
  await using stack = new AsyncDisposableStack();
  stack.use(keepChanging(fleet.client, { workers: WORKERS, perSecond: CHANGES_PER_SECOND }));
  const keys = await interactionsOf(page);
  await page.context().close();
  return [
    {
      what: `key to its paint, p75 of ${PRESSES}, ${CHANGES_PER_SECOND} changes a second, CPU / ${PHONE}`,
      value: percentile(keys, 0.75),
      unit: 'ms',
      limit: 100,
      beside: 'GitHub publishes 40 to 80 ms above 10,000 diff lines',
    },
    {
      what: '… p98, as browsers report it',
      value: percentile(keys, 0.98),
      unit: 'ms',
      limit: 200,
      beside: '"good" below 200',
    },
  ];
}

/** Heap after the changes of a working day, at 50 a second, played as fast as the page takes them. */
async function heaps(fleet: ShownFleet, hours: number): Promise<readonly Row[]> {
  const { page, cdp } = await openPage(fleet, fleet.url);
  await page.addInitScript({ content: KEEP_LINE });
  await page.reload();
  await paintedAt(page);
  const all = await heapOfHours({ page, cdp }, { hours, rows: Math.round(CHANGES_PER_SECOND / 4) });
  await page.context().close();
  const [first = Number.NaN] = all;
  const last = all.at(-1) ?? Number.NaN;
  return [
    { what: `heap after the changes of ${hours} hours`, value: last, unit: 'MiB', limit: 60, beside: '' },
    { what: '… more than after the first hour', value: last - first, unit: 'MiB', limit: 5, beside: '' },
  ];
}

async function diffs(fleet: ShownFleet): Promise<readonly Row[]> {
  const { page, cdp } = await openPage(fleet, fleet.url);
  await page.route(/trpc\/workers\.review/u, (route) =>
    route.fulfill({ json: { result: { data: longDiff(DIFF_LINES) } } }),
  );
  await page.goto(`${fleet.url}/review/bench/w1`);
  const file = page.getByRole('button', { name: /long\.ts/u });
  await file.waitFor();
  const opening = page.evaluate<number>(OPEN_FILE);
  const opened = await opening;
  const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
  const heap = await heapMiB(cdp);
  await page.context().close();
  const what = `a diff of ${DIFF_LINES} lines`;
  return [
    {
      what: `${what}: its first screen`,
      value: opened,
      unit: 'ms',
      limit: 300,
      beside: 'react-diff-view, 5,000 lines: 3 s',
    },
    { what: '… elements', value: elements, unit: 'elements', limit: 5_000, beside: 'react-diff-view: 108,191' },
    { what: '… heap', value: heap, unit: 'MiB', limit: 60, beside: '' },
  ];
}

/** Runs in the page: opens the file and tells how long it takes until its lines are painted. */
const OPEN_FILE = `new Promise((resolve) => {
  const from = performance.now();
  const look = () => document.querySelector('[data-line]') === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => resolve(performance.now() - from));
  [...document.querySelectorAll('[data-file-head]')].find((one) => one.textContent.includes('long.ts')).click();
  look();
})`;

function sizes(): readonly Row[] {
  const dist = path.resolve(import.meta.dirname, '../../apps/dashboard/dist');
  const index = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const files = readdirSync(path.join(dist, 'assets')).filter((name) => name.endsWith('.js'));
  const kib = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(path.join(dist, 'assets', name))).length, 0) / 1024;
  const first = kib(files.filter((name) => index.includes(name)));
  return [
    { what: 'first JavaScript, gzip', value: first, unit: 'KiB', limit: 170, beside: '' },
    { what: 'all JavaScript, gzip', value: kib(files), unit: 'KiB', limit: 320, beside: '' },
  ];
}
