import type { Checkout, Machine, Project } from '@drover/store';
import { expect, test } from 'vitest';
import { rootOn, slugOf } from './place.ts';

const PROJECT = { id: 'p', name: 'shop', root: '/root/shop' } as Project;
const AT: Checkout = { root: '/made/shop', state: 'ready', error: null, at: 1 };

function machineOf(said: Partial<Machine>): Machine {
  return { places: { workspace: '/w', roots: {} }, checkouts: {}, ...said } as Machine;
}

test.each([
  ['a workspace', machineOf({}), '/w/shop'],
  ['a checkout that it made where its workspace was before', machineOf({ checkouts: { p: AT } }), '/made/shop'],
  ['a checkout of another project', machineOf({ checkouts: { q: AT } }), '/w/shop'],
  [
    'a root of its owner beside one that it made',
    machineOf({ places: { workspace: '/w', roots: { shop: '/own' } }, checkouts: { p: AT } }),
    '/own',
  ],
  ['a workspace that ends with a slash', machineOf({ places: { workspace: '/w/', roots: {} } }), '/w/shop'],
  ['no hello yet', machineOf({ places: null }), null],
  ['no row any more', null, null],
])('given a machine with %s, when it gets a project, then it lies there', (_, machine, root) => {
  expect(rootOn(PROJECT, machine)).toBe(root);
});

test('given a project with the name of a property of every object, when it gets a place, then it is in the workspace', () => {
  expect(rootOn({ ...PROJECT, name: 'constructor' }, machineOf({}))).toBe('/w/constructor');
});

test.each(['shop', 'Shop', 'SHOP', 'shop.', '.shop', '../shop', 'a/b', 'a b', '', '..', '-x', 'ä', 'x'.repeat(300)])(
  'given a project named "%s", when its directory is named, then it is one harmless name',
  (name) => {
    expect(slugOf(name)).toMatch(/^[a-z0-9_][a-z0-9_-]*(?:\.[0-9a-f]{8})?$/u);
  },
);

test('given names that one disk could take for one, when their directories are named, then none is another', () => {
  const names = ['shop', 'Shop', 'SHOP', 'shop ', 'shop.', 'a/b', 'a-b', 'a b', 'ä', 'ö', '', 'project'];

  expect(new Set(names.map((name) => slugOf(name).toLowerCase())).size).toBe(names.length);
});
