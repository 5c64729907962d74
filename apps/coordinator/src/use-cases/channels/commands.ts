/** Runs `/drover` in a chat for people, within their role: the use cases of the terminal, in a few lines. */
import { showHidden } from '@drover/core';
import type {
  Actor,
  BotCall,
  ChannelFleet,
  EscalationFleet,
  Outcome,
  RouteName,
  TaskFleet,
  WorkerFleet,
  WorkerView,
} from '@drover/api';
import type { CommandRequest, SaidAnswer } from '@drover/protocol';
import { redactorOf } from '../../context/context.ts';
import type { Context } from '../../context/context.ts';
import { cut } from './card.ts';
import { askHere, leaveHere, said } from './link.ts';
import { chatRefusal, NOT_LINKED, speakerOf } from './speaker.ts';

/** Use cases that a command asks. */
export type CommandFleet = Pick<WorkerFleet, 'listWorkers' | 'message'> &
  Pick<TaskFleet, 'start' | 'review' | 'accept'> &
  Pick<EscalationFleet, 'listEscalations'>;

/** Characters of an answer. */
const SAID_MAX = 3_500;
/** Lines of a list. */
const LINES_MAX = 25;

const HELP = [
  '/drover status: what each worker does, and what waits for you',
  '/drover start [WORKER] PROMPT: give a task to a worker, or to the pool',
  '/drover message WORKER TEXT: send a message to a worker',
  '/drover review WORKER: show its work, with a button to accept it',
  '/drover accept WORKER: merge what you reviewed last',
  '/drover here, /drover leave: show questions in this chat, or stop',
].join('\n');

interface Asked {
  readonly call: BotCall;
  readonly command: CommandRequest;
  readonly actor: Actor;
  /** Words behind the verb. */
  readonly rest: string;
}

type Verb = (ctx: Context, fleet: CommandFleet, asked: Asked) => Promise<SaidAnswer>;

const VERBS: Readonly<Record<string, { readonly route: RouteName; readonly run: Verb }>> = {
  status: { route: 'workers.list', run: status },
  start: { route: 'workers.start', run: start },
  message: { route: 'workers.message', run: message },
  review: { route: 'workers.review', run: review },
  accept: { route: 'workers.accept', run: accept },
  // A person who shows the fleet's questions to a chat of several people decides about the fleet.
  here: { route: 'workers.start', run: (ctx, _fleet, { call, ...asked }) => askHere(ctx, call, asked) },
  leave: { route: 'escalations.ack', run: (ctx, _fleet, { call, ...asked }) => leaveHere(ctx, call, asked) },
};

/** Runs a chat command. See `ChannelFleet`. */
export async function chatCommand(
  ctx: Context,
  fleet: CommandFleet,
  { call, command }: { readonly call: BotCall; readonly command: CommandRequest },
): ReturnType<ChannelFleet['chatCommand']> {
  const person = await ctx.store.personOf(call.channel, command.subject);
  if (person === null) return said(false, NOT_LINKED);
  const actor = speakerOf(call, person, command.subject);
  const [verb, rest] = split(command.words.trim());
  if (verb === '' || verb === 'help') return said(true, HELP);
  const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (known === undefined)
    return said(false, `There is no command "/drover ${clean(ctx, cut(verb, 40))}". The commands are:\n${HELP}`);
  const refusal = chatRefusal(known.route, actor, call);
  if (refusal !== null) return said(false, refusal);
  const answer = await known.run(ctx, fleet, { call, command, actor, rest });
  return { ...answer, says: cut(clean(ctx, answer.says), SAID_MAX) };
}

/** Splits off the first word, and keeps the rest as it stands. */
function split(words: string): readonly [string, string] {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/u.exec(words) ?? [];
  return [first, rest];
}

function clean(ctx: Context, text: string): string {
  return showHidden(redactorOf(ctx).text(text));
}

async function status(_ctx: Context, fleet: CommandFleet, { actor }: Asked): Promise<SaidAnswer> {
  const [workers, questions] = await Promise.all([
    fleet.listWorkers(actor),
    fleet.listEscalations({ all: false, limit: LINES_MAX }, actor),
  ]);
  const lines = workers
    .slice(0, LINES_MAX)
    .map(({ name, status: state, note }) => `${name}: ${state}, ${cut(note, 120)}`);
  if (workers.length > lines.length) lines.push(`… and ${workers.length - lines.length} more`);
  const waiting = questions.map(({ shortId, title }) => `${shortId} ${cut(title, 120)}`);
  const head = questions.length === 0 ? 'Nothing waits for you.' : `${questions.length} wait for you:`;
  return said(true, [head, ...waiting, '', ...(lines.length === 0 ? ['There are no workers.'] : lines)].join('\n'));
}

async function start(
  _ctx: Context,
  fleet: CommandFleet,
  { actor, command: { key }, rest }: Asked,
): Promise<SaidAnswer> {
  const [first, behind] = split(rest);
  const workers = await fleet.listWorkers(actor);
  const isNamed = workers.some(({ name }) => name === first);
  const prompt = isNamed ? behind : rest;
  if (prompt.trim() === '') return said(false, 'The prompt is missing: /drover start [WORKER] PROMPT');
  return done(
    await fleet.start({ requestId: key, ...(isNamed && { name: first }), prompt }, actor),
    ({ worker }) => worker,
  );
}

async function message(
  _ctx: Context,
  fleet: CommandFleet,
  { actor, command: { key }, rest }: Asked,
): Promise<SaidAnswer> {
  const [name, text] = split(rest);
  if (name === '' || text.trim() === '')
    return said(false, 'The worker or the text is missing: /drover message WORKER TEXT');
  return done(await fleet.message({ requestId: key, name, text }, actor), ({ worker }) => worker);
}

async function review(_ctx: Context, fleet: CommandFleet, { actor, rest }: Asked): Promise<SaidAnswer> {
  const [name] = split(rest);
  const outcome = await fleet.review({ ...(name !== '' && { name }), stat: true }, actor);
  if (outcome.kind === 'refused') return said(false, outcome.message);
  const { worker, head, commits, diff, notes, work } = outcome.value;
  const lines = [
    `${worker.name} ${worker.status}: ${worker.note}`,
    ...commits.slice(0, LINES_MAX).map(({ commit, subject }) => `${commit.slice(0, 9)} ${cut(subject, 120)}`),
    cut(diff, 1_500),
    ...(notes.length === 0
      ? []
      : [`${notes.length} notes beside the diff: see "drover review ${worker.name}" before you accept`]),
    checksOf(work),
  ];
  const button = { kind: 'accept', worker: worker.name, head } as const;
  const buttons = worker.commit !== null ? [{ label: `Accept ${head.slice(0, 9)}`, button }] : [];
  return { isDone: true, says: lines.join('\n'), buttons };
}

function checksOf(work: { readonly checks: { readonly result: string } | null } | null): string {
  return work?.checks == null ? 'Checks: not known yet' : `Checks: ${work.checks.result}`;
}

async function accept(
  _ctx: Context,
  fleet: CommandFleet,
  { actor, command: { key }, rest }: Asked,
): Promise<SaidAnswer> {
  const [name] = split(rest);
  return done(await fleet.accept({ requestId: key, ...(name !== '' && { name }) }, actor), ({ worker }) => worker);
}

function done<T>(outcome: Outcome<T>, workerOf: (value: T) => WorkerView): SaidAnswer {
  if (outcome.kind === 'refused') return said(false, outcome.message);
  const { name, status: state, note } = workerOf(outcome.value);
  return said(true, `${name} is ${state}: ${note}`);
}
