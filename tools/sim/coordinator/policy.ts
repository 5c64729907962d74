// Defines the policy of schedules.
import type { Leases } from '@drover/coordinator/testing';
import { DEFAULT_POLICY } from '@drover/core';
import type { DialogWish, Policy } from '@drover/core';

/** The policy of the simulation: the rules as they are, with waits that are short enough to be reached often. */
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  startUp: { timeoutMs: 20_000, attemptsMax: 3 },
  nudge: { ...DEFAULT_POLICY.nudge, firstMs: 60_000, secondMs: 80_000, askMs: 100_000 },
  agentError: { ...DEFAULT_POLICY.agentError, patienceMs: 15_000 },
  limit: { waitMs: 20_000, waitMaxMs: 60_000, attemptsMax: 5, spread: 0.2 },
  crash: { ...DEFAULT_POLICY.crash, limitWaitMs: 20_000 },
  account: {
    unknownReset: { firstDelayMs: 15_000, capMs: 60_000, factor: 2, jitter: 0.2 },
    spreadMs: 5_000,
    staggerMs: 500,
    probeTimeoutMs: 30_000,
  },
  checkpoint: { ...DEFAULT_POLICY.checkpoint, everyMs: 15_000 },
  run: { ...DEFAULT_POLICY.run, handBackMs: 20_000, limitWaitMs: 20_000, rampMs: 5_000 },
  silence: { firstMs: 20_000, againMs: 10_000 },
  command: {
    ...DEFAULT_POLICY.command,
    timeoutMs: {
      ...DEFAULT_POLICY.command.timeoutMs,
      prepare: 30_000,
      rebase: 30_000,
      validate: 60_000,
      recycle: 30_000,
      remove: 30_000,
    },
  },
};

/** Holds one object for each wish, since results drawn from a policy are cached by its identity. */
export const POLICIES: Readonly<Record<DialogWish, Policy>> = {
  ask: POLICY,
  allow: { ...POLICY, dialogs: { ...POLICY.dialogs, permission: 'allow', other: 'allow' } },
  deny: { ...POLICY, dialogs: { ...POLICY.dialogs, permission: 'deny', other: 'deny' } },
};

/** A lease is over soon where gateways take over from each other, so that a schedule sees it. */
export const HOST_LEASES: Leases = { suspectAfterMs: 12_000, disconnectedAfterMs: 90_000 };
