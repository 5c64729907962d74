/** Receives a worker from another machine, and clears the place of one that has gone. */
import type { Query, QueryResult } from '@drover/protocol';
import { CommandError } from '../failure.ts';
import { versionLine } from '../host/version-line.ts';
import { remove } from './commands/remove.ts';
import { transcriptHere } from './conversations.ts';
import type { CommandContext } from './tools.ts';

type Of<K extends Query['kind']> = Extract<Query, { kind: K }>;

/** Tells whether the worker can come; with a move freezes its place, so that nothing starts there before it is let in. */
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

/** Clears the place; the trash keeps its content for 14 days. A place that is not frozen for this move is the worker's, or was cleared before. */
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
