/** What does a machine do for a worker that comes from another machine, or has gone to one? */
import type { Query, QueryResult } from '@drover/protocol';
import { CommandError } from '../failure.ts';
import { versionLine } from '../host/version-line.ts';
import { remove } from './commands/remove.ts';
import { transcriptHere } from './conversations.ts';
import type { CommandContext } from './tools.ts';

type Of<K extends Query['kind']> = Extract<Query, { kind: K }>;

/** Whether the worker can come; with a move its place is frozen, so that nothing begins there before it is let in. */
export async function expectWorker(context: CommandContext, { move }: Of<'expect'>): Promise<QueryResult> {
  const { profiles, settings, host, frozenPlaces, tmux } = context;
  // @throws CommandError for a profile that this machine does not know.
  const { program, profile } = profiles.of(settings);
  const alive = await tmux.find(settings.workerId);
  if (alive !== undefined && !alive.pane.dead)
    throw new CommandError(
      'session-here',
      `A session of "${settings.name}" runs on this machine already: close it first`,
    );
  const [path = '', ...args] = program;
  const version = (await versionLine(host, path, [...args, '--version'])) ?? '';
  if (move !== null) await frozenPlaces.freeze(settings.workerId, move);
  return { kind: 'expected', version, keeps: transcriptHere(profile) };
}

/** The trash keeps what was left for 14 days. A place that is not frozen for this move is the worker's, or was cleared before. */
export async function leavePlace(context: CommandContext, { move }: Of<'leave-place'>): Promise<QueryResult> {
  const { frozenPlaces, settings, tmux } = context;
  if ((await frozenPlaces.frozenFor(settings.workerId)) !== move) return { kind: 'left', kept: null };
  const alive = await tmux.find(settings.workerId);
  if (alive !== undefined)
    throw new CommandError('session-here', `A session of "${settings.name}" is on this machine, so its worktree stays`);
  const outcome = await remove(context, { kind: 'remove', force: true });
  if (outcome.kind === 'not-removed') throw new CommandError('not-removed', outcome.why, { retry: true });
  await frozenPlaces.letIn(settings.workerId);
  return { kind: 'left', kept: outcome.kind === 'removed' ? outcome.kept : null };
}
