// Runs the steps of the demo of a team, in their order.
import { z } from 'zod';
import { DemoFailure } from '../failure.ts';
import type { Stage } from '../fleet.ts';
import type { Happenings } from '../happenings.ts';
import { makeRepositories, repositoriesOf } from './repositories.ts';
import { AT_HOME, BY_ADDRESS, TEAM_TASKS } from './tasks.ts';
import { DESK, HOSTS, type Team } from './team.ts';

/** The gateways, in the order in which they come. */
const [FIRST, SECOND] = ['north', 'south'] as const;

/** Computers come together. The first gateway serves all hosts, because the second comes when they have one. */
export async function gather({ page, place }: Stage, team: Team): Promise<void> {
  await team.joinDesk();
  await team.joinGateway(FIRST);
  for (const name of HOSTS) await team.addHost(name);
  await team.joinGateway(SECOND);
  await makeRepositories(place);
  const paths = repositoriesOf(place);
  await project({ page }, team, [BY_ADDRESS, '--source', `file://${paths[BY_ADDRESS] ?? ''}`, '--branch', 'main']);
  await project({ page }, team, [AT_HOME, '--source', paths[AT_HOME] ?? '', '--home', DESK, '--branch', 'main']);
}

async function project({ page }: Pick<Stage, 'page'>, team: Team, words: readonly string[]): Promise<void> {
  page.command(`drover project add ${words.join(' ')}`);
  await team.drover('project', 'add', ...words);
}

const placed = z.array(z.object({ name: z.string(), machine: z.string() }));

/** Four workers, each placed where there is room, and a task for each. */
export async function setTeamToWork({ page }: Stage, team: Team, happenings: Happenings): Promise<void> {
  for (const { worker, project: name } of TEAM_TASKS) {
    page.command(`drover add ${worker} --project ${name}`);
    await team.drover('add', worker, '--project', name, '--profile', 'sim');
  }
  for (const { worker } of TEAM_TASKS) await happenings.state(worker, 'idle');
  const workers = placed.parse(JSON.parse(await team.drover('status', '--json')));
  for (const { name, machine } of workers) page.happened(name, `was placed on ${machine}`, { tone: 'good' });
  const machines = new Set(workers.map(({ machine }) => machine));
  if (machines.size !== HOSTS.length + 1)
    throw new DemoFailure(`The workers are on ${[...machines].join(', ')}, and not on all machines`);
  for (const { worker, prompt } of TEAM_TASKS) {
    page.command(`drover start --worker ${worker} --prompt "${prompt.split('\n')[0] ?? ''} …"`);
    await team.drover('start', '--worker', worker, '--prompt', prompt);
  }
  for (const { worker } of TEAM_TASKS) await happenings.rule(worker, 'taken:task');
}

/** A link is cut, a gateway and a coordinator are killed, while all are at their tasks. */
export async function breakThings({ page }: Stage, team: Team): Promise<readonly string[]> {
  const [linden, maple] = HOSTS;
  const cutAt = Date.now();
  page.happened(linden, 'its link is cut: each connection to its sshd is gone', { tone: 'bad', at: cutAt });
  await team.cut(linden, FIRST);
  page.happened(linden, 'is reached again; its agents noticed nothing', { tone: 'good' });

  const before = await team.machine(maple, 'has a gateway', ({ ssh }) => ssh?.gateway === FIRST);
  const gatewayAt = await team.kill(FIRST, 'is gone, with the keys and connections of both hosts');
  for (const host of HOSTS) {
    const is = `is served by ${SECOND}`;
    const after = await team.machine(host, is, ({ ssh }) => ssh?.gateway === SECOND && ssh.state === 'connected');
    if ((after.ssh?.epoch ?? 0) <= (before.ssh?.epoch ?? 0)) throw new DemoFailure(`${host} has the epoch of before`);
    page.happened(host, `${is} now: what ${FIRST} still wanted to type there would be refused`, { tone: 'good' });
  }

  const coordinatorAt = await team.kill('coordinator-1', 'coordinator-1 is gone');
  // The fleet is the same in each replica: a machine is at this one when it was heard after the kill.
  for (const name of [DESK, ...HOSTS])
    await team.machine(name, 'is at coordinator-2', ({ lastSeenAt }) => (lastSeenAt ?? 0) > coordinatorAt);
  page.happened('office', 'all machines are at coordinator-2; the agents work on', { tone: 'good' });
  return [
    `a cut link was mended, and a gateway and a coordinator were replaced (${seconds(gatewayAt, coordinatorAt)} s for the gateway)`,
  ];
}

function seconds(from: number, to: number): string {
  return ((to - from) / 1_000).toFixed(0);
}

/** Reviews and accepts everything. */
export async function acceptAll({ page }: Stage, team: Team, happenings: Happenings): Promise<string> {
  for (const { worker } of TEAM_TASKS) {
    await happenings.state(worker, 'needs_review');
    page.command(`drover review ${worker} && drover accept ${worker}`);
    await team.drover('review', worker);
    await team.drover('accept', worker);
    await happenings.rule(worker, 'accept:merged');
  }
  for (const { worker } of TEAM_TASKS) {
    const taken = happenings.all.filter((event) => event.worker === worker && event.rules.some(isTaken));
    if (taken.length !== 1) throw new DemoFailure(`${worker} took ${taken.length} prompts, expected one`);
  }
  return 'every prompt was taken exactly once, whatever was cut or killed meanwhile';
}

function isTaken(rule: string): boolean {
  return rule.startsWith('taken:');
}
