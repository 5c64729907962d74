import { newWorker } from '@drover/core';
import type { Machine, Project, RosterRow } from '@drover/store';
import { expect, test } from 'vitest';
import { whyNoNamesake } from './namesakes.ts';

const [SHOP, TOOLS] = ['shop', 'tools'].map((id) => ({ id, name: id, root: null }) as Project) as [Project, Project];
const EVA = { name: 'eva', projectId: SHOP.id, machineId: 'm', state: newWorker() } as Partial<RosterRow> as RosterRow;

function machineOf(said: Partial<Machine>): Machine {
  const places = { workspace: '/w', roots: {} };
  return { id: 'm', places, checkouts: {}, ...said } as Machine;
}

test.each([
  ['a checkout for each of the projects', machineOf({}), null],
  ['one checkout for both', machineOf({ places: { workspace: '/w', roots: { tools: '/w/shop' } } }), /same checkout/],
  ['an agent that has said no hello yet', machineOf({ places: null }), /same checkout/],
])('given a machine with %s, when a namesake of another project comes, then it is let in or not', (_, at, why) => {
  const told = whyNoNamesake({ workers: [EVA], projects: [SHOP, TOOLS] }, at, { project: TOOLS, name: 'eva' });

  if (why === null) expect(told).toBeNull();
  else expect(told).toMatch(why);
});
