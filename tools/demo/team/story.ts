// The demo of a team: four tasks in two repositories, on three computers, while a link, a gateway and a coordinator go.
import { join } from 'node:path';
import type { WorkerView } from '@drover/api';
import { checkMain, git, makeRepository } from '../git.ts';
import type { Happenings } from '../happenings.ts';
import type { Place } from '../place.ts';
import { follow, type Played, type Stage } from '../stage.ts';
import { DESK, HOSTS, Team } from './team.ts';

/** A task and what must be in `main` at its end. */
interface TeamTask {
  readonly worker: string;
  readonly project: string;
  readonly prompt: string;
  readonly file: string;
  readonly subject: string;
}

/** Project in a bare repository that every computer reaches by its address. */
const BY_ADDRESS = 'shop';

/** Project in a directory on one computer, which alone has it. */
const AT_HOME = 'notes';

/** Milliseconds of work, long enough that everything that goes wrong does so meanwhile. */
const AT_WORK_MS = 20_000;

function taskOf(worker: string, project: string, subject: string): TeamTask {
  const file = `${worker}.txt`;
  const lines = [`${subject}.`, '', `EDIT ${file} by ${worker}`, `SLOW ${AT_WORK_MS}`, `COMMIT ${subject}`];
  return { worker, project, subject, file, prompt: lines.join('\n') };
}

/** All four. */
const TEAM_TASKS: readonly TeamTask[] = [
  taskOf('adam', BY_ADDRESS, 'Add a list of orders'),
  taskOf('bea', BY_ADDRESS, 'Add a list of customers'),
  taskOf('cleo', AT_HOME, 'Write down how to release'),
  taskOf('dora', AT_HOME, 'Write down how to restore'),
];

/** The gateways, in the order in which they come. */
const [FIRST, SECOND] = ['north', 'south'] as const;

/** Maps each project to its repository. */
function repositoriesOf({ base }: Place) {
  return { [BY_ADDRESS]: join(base, `${BY_ADDRESS}.git`), [AT_HOME]: join(base, DESK, AT_HOME) };
}

/** Makes both, each with one commit. @returns their paths by project. */
export async function makeRepositories(place: Place): Promise<ReturnType<typeof repositoriesOf>> {
  const paths = repositoriesOf(place);
  const first = join(place.base, 'first');
  await makeRepository(place, first, `# ${BY_ADDRESS}\n`);
  await git(place, place.base, 'clone', '--quiet', '--bare', first, paths[BY_ADDRESS]);
  await makeRepository(place, paths[AT_HOME], `# ${AT_HOME}\n`);
  return paths;
}

export async function playTeam(stage: Stage): Promise<Played> {
  const { page, place } = stage;
  page.chapter('Two coordinators, a computer with an agent, two that only ssh reaches');
  const team = await Team.start(stage);
  const happenings = follow(stage, team);
  await gather(stage, team);
  page.chapter('Four tasks, in two repositories, on three computers');
  await setTeamToWork(stage, team, happenings);
  page.chapter('A link, a gateway and a coordinator, in the middle of it');
  const mended = await breakThings(stage, team);
  page.chapter('Review, and accept');
  await acceptAll(stage, team, happenings);
  page.chapter('What is in the two repositories now');
  for (const [project, at] of Object.entries(repositoriesOf(place))) {
    page.text(`${project}\n${await git(place, at, 'log', '--format=%h %an: %s', 'main')}`);
    const tasks = TEAM_TASKS.filter((task) => task.project === project);
    const files = Object.fromEntries(tasks.map(({ file, worker }) => [file, `by ${worker}`]));
    await checkMain(place, { at, subjects: tasks.map(({ subject }) => subject), files });
  }
  const kept = [
    mended,
    'every prompt was taken exactly once, whatever was cut or killed meanwhile',
    'both repositories have one commit for each task, wherever it was done',
  ];
  return { fleet: team, kept, elsewhere: team.directories };
}

