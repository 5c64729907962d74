/** Limits of a machine's owner on programs that ask for no permission. */
import type { Command } from '@drover/core';
import { WORKER_SETTINGS } from '@drover/protocol/testing';
import { BUILT_IN_PROFILES } from '@drover/screen';
import { expect, test } from 'vitest';
import { confineTo, NO_CEILINGS, type Ceilings } from '../../src/execute/ceilings.ts';
import type { Confine } from '../../src/execute/ports.ts';

const OPEN: Command = { kind: 'open', launch: { kind: 'fresh', conversation: 'c' } };

/** Confines a command, with all lines that were logged. */
function confined(
  { profile, skipPermissions, isCaged }: { profile: string; skipPermissions: boolean; isCaged: boolean },
  command: Command = OPEN,
): { readonly done: ReturnType<Confine>; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const ceilings: Ceilings = { ...NO_CEILINGS, skipPermissions };
  const confine = confineTo(ceilings, {
    realPath: (path) => Promise.resolve(path),
    asksNothing: (worker) => BUILT_IN_PROFILES.get(worker.profile)?.launch.asksNothing === true,
    isCaged: () => isCaged,
    log: (_level, message) => lines.push(message),
  });
  return { done: confine({ ...WORKER_SETTINGS, profile }, { kind: 'command', seq: 1, command }), lines };
}

test('given an owner whose agents must ask, when Pi, which asks nothing, is to be started outside a cage, then it is refused', async () => {
  const { done } = confined({ profile: 'pi', skipPermissions: false, isCaged: false });

  await expect(done).rejects.toMatchObject({ code: 'asks-nothing', retry: false });
  await expect(done).rejects.toThrow('"pi" asks for no permission');
});

test.each([
  ['a cage', { profile: 'pi', skipPermissions: false, isCaged: true }],
  ['an owner who lets agents skip permissions', { profile: 'pi', skipPermissions: true, isCaged: false }],
])(
  'given Pi and %s, when it is to be started, then it counts as one that skips permissions, and the log says so',
  async (_what, given) => {
    const { done, lines } = confined(given);

    expect(await done).toMatchObject({ skipPermissions: true });
    expect(lines).toEqual([expect.stringContaining('works with skip_permissions, because its program "pi" asks')]);
  },
);

test('given an owner whose agents must ask, when a program that asks is started, or the pane of Pi is closed, then both are allowed', async () => {
  const asking = confined({ profile: 'claude', skipPermissions: false, isCaged: false });
  const closing = confined({ profile: 'pi', skipPermissions: false, isCaged: false }, { kind: 'close' });

  expect(await asking.done).toMatchObject({ skipPermissions: false });
  expect(asking.lines).toEqual([]);
  await expect(closing.done).resolves.toMatchObject({ profile: 'pi' });
});
