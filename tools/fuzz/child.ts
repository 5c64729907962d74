// A real coordinator in a process of its own, without the handlers of stray errors that `drover` has: what would reach them ends it.
import { replica } from '../../apps/coordinator/tests/support/coordinator.ts';
import type { FromChild } from './target.ts';

const databaseUrl = process.env['DATABASE_URL'] ?? '';
const tell = (message: FromChild): void => void process.send?.(message);
const coordinator = await replica(databaseUrl, {
  log: (level, message) => void (level === 'error' && tell({ kind: 'error', message })),
});
process.on('disconnect', () => process.exit());
tell({ kind: 'ready', url: coordinator.url, invitations: [await coordinator.invite(), await coordinator.invite()] });
