/** Builds the context of use cases in tests: no time passes, no hint goes out, and nothing is logged. */
import { DEFAULT_POLICY } from '@drover/core';
import type { Context } from '../context/context.ts';
import { TEST_IDENTITY } from './identity.ts';

/** Builds a context on this store; `patch` holds the test's differences. */
export function testContext(patch: Pick<Context, 'store'> & Partial<Context>): Context {
  return {
    clock: { now: () => 1, after: () => () => {} },
    ids: { uuid: () => 'id', secret: () => 'secret' },
    log: () => {},
    identity: TEST_IDENTITY,
    hints: { commands: () => {}, events: () => {}, due: () => {} },
    fleetSize: { machines: 1 },
    random: () => 0,
    policy: DEFAULT_POLICY,
    accountOf: (profile) => ({ program: profile, account: null }),
    patrolEveryMs: null,
    ...patch,
  };
}
