/** Carries out each command on the simulated machine. Outcomes are those of apps/machine-agent/src/execute. */
import { answer, deliver, checkWorkerWith, interrupt, refuseWhileFrozen } from '@drover/machine-agent/testing';
import type { Hands, RunningCommand } from '@drover/machine-agent/testing';
import type { GitFacts, Command, CommandResult } from '@drover/core';
import type { Query, QueryResult } from '@drover/protocol';
import { carryOutGit, GIT_COMMANDS } from '@drover/testkit';
import type { GitCommand, GuestWork } from '@drover/testkit';
import { checkFor, checksOf, checkThere, noteRun } from './checks.ts';
import { bringGuests, onMain } from './elsewhere.ts';
import { inventoryOf, SHOWN_PANE } from './inventory.ts';
import { answerForMove, isOfMove } from './moves.ts';
import { answerForRun, isOfRun } from './runs/commits.ts';
import { close, open, respawn } from './sessions.ts';
import type { Acting, Tools } from './tools.ts';

/** The hands that the real core uses on a simulated machine. */
export function handsOf(tools: Tools): Hands {
  const { machine, agentProcess } = tools;
  const { watch, name, random } = machine.parts;
  const told = <T>(what: string, { commandId, settings: worker }: RunningCommand, outcome: T): T => {
    watch.log(`${name}: ${worker.name} ${what} (${commandId.slice(-4)}) → ${JSON.stringify(outcome)}`);
    return outcome;
  };
  return {
    async carryOut(running, command) {
      watch.acted(running, { machine: name, what: command, epoch: tools.link.epoch });
      tools.begins();
      const acting: Acting = { ...tools, ...running, workerId: running.settings.workerId };
      return told(`${running.seq} ${command.kind}`, running, await carryOut(acting, command));
    },
    async answer(running, query) {
      watch.acted(running, { machine: name, what: query, epoch: tools.link.epoch });
      await agentProcess.sleep(random.int(5, 100));
      return told(query.kind, running, await ask(tools, running, query));
    },
  };
}

/** Carries out one command; the process may die at any moment of it. */
async function carryOut(hands: Acting, command: Command): Promise<CommandResult> {
  await refuseWhileFrozen(hands, command);
  if (isGit(command)) return onGit(hands, command);
  switch (command.kind) {
    case 'open':
      return open(hands, command.launch);
    case 'respawn':
      return respawn(hands, command);
    case 'close':
      return close(hands);
    case 'freeze':
      return freeze(hands, command);
    case 'set-up':
      return { kind: 'set-up', said: '' };
    case 'let-in':
      await hands.frozenPlaces.letIn(hands.workerId);
      return { kind: 'let-in' };
    case 'deliver':
      return tellOwedFirst(hands, command);
    case 'observe':
      return checkWorker(hands, command);
    case 'answer':
      return answer(hands, command);
    case 'interrupt':
      return interrupt(hands, command);
    default:
      return command satisfies never;
  }
}

async function tellOwedFirst(hands: Acting, command: Extract<Command, { kind: 'deliver' }>): Promise<CommandResult> {
  const { machine, workerId } = hands;
  const { task, owed } = command;
  if (task !== undefined && machine.parts.tellsUsage) machine.usage.begins(workerId, { task, of: owed ?? null });
  if (owed !== undefined) await machine.runAgents.owes(workerId, owed);
  return deliver(hands, command);
}

/**
 * Queries that are not simulated: no simulated file is kept by Git LFS, no publication stops between main and the files, and no person is at a
 * simulated pane.
 */
const NOT_SIMULATED: ReadonlySet<Query['kind']> = new Set<Query['kind']>([
  'keep-content',
  'settle-main',
  'open-terminal',
  'locate-pane',
]);

