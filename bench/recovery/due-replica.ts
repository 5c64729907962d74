// Runs one replica in a process of its own, for measuring how late it does what is due. Ends when its parent says so.
import { DEFAULT_POLICY, type Policy } from '@drover/core';
import { replica } from '../../apps/coordinator/tests/support/coordinator.ts';

/**
 * Milliseconds of a timeout that is never reached: no machine answers the commands that follow from the deadlines, so none of them may become
 * overdue in the measurement.
 */
const NEVER_MS = 3_600_000;

const timeoutMs = { ...DEFAULT_POLICY.command.timeoutMs, observe: NEVER_MS, checkpoint: NEVER_MS };
const policy: Policy = { ...DEFAULT_POLICY, command: { ...DEFAULT_POLICY.command, timeoutMs } };
const running = await replica(process.env['DATABASE_URL'] ?? '', { policy, project: null });
process.on('message', () => process.disconnect());
// Ends also when the parent has died.
process.on('disconnect', () => void running[Symbol.asyncDispose]());
process.send?.('up');
