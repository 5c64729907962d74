import { expect, test } from 'vitest';
import { tightestDisk } from './disk.ts';

const DISKS: Readonly<Record<string, { readonly bytes: number; readonly freeBytes: number }>> = {
  '/home': { bytes: 100, freeBytes: 50 },
  '/mnt/agents': { bytes: 10, freeBytes: 1 },
};
const host = { disk: (place: string) => Promise.resolve(DISKS[place]) };

test.each([
  [['/home', '/mnt/agents'], 1],
  [['/home'], 50],
  [['/nowhere', '/home'], 50],
])(
  'given places at %j, when their disks are read, then the one with the least room counts: %i',
  async (places, free) => {
    expect(await tightestDisk(host, places)).toMatchObject({ freeBytes: free });
  },
);

test('given a place that cannot be read, when its disk is asked for, then there is none', async () => {
  expect(await tightestDisk(host, ['/nowhere'])).toBeNull();
});
