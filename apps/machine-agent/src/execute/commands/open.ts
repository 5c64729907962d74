/** How does a worker's agent program come to run in its pane? */
import { realpath } from 'node:fs/promises';
import type { Launch, Op, OpResult } from '@drover/core';
import type { Seat } from '@drover/protocol';
import {
  formatIncarnation,
  parseIncarnation,
  type PaneFacts,
  type PaneProgram,
  type RespawnOutcome,
  type SessionPlan,
} from '@drover/tmux';
import { OrderError } from '../../failure.ts';
import { paneProgram } from '../../panes/launch.ts';
import { OPTIONS } from '../../panes/managed.ts';
import type { Placed, SessionServer } from '../../panes/house.ts';
import { hookFiles, installHooks } from '../../signals/hooks.ts';
import { offerService, serviceFile } from '../../signals/service.ts';
import { keepsTranscripts, sizeOf, transcriptPath } from '../../signals/transcript.ts';
import type { OrderContext } from '../tools.ts';
import { worktreeOf } from '../worktree-of.ts';

/** Answers `opened`, also when the session is there already; a dead program in it is started anew. */
export async function open(context: OrderContext, { launch }: Extract<Op, { kind: 'open' }>): Promise<OpResult> {
  const { seat, tmux } = context;
  const start = await startOf(context, launch);
  const existing = await tmux.find(seat.workerId);
  if (existing !== undefined) return openExisting(context, existing, { start, wanted: launch.conversation });
  const outcome = await tmux.place((server) => server.createSession(sessionOf(seat, start)));
  switch (outcome.kind) {
    case 'created':
      return opened(context, outcome.pane, start.conversation);
    case 'cwd-missing':
      throw worktreeMissing(context);
    case 'exists': {
      const what = `a tmux session "drover-${seat.name}" is there that is not this worker's`;
      throw new OrderError('session-name-taken', `Cannot open "${seat.name}": ${what}. End it, or rename the worker`);
    }
    default:
      return outcome satisfies never;
  }
}

/** Starts the program anew in the pane of the ordered life. A pane that was started anew already is answered. */
export async function respawn(context: OrderContext, op: Extract<Op, { kind: 'respawn' }>): Promise<OpResult> {
  const found = await context.tmux.find(context.seat.workerId);
  if (found === undefined) return { kind: 'pane-gone' };
  const { server, pane: present } = found;
  const start = await startOf(context, op.launch);
  const isOrdered = formatIncarnation(present.incarnation) === op.incarnation;
  if (!isOrdered && !present.dead) return kept(context, present, op.launch.conversation);
  return startAnew(context, { server, pane: present, start, force: isOrdered && op.force });
}

interface Start {
  readonly program: PaneProgram;
  /** The conversation that the program is really started with. */
  readonly conversation: string;
}

function sessionOf(seat: Seat, start: Start): SessionPlan {
  return {
    name: `drover-${seat.name}`,
    ...start.program,
    width: seat.sessionWidth,
    height: seat.sessionHeight,
    options: {
      [OPTIONS.worker]: seat.workerId,
      [OPTIONS.name]: seat.name,
      [OPTIONS.conversation]: start.conversation,
      [OPTIONS.profile]: seat.profile,
    },
  };
}

async function openExisting(
  context: OrderContext,
  { server, pane }: Placed<SessionServer>,
  { start, wanted }: { start: Start; wanted: string },
): Promise<OpResult> {
  if (!pane.dead) return kept(context, pane, wanted);
  return startAnew(context, { server, pane, start, force: false });
}

