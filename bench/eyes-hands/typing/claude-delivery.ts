// Checks that every text arrives at the real Claude Code once and whole. Adds a row to the table where Claude Code is installed.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cacheDirectory, found, isolate, RELEASES } from '@drover/real-agents';
import { z } from 'zod';
import type { Figure } from '../figures.ts';
import { outcomesOf, wordsOf } from './tally.ts';

/** Numbers of texts, of panes and of busy loops; no text leaves the program alone. */
export interface ClaudePlan {
  readonly sends: number;
  readonly panes: number;
  readonly load: number;
}

/** Document that the measurement in the isolation prints. */
const measured = z.object({
  sent: z.number(),
  lost: z.number(),
  doubled: z.number(),
  altered: z.number(),
  announced: z.number(),
  outcomes: z.array(z.tuple([z.string(), z.number()])),
  example: z.object({ requested: z.string(), received: z.string() }).nullable(),
  faults: z.array(z.string()),
  seconds: z.number(),
});

const RELEASE = RELEASES.claude;
const AIM = '0 / 0 / 0';

/** Sends texts of all kinds to Claude Code, which asks a service on loopback: what that receives is the truth. */
export async function measureClaude({ sends, panes, load }: ClaudePlan): Promise<readonly Figure[]> {
  if (sends === 0) return [left(`left out here: npm run bench -- eyes-hands --set only=claude`)];
  const isRoot = process.getuid?.() === 0;
  const cacheDir = cacheDirectory({ xdgCacheHome: process.env['XDG_CACHE_HOME'], home: homedir(), isRoot });
  const argv = await found(RELEASE, { agent: 'claude', cacheDir });
  if (argv === null) return [left('not installed: run npm run e2e:agents -- claude')];
  const { prefix, network } = await isolate(isRoot);
  const script = join(import.meta.dirname, 'claude-run.ts');
  const sizes = ['--sends', `${sends}`, '--panes', `${panes}`, '--load', `${load}`];
  const options = ['--argv', JSON.stringify(argv), ...sizes];
  const { seconds, ...tally } = await printed([...prefix, process.execPath, script, ...options]);
  return [
    {
      what: `delivery, ${RELEASE.name} ${RELEASE.version}, ${panes} panes at once, ${load} busy loops, network ${network}: lost / doubled / altered`,
      drover: wordsOf(tally),
      peer: '',
      aim: AIM,
      met: tally.lost + tally.doubled + tally.altered === 0,
    },
    {
      what: `of these with the announced space or tab; outcomes on the way (${(sends / seconds).toFixed(1)} texts a second)`,
      drover: `${tally.announced}; ${outcomesOf(tally)}`,
      peer: '',
      aim: '',
      met: null,
    },
  ];
}

/** The row of a measurement that did not take place. */
function left(why: string): Figure {
  return { what: `delivery, ${RELEASE.name} ${RELEASE.version}`, drover: why, peer: '', aim: AIM, met: null };
}

type Printed = Omit<z.output<typeof measured>, 'outcomes'> & { readonly outcomes: Map<string, number> };

/** Runs the measurement, with nothing of this environment but where programs are. */
async function printed([program = '', ...args]: readonly string[]): Promise<Printed> {
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', TERM: 'xterm-256color', TMPDIR: '/tmp', SHELL: '/bin/sh' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  const output = await text(child.stdout);
  process.off('exit', stop);
  const { outcomes, example, ...rest } = measured.parse(JSON.parse(output));
  for (const fault of rest.faults) console.error(`  ${fault}`);
  if (example !== null) console.error(`  altered, for example: ${JSON.stringify(example).slice(0, 2_000)}`);
  return { ...rest, example, outcomes: new Map(outcomes) };
}
