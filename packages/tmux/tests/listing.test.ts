/** Checks that a pane is in every list, whatever its program does meanwhile. */
import { expect, test } from 'vitest';

import { eventually, Rig } from './support/rig.ts';

/** Program whose name changes all the time, as the name of each program does when it starts. */
const RENAMES = 'for (;;) { process.title = "a"; process.title = "a-much-longer-name"; }';
/** Number of lists. Half of so many failed while one answer read the name twice. */
const LISTS = 200;

test('given a program that changes its name, when panes are listed, then each pane is there with its options', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const programs = { one: ['cat'], two: [process.execPath, '-e', RENAMES], three: ['cat'] };
  for (const [name, argv] of Object.entries(programs)) {
    await server.createSession({ name, argv, cwd: rig.dir, options: { '@drover_worker': name } });
  }
  await eventually(async () => {
    const panes = await server.listPanes();
    expect(panes.map(({ currentCommand }) => currentCommand)).toContain('a-much-longer-name');
  });

  const seen = new Set<string>();
  for (let list = 0; list < LISTS; list += 1) {
    const workers = (await server.listPanes()).map(({ options }) => options['@drover_worker']);
    seen.add(workers.toSorted().join());
  }

  expect([...seen]).toEqual(['one,three,two']);
});

test('given a name of a program that looks like another pane, when panes are listed, then it is a name in one line', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const title = 'x\npane|%1|éz';
  await rig.start(server, 'w', [
    process.execPath,
    '-e',
    `process.title = ${JSON.stringify(title)}; setInterval(() => {}, 1e6);`,
  ]);

  await eventually(async () => {
    const panes = await server.listPanes();
    expect(panes.map(({ currentCommand }) => currentCommand)).toEqual(['x?pane|%1|?z']);
  });
});
