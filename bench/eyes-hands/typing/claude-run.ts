// Records what the model's service receives of texts that Drover delivers to Claude Code. Runs inside the isolation; prints JSON.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MockModel, PROGRAMS } from '@drover/real-agents';
import { z } from 'zod';
import { busyLoops } from '../busy-loops.ts';
import { BenchFleet, type Cast } from './bench-fleet.ts';
import { numbers, sendOurs, tallyOf } from './tally.ts';

/** Claude Code, asking the given service; what that was asked is what was taken. */
function claude([program, ...args]: [string, ...string[]], model: MockModel): Cast {
  const { settle, env } = PROGRAMS.claude;
  return {
    profile: 'claude',
    program: async ({ dir, root }) => {
      const place = { home: join(dir, 'home'), root, model: model.url };
      await settle(place);
      return { program: [program, ...args], args: [], env: { ...env(place) } };
    },
    // Texts without a keyword of the service are answered at once.
    answerQuickly: () => {},
    taken: () => model.exchanges.flatMap(({ asked, at }) => asked.texts.map((prompt) => ({ prompt, at }))),
  };
}

const { values } = parseArgs({
  options: { argv: { type: 'string' }, sends: { type: 'string' }, panes: { type: 'string' }, load: { type: 'string' } },
});
const argv = z.tuple([z.string()], z.string()).parse(JSON.parse(values.argv ?? '[]'));
await using model = await MockModel.start({ now: () => Date.now() });
await using fleet = await BenchFleet.start(Number(values.panes), claude(argv, model));
using loops = new DisposableStack();
loops.use(busyLoops(Number(values.load)));
const startedAt = performance.now();
const tally = await tallyOf(fleet, numbers(0, Number(values.sends)), sendOurs);
const seconds = (performance.now() - startedAt) / 1_000;
process.stdout.write(`${JSON.stringify({ ...tally, outcomes: [...tally.outcomes], seconds })}\n`);
