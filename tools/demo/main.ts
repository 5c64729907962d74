// `npm run demo`: Drover does its job before your eyes, in about 20 seconds, on simulated agents.
import { parseArgs } from 'node:util';
import { messageOf } from '@drover/base';
import { Page } from './page.ts';
import { checkNothingRuns, directoriesOf, makePlace, removePlace, sweep } from './place.ts';
import type { Stage } from './stage.ts';
import { conclude, DEMOS, type Demo, farewellKept, HELP, prologue } from './texts.ts';

const ENDED = new Error('Ended by you; everything is removed again.');

async function main(demo: Demo, keep: boolean): Promise<number> {
  const trouble = Promise.withResolvers<never>();
  trouble.promise.catch(() => {}); // nobody waits for it after the end
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => trouble.reject(ENDED));
  const page = new Page({ colours: coloured(), write: (text) => void process.stdout.write(text) });
  const place = await makePlace();
  const stage: Stage = { place, page, fail: trouble.reject, stack: new AsyncDisposableStack() };
  try {
    await Promise.race([perform(stage, demo, keep), trouble.promise]);
    return 0;
  } catch (error) {
    const isEnded = error === ENDED;
    page.text(`\n${messageOf(error)}`, 'bad');
    if (!keep && !isEnded) page.text('To look around afterwards, repeat it with: npm run demo -- --keep');
    if (keep) farewellKept(page, place);
    return isEnded ? 130 : 1;
  } finally {
    await stage.stack.disposeAsync();
    if (!keep) await sweep(place);
  }
}

async function perform(stage: Stage, demo: Demo, keep: boolean): Promise<void> {
  const { page, place, stack } = stage;
  prologue(page, demo, { base: place.base, keep });
  const { fleet, kept, elsewhere = [] } = await demo.play(stage);
  if (keep) {
    conclude(page, demo, kept);
    return farewellKept(page, place);
  }
  page.chapter('The end');
  await fleet.down();
  await stack.disposeAsync();
  await checkNothingRuns([...(await directoriesOf(place)), ...elsewhere]);
  await removePlace(place);
  conclude(page, demo, [...kept, 'nothing is left behind: no session, no process, no directory']);
}

function coloured(): boolean {
  return process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}

try {
  const { values } = parseArgs({
    options: {
      keep: { type: 'boolean', default: false },
      chat: { type: 'boolean', default: false },
      fleet: { type: 'boolean', default: false },
      run: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { keep, help } = values;
  const [name = 'tasks', ...more] = (['chat', 'fleet', 'run'] as const).filter((one) => values[one]);
  if (more.length > 0) throw new Error('--chat, --fleet and --run are demos of their own: name one of them');
  if (keep && (name === 'fleet' || name === 'run')) throw new Error('--keep is for a demo on one laptop: leave it out');
  if (help) console.log(HELP);
  // Polls of a demo that ended early would keep the process.
  else process.exit(await main(DEMOS[name], keep));
} catch (error) {
  console.error(`demo: ${messageOf(error)}`);
  process.exitCode = 2;
}