/** The answer to a question that changes nothing. */
async function ask(tools: Tools, running: RunningCommand, query: Query): Promise<QueryResult> {
  const { settings: worker } = running;
  const { machine, knownWorkers, frozenPlaces, link, mayDie } = tools;
  await link.carry(() => undefined, query.kind === 'inventory' ? 'read' : 'act');
  const { parts } = machine;
  const projectId = worker.project.id;
  const git = parts.clones.of(projectId);
  if (query.kind === 'read-main') return { kind: 'main', commit: git.tip, format: 'sha1' };
  if (query.kind === 'publish-for') return publishFor(tools, projectId, query);
  if (query.kind === 'check-for') return checkFor(tools, worker, query);
  if (isOfRun(query)) return answerForRun(tools, running, query);
  if (isOfMove(query)) {
    const { workerId } = worker;
    return answerForMove({ machine, mayDie, git, knownWorkers, frozenPlaces, workerId }, query);
  }
  if (query.kind === 'read-pane') return { kind: 'pane', text: SHOWN_PANE, git: ['## its-branch'] };
  if (query.kind === 'read-conversation') return { kind: 'conversation', entries: [], before: null, lacks: 'None' };
  if (query.kind === 'inventory') return inventoryOf(machine, { projectId, workers: knownWorkers.all() });
  const { random, luck } = parts;
  if (NOT_SIMULATED.has(query.kind))
    return { kind: 'failed', code: 'no-parcels', message: 'a simulated machine has no parcels and no people' };
  if (query.kind !== 'read-checkpoint') {
    const isOfDepot = query.kind === 'read-diff' && query.isPinned === true;
    const head = isOfDepot ? query.head : git.worktrees.get(worker.workerId)?.head;
    if (head === undefined) return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing' };
    return {
      kind: 'diff',
      text: 'a diff',
      head,
      tree: git.treeOf(head),
      base: git.tip,
      commits: [],
      notes: [],
      standing: { workedAt: 1, base: git.tip, basedAt: 1, behind: 0, upstream: null },
    };
  }
  const save = git.saves.get(query.commit);
  const isDamaged = save === undefined || random.chance(luck.git.failing);
  const damage = isDamaged ? 'an object of it is missing' : null;
  const none = { files: [], fileCount: 0, skipped: [], during: null };
  return { kind: 'checkpoint', damage, head: save?.head ?? git.tip, ...none };
}

/** Publishes on the machine that main is on. */
async function publishFor(
  { machine, mayDie }: Tools,
  projectId: string,
  { sha256, base, commit }: Extract<Query, { kind: 'publish-for' }>,
): Promise<QueryResult> {
  const { clones, parcels, random, luck, watch } = machine.parts;
  const git = clones.of(projectId);
  await mayDie();
  const parcel = random.chance(luck.parcel) ? null : parcels.fetch(sha256);
  if (parcel?.kind !== 'work' || parcel.commit !== commit)
    return { kind: 'failed', code: 'parcel-gone', message: 'it was kept for too long' };
  const result = carryOutGit(
    {
      git,
      workerId: git.owners.get(commit) ?? '',
      luck: luck.git,
      workerNamed: () => undefined,
      onMerged: (who, works) => watch.merged(who, { projectId, works, tree: git.treeOf(git.tip) }),
    },
    { kind: 'publish', base, commit },
  );
  await mayDie();
  switch (result.kind) {
    case 'published':
      return { kind: 'publish-ended', outcome: { kind: 'published', checkout: { kind: 'none' } } };
    case 'moved':
      return { kind: 'publish-ended', outcome: { kind: 'moved', now: result.now } };
    case 'blocked':
      return { kind: 'publish-ended', outcome: { kind: 'blocked', path: result.why, files: [] } };
    case 'failed':
      return { kind: 'failed', code: result.code, message: result.message };
    default:
      throw new Error(`A publication ended as "${result.kind}"`);
  }
}

/** The place comes to rest: its program ends, its work is saved, and nothing begins there. */
async function freeze(hands: Acting, command: Extract<Command, { kind: 'freeze' }>): Promise<CommandResult> {
  const { frozenPlaces, machine, settings, workerId } = hands;
  await close(hands);
  const stash = machine.parts.clones.of(settings.project.id).worktrees.get(workerId)?.stash ?? [];
  if (stash.length > 0 && command.mustSave)
    return { kind: 'failed', code: 'not-saved', message: 'an entry in its stash would stay behind', retry: false };
  const save = { kind: 'checkpoint', id: command.id, type: 'manual', why: 'before it moves' } as const;
  const saved = await onGit(hands, save);
  if (saved.kind !== 'checkpointed' && command.mustSave) {
    if ((await frozenPlaces.frozenFor(workerId)) === command.move) await frozenPlaces.letIn(workerId);
    return saved;
  }
  await frozenPlaces.freeze(workerId, command.move);
  await hands.mayDie();
  return { kind: 'frozen', commit: saved.kind === 'checkpointed' ? saved.commit : null };
}

