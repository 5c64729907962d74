/** Opens, replaces and closes sessions on the simulated machine. Outcomes are those of apps/machine-agent/src/execute/commands. */
import type { Command, CommandResult, Launch } from '@drover/core';
import type { SimProgram } from '@drover/testkit';
import type { Acting } from './tools.ts';

/** The session ends, and what runs in it. */
export async function close({ machine, agentProcess, panes, link, workerId }: Acting): Promise<CommandResult> {
  await agentProcess.sleep(machine.parts.random.int(10, 800));
  await link.carry(() => {
    const pane = machine.panes.get(workerId);
    if (pane !== undefined) panes.expectGone(pane.program.incarnation);
    machine.closePane(workerId);
  });
  return { kind: 'closed' };
}

/** Returns why no program can be started in a pane now; null when one can. */
function unopened({ machine }: Acting): CommandResult | null {
  const { random, luck } = machine.parts;
  if (machine.isUninstalled)
    return { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false };
  if (!random.chance(luck.unopened)) return null;
  return { kind: 'failed', code: 'server-failed', message: 'the server exited unexpectedly', retry: true };
}

/** A session, in which the agent's program is started. */
export async function open(hands: Acting, launch: Launch): Promise<CommandResult> {
  const { machine, agentProcess, workerId, settings } = hands;
  const { random, clones } = machine.parts;
  await agentProcess.sleep(random.int(10, 200));
  if (!clones.of(settings.project.id).worktrees.has(workerId))
    return { kind: 'failed', code: 'worktree-missing', message: 'its worktree is missing', retry: true };
  const pane = machine.panes.get(workerId);
  if (pane !== undefined && pane.program.end === null) return kept(hands, launch);
  return unopened(hands) ?? anew(hands, launch);
}

/** The program is started again in its pane. */
export async function respawn(hands: Acting, command: Extract<Command, { kind: 'respawn' }>): Promise<CommandResult> {
  const { machine, agentProcess, workerId } = hands;
  await agentProcess.sleep(machine.parts.random.int(10, 200));
  const present = machine.panes.get(workerId)?.program;
  if (present === undefined) return { kind: 'pane-gone' };
  const isRequested = present.incarnation === command.incarnation;
  if (present.end === null && !(isRequested && command.force)) return kept(hands, command.launch);
  const failed = unopened(hands);
  if (failed !== null) return failed;
  if (isRequested && command.force) hands.panes.expectGone(present.incarnation);
  return anew(hands, command.launch);
}

function kept({ machine, workerId, knownWorkers }: Acting, launch: Launch): CommandResult {
  const program = machine.panes.get(workerId)?.program;
  if (program === undefined) return { kind: 'pane-gone' };
  const { incarnation, conversation } = program;
  if (knownWorkers.incarnationOf(incarnation) === undefined) remember({ machine, workerId, knownWorkers }, program);
  knownWorkers.nameConversation(launch.conversation, conversation);
  return { kind: 'opened', incarnation };
}

async function anew(hands: Acting, launch: Launch): Promise<CommandResult> {
  const { machine, agentProcess, settings: worker, knownWorkers, link, mayDie } = hands;
  const conversation = knownWorkers.conversationNamed(launch.conversation);
  const program = await link.carry(() => machine.launch(worker, conversation));
  await mayDie();
  await agentProcess.sleep(machine.parts.random.int(5, 100));
  remember(hands, program);
  return { kind: 'opened', incarnation: program.incarnation };
}

function remember(
  { machine, workerId, knownWorkers }: Pick<Acting, 'machine' | 'workerId' | 'knownWorkers'>,
  { incarnation, conversation }: SimProgram,
): void {
  knownWorkers.rememberIncarnation(incarnation, { workerId, conversation, openedAt: machine.now() });
}