/** Computers come together. The first gateway serves all hosts, because the second comes when they have one. */
async function gather({ page, place }: Stage, team: Team): Promise<void> {
  await team.joinDesk();
  await team.joinGateway(FIRST);
  for (const name of HOSTS) await team.addHost(name);
  await team.joinGateway(SECOND);
  const paths = await makeRepositories(place);
  await project({ page }, team, [BY_ADDRESS, '--source', `file://${paths[BY_ADDRESS]}`, '--branch', 'main']);
  await project({ page }, team, [AT_HOME, '--source', paths[AT_HOME], '--home', DESK, '--branch', 'main']);
}

async function project({ page }: Pick<Stage, 'page'>, team: Team, words: readonly string[]): Promise<void> {
  page.command(`drover project add ${words.join(' ')}`);
  await team.drover('project', 'add', ...words);
}

/** Four workers, each placed where there is room, and a task for each. */
async function setTeamToWork({ page }: Stage, team: Team, happenings: Happenings): Promise<void> {
  for (const { worker, project: name } of TEAM_TASKS) {
    page.command(`drover add ${worker} --project ${name}`);
    await team.drover('add', worker, '--project', name, '--profile', 'sim');
  }
  for (const { worker } of TEAM_TASKS) await happenings.state(worker, 'idle');
  const workers: readonly WorkerView[] = JSON.parse(await team.drover('status', '--json'));
  for (const { name, machine } of workers) page.happened(name, `was placed on ${machine}`, { tone: 'good' });
  const machines = new Set(workers.map(({ machine }) => machine));
  if (machines.size !== HOSTS.length + 1)
    throw new Error(`The workers are on ${[...machines].join(', ')}, and not on all machines`);
  for (const { worker, prompt } of TEAM_TASKS) {
    page.command(`drover start --worker ${worker} --prompt "${prompt.split('\n')[0] ?? ''} …"`);
    await team.drover('start', '--worker', worker, '--prompt', prompt);
  }
  for (const { worker } of TEAM_TASKS) await happenings.rule(worker, 'taken:task');
}

/** A link is cut, a gateway and a coordinator are killed, while all are at their tasks. */
async function breakThings({ page }: Stage, team: Team): Promise<string> {
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
    if ((after.ssh?.epoch ?? 0) <= (before.ssh?.epoch ?? 0)) throw new Error(`${host} has the epoch of before`);
    page.happened(host, `${is} now: what ${FIRST} still wanted to type there would be refused`, { tone: 'good' });
  }

  const coordinatorAt = await team.kill('coordinator-1', 'coordinator-1 is gone');
  // The fleet is the same in each replica: a machine is at this one when it was heard after the kill.
  for (const name of [DESK, ...HOSTS])
    await team.machine(name, 'is at coordinator-2', ({ lastSeenAt }) => (lastSeenAt ?? 0) > coordinatorAt);
  page.happened('office', 'all machines are at coordinator-2; the agents work on', { tone: 'good' });
  const seconds = ((coordinatorAt - gatewayAt) / 1_000).toFixed(0);
  return `a cut link was mended, and a gateway and a coordinator were replaced (${seconds} s for the gateway)`;
}

/** Reviews and accepts everything, and checks that each prompt was taken once. */
async function acceptAll({ page }: Stage, team: Team, happenings: Happenings): Promise<void> {
  for (const { worker } of TEAM_TASKS) {
    await happenings.state(worker, 'needs_review');
    page.command(`drover review ${worker} && drover accept ${worker}`);
    await team.drover('review', worker);
    await team.drover('accept', worker);
    await happenings.rule(worker, 'accept:merged');
  }
  for (const { worker } of TEAM_TASKS) {
    const taken = happenings.all.filter((event) => event.worker === worker && event.rules.some(isTaken));
    if (taken.length !== 1) throw new Error(`${worker} took ${taken.length} prompts, expected one`);
  }
}

function isTaken(rule: string): boolean {
  return rule.startsWith('taken:');
}