function isGit(command: Command): command is GitCommand {
  return GIT_COMMANDS.has(command.kind);
}

async function onGit(
  { machine, agentProcess, knownWorkers, asksElsewhere, link, mayDie, ...running }: Acting,
  command: GitCommand,
): Promise<CommandResult> {
  const { workerId, signal, settings } = running;
  const { random, clones, luck, watch } = machine.parts;
  const projectId = settings.project.id;
  const git = clones.of(projectId);
  // Much can happen in that time, such as the same command again, because its receipt was lost.
  const isSlow = random.chance(luck.slow);
  const ms = isSlow ? random.int(1_000, SLOW_MAX_MS) : random.int(10, luck.takesMs[command.kind] ?? USUAL_MS);
  if (random.chance(luck.hangs)) await ended(signal);
  await agentProcess.sleep(ms);
  await mayDie();
  const asking = { machine, mayDie, asksElsewhere, running };
  const elsewhere = await onMain(asking, command);
  if (elsewhere !== null) return elsewhere;
  if (command.kind === 'validate' && command.on !== undefined)
    return checkThere(asking, { ...command, on: command.on });
  const guests = command.kind === 'extend' ? await bringGuests(asking, command) : NO_GUESTS;
  const parts = {
    git,
    workerId,
    guests,
    checks: checksOf(settings.project),
    luck: luck.git,
    workerNamed: (name: string) =>
      knownWorkers.all().find((known) => known.name === name && known.project.id === projectId)?.workerId,
    onMerged: (who: string, works: readonly string[]) =>
      watch.merged(who, { projectId, works, tree: git.treeOf(git.tip) }),
  };
  const result = await link.carry(() => carryOutGit(parts, command));
  if (command.kind === 'validate') noteRun(watch, git, { head: command.at.head, kind: result.kind });
  await mayDie();
  await agentProcess.sleep(random.int(0, 50));
  if (result.kind === 'removed') knownWorkers.forgetWorker(workerId);
  return result;
}

const NO_GUESTS: ReadonlyMap<string, GuestWork> = new Map();

/** Milliseconds that a command about the worktree takes at most when nothing is slow. */
const USUAL_MS = 600;

/** Milliseconds that a slow disk takes at most for what git does: less than any command's time. */
const SLOW_MAX_MS = 12_000;

/** Kills a command that hangs when its time is over. @throws then. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was killed')));
  });
}

/** Observes a worker; sometimes its screen cannot be read. */
async function checkWorker(hands: Acting, command: Extract<Command, { kind: 'observe' }>): Promise<CommandResult> {
  const { random, luck } = hands.machine.parts;
  const found = await checkWorkerWith(hands, command, () => gitFacts(hands, command.base));
  const { owed } = command;
  if (found.kind === 'observed' && command.delivery === null) await hands.usage.tell(hands.workerId, { isOver: true });
  const seen =
    owed === undefined || found.kind !== 'observed'
      ? found
      : { ...found, result: await hands.machine.runAgents.read(hands.workerId, owed) };
  return seen.kind === 'observed' && random.chance(luck.unreadable) ? { ...seen, screen: null } : seen;
}

/** Reads git's facts about the worktree; null when there is none. */
async function gitFacts(
  { machine, agentProcess, workerId, settings }: Acting,
  base: string | null,
): Promise<GitFacts | null> {
  const { clones, random } = machine.parts;
  const git = clones.of(settings.project.id);
  await agentProcess.sleep(random.int(5, 200));
  const tree = git.worktrees.get(workerId);
  return tree === undefined ? null : git.facts(tree, base);
}
