/** Checks that a restart of the machine is reported until a list of panes has gone out, also by the next gateway. */
import { expect, test } from 'vitest';
import { startsNotedIn, type MachineStarts } from './machine-starts.ts';

/** Machine whose start has this id, with a directory that outlives it. */
function starting(
  disk: Map<string, string>,
  bootId: string | null,
  link = { isCut: false },
  drive = { isFull: false },
): MachineStarts {
  const facts = { hostname: 'far', platform: 'linux', zone: 'UTC', home: '/home/ada', bootId };
  const bytesAt = (path: string): Uint8Array | undefined => {
    const text = disk.get(path);
    return text === undefined ? undefined : Buffer.from(text);
  };
  const host = {
    facts: () => (link.isCut ? Promise.reject(new Error('the link broke')) : Promise.resolve(facts)),
    readFile: (path: string) => Promise.resolve(bytesAt(path)),
    writeFile: (path: string, text: string | Uint8Array) =>
      drive.isFull ? Promise.reject(new Error('no space')) : Promise.resolve(void disk.set(path, String(text))),
  };
  return startsNotedIn(host, '/drover/boot-id');
}

test('given a machine that starts again, when agents come, then each says so until one has noted it, and none before the first', async () => {
  const disk = new Map<string, string>();
  const told: boolean[] = [];

  const first = starting(disk, 'one');
  told.push(await first.hasStartedAgain());
  await first.note();
  told.push(await starting(disk, 'one').hasStartedAgain());
  const diesBefore = starting(disk, 'two');
  told.push(await diesBefore.hasStartedAgain());
  const notes = starting(disk, 'two');
  told.push(await notes.hasStartedAgain());
  await notes.note();
  told.push(await notes.hasStartedAgain(), await starting(disk, 'two').hasStartedAgain());

  expect(told).toEqual([false, false, true, true, false, false]);
});

test.each([
  ['does not tell its start', 'one\n', null],
  ['has a file that a loss of power has emptied', '', 'two'],
])('given a machine that %s, when an agent comes, then it says nothing of a restart', async (_what, kept, bootId) => {
  const disk = new Map([['/drover/boot-id', kept]]);

  expect(await starting(disk, bootId).hasStartedAgain()).toBe(false);
});

test('given a link that breaks while the list is told, when it is back, then the next list says what that one could not', async () => {
  const disk = new Map([['/drover/boot-id', 'one\n']]);
  const link = { isCut: true };
  const starts = starting(disk, 'two', link);

  const unasked = await starts.hasStartedAgain();
  link.isCut = false;
  await starts.note();

  expect([unasked, await starts.hasStartedAgain()]).toEqual([false, true]);
});

test('given a start that was told and could not be noted, when the next list of the same agent is told, then it says nothing of it', async () => {
  const disk = new Map([['/drover/boot-id', 'one\n']]);
  const full = { isFull: true };
  const starts = starting(disk, 'two', { isCut: false }, full);

  const told = await starts.hasStartedAgain();
  await starts.note();
  const toldAgain = await starts.hasStartedAgain();
  full.isFull = false;
  await starts.note();

  expect([told, toldAgain]).toEqual([true, false]);
  expect(disk.get('/drover/boot-id')).toBe('two\n');
});
