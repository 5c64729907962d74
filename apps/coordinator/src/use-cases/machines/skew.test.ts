import { PROTOCOL_VERSION } from '@drover/protocol';
import type { Machine } from '@drover/store';
import { expect, test } from 'vitest';
import { skewOf } from './skew.ts';

const brought = [{ minor: 7, what: 'two workers of one name' }];
const OVER_SSH = { gateway: { id: 'g', name: 'home', until: 1 } } as unknown as Machine['ssh'];

test.each([
  ['an agent', null, /^has an agent of an older version .*two workers of one name.*drover machine upgrade/u],
  ['a gateway', OVER_SSH, /^is served by a gateway "home" of an older version .*"drover server gateway" again/u],
])(
  'given %s of an older version, when its machine is shown, then what to upgrade is named, and how',
  (_, ssh, says) => {
    expect(skewOf({ facts: { protocol: '3.2' }, ssh }, { brought })).toMatch(says);
  },
);

test('given a version that is refused, when its machine is shown, then it is not said to work', () => {
  const old = { facts: { protocol: '3.2' }, ssh: null };

  expect(skewOf(old, { minVersion: '3.3', brought })).toMatch(
    /which is refused, because .*min_version is 3\.3\. To upgrade it: .*upgrade/u,
  );
  expect(skewOf(old, { minVersion: '3.2', brought })).toMatch(/which works but may lack/u);
});

test('given what is as new, or has not said hello, when its machine is shown, then nothing is said', () => {
  expect([skewOf({ facts: { protocol: PROTOCOL_VERSION }, ssh: null }), skewOf({ facts: null, ssh: null })]).toEqual([
    null,
    null,
  ]);
});