async function startAnew(
  context: OrderContext,
  { server, pane, start, force }: { server: SessionServer; pane: PaneFacts; start: Start; force: boolean },
): Promise<OpResult> {
  const { observer } = context;
  if (force) observer.expectGone(formatIncarnation(pane.incarnation));
  const outcome: RespawnOutcome = await server.respawn(pane.incarnation, {
    ...start.program,
    force,
    options: { [OPTIONS.conversation]: start.conversation },
  });
  switch (outcome.kind) {
    case 'respawned':
      return opened(context, outcome.pane, start.conversation);
    case 'still-running':
      return kept(context, pane, start.conversation);
    case 'pane-gone':
      return { kind: 'pane-gone' };
    case 'cwd-missing':
      throw worktreeMissing(context);
    default:
      return outcome satisfies never;
  }
}

/**
 * A life that goes on: what was ordered is from now on another name of its conversation. An agent that died just after
 * it had started the program knows that conversation from the pane alone.
 */
function kept({ book, seat, clock }: OrderContext, pane: PaneFacts, wanted: string): OpResult {
  const incarnation = formatIncarnation(pane.incarnation);
  const known = book.lifeOf(incarnation);
  const conversation = known?.conversation ?? pane.options[OPTIONS.conversation];
  if (conversation === undefined) return { kind: 'opened', incarnation };
  if (known === undefined) {
    book.rememberLife(incarnation, { workerId: seat.workerId, conversation, openedAt: clock.now() });
  }
  book.nameConversation(wanted, conversation);
  return { kind: 'opened', incarnation };
}

function opened({ book, seat, clock }: OrderContext, pane: PaneFacts, conversation: string): OpResult {
  const incarnation = formatIncarnation(pane.incarnation);
  book.rememberLife(incarnation, { workerId: seat.workerId, conversation, openedAt: clock.now() });
  return { kind: 'opened', incarnation };
}

/** Program, arguments and files of a start. What the program has on disk decides between fresh and resumed. */
async function startOf(context: OrderContext, ordered: Launch): Promise<Start> {
  const { profiles, seat, book, dataDir, home, versions } = context;
  const agent = profiles.of(seat);
  const cwd = await realpath(worktreeOf(seat)).catch(() => worktreeOf(seat));
  const conversation = book.conversationNamed(ordered.conversation);
  const path = transcriptPath(agent.profile, { home, cwd, conversation });
  const kind = path === null ? ordered.kind : await kindOnDisk(path, ordered);
  const files = hookFiles(dataDir, seat.workerId, agent.profile);
  const version = files.settings === null ? null : await versions.of(agent.program);
  await installHooks(files, { profile: agent.profile, version, answer: context.hookCommand });
  const launch: Launch = { kind, conversation };
  const service = await offerService(serviceFile(dataDir, seat.workerId), agent.profile, context.newSecret);
  const cage = await context.cages.wordsFor(seat, {
    reads: [files.access, ...(files.settings === null ? [] : [files.settings])],
    writes: [files.failures, files.payloads],
  });
  void context.workerAccess.renew(seat.workerId);
  const paths = { cwd, settingsFile: files.settings, failuresFile: files.failures, accessFile: files.access };
  return { conversation, program: paneProgram(agent, { seat, launch, service, cage, ...paths }) };
}

/** An unused conversation cannot be resumed, and a used one cannot be begun again. */
async function kindOnDisk(path: string, ordered: Launch): Promise<Launch['kind']> {
  const size = await sizeOf(path);
  if (size === null || (size === 0 && !(await keepsTranscripts(path)))) return ordered.kind;
  return size > 0 ? 'resume' : 'fresh';
}

function worktreeMissing({ seat }: OrderContext): OrderError {
  const message = `Cannot start "${seat.name}": its worktree "${worktreeOf(seat)}" is missing; it must be prepared first`;
  return new OrderError('worktree-missing', message, { retry: true });
}

/** The address in an incarnation that the coordinator sent. @throws OrderError when it names no pane. */
export function addressOf(incarnation: string): ReturnType<typeof parseIncarnation> {
  try {
    return parseIncarnation(incarnation);
  } catch (cause) {
    throw new OrderError('bad-incarnation', `"${incarnation}" names no pane of this machine`, { cause });
  }
}
