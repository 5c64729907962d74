/** Checks that no other user of the machine can read secrets in the arguments of a process: `ps` shows them to everybody. */
import { expect, test } from 'vitest';

import type { PaneState, TmuxHost } from '../src/index.ts';
import { BreakableHost } from './support/doubles.ts';
import { Rig, shows } from './support/rig.ts';
import { host as plainHost } from './support/test-host.ts';

const CANARY = 'canary-5f0a7b';

/** Program that checks its environment. */
const GIVEN = 'test "${API_KEY#canary}" = "-5f0a7b-env;" && echo the program has it; exec cat';

/** Records the arguments of every program that is started. */
function recording(host: TmuxHost): { host: TmuxHost; started: string[] } {
  const started: string[] = [];
  const { stat, processes, link, noteTime } = host;
  const recorded: TmuxHost = {
    stat,
    processes,
    link,
    noteTime,
    run: (program, args, options) => {
      started.push([program, ...args].join(' '));
      return host.run(program, args, options);
    },
    spawnStream: (program, args, options) => {
      started.push([program, ...args].join(' '));
      return host.spawnStream(program, args, options);
    },
  };
  return { host: recorded, started };
}

/** Looks at all processes of the machine, again and again, until `work` is done. @returns lines with the canary. */
async function seenWhile(work: () => Promise<void>): Promise<readonly string[]> {
  const found = new Set<string>();
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      const { stdoutBytes } = await plainHost.run('ps', ['-ww', '-eo', 'args'], { timeoutMs: 5_000 });
      for (const line of Buffer.from(stdoutBytes).toString().split('\n')) if (line.includes(CANARY)) found.add(line);
    }
  })();
  await work().finally(() => over.abort());
  await looking;
  return [...found];
}

test.each([['over the control connection'], ['by spawned commands']])(
  'given variables and prompts with a secret, when panes are started and typed into %s, then no process shows it',
  async (way) => {
    await using rig = await Rig.make();
    const breakable = new BreakableHost();
    breakable.refuses = way === 'by spawned commands';
    const { host, started } = recording(breakable);
    await using server = await rig.open({ host });
    const program = { cwd: rig.dir, argv: ['sh', '-c', GIVEN], env: { API_KEY: `${CANARY}-env;` } };

    const seen = await seenWhile(async () => {
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const outcome = await server.createSession({ ...program, name: `w${index}` });
          if (outcome.kind !== 'created') throw new Error(outcome.kind);
          const pane = outcome.pane.incarnation;
          await server.withPane(pane, (hands) => hands.pasteAndEnter(`${CANARY}-pasted`));
          await server.withPane(pane, (hands) => hands.typeText(`${CANARY}-typed`, { chunk: 1_000, gapMs: 0 }));
          await server.respawn(pane, { ...program, force: true });
        }),
      );
    });

    expect(server.isConnected).toBe(way !== 'by spawned commands');
    expect(started.filter((line) => line.includes(CANARY))).toEqual([]);
    expect(seen).toEqual([]);
    await shows(server, first(await server.listPanes()), 'the program has it');
  },
);

function first(panes: readonly PaneState[]): PaneState['incarnation'] {
  const [pane] = panes;
  if (pane === undefined) throw new Error('no pane');
  return pane.incarnation;
}
