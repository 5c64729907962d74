// Runs the demo's steps, in their order.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoFailure, until } from './failure.ts';
import type { Fleet, Stage } from './fleet.ts';
import { makeRepository } from './git.ts';
import { Happenings } from './happenings.ts';
import type { Moments } from './measures.ts';
import { DROVER, type Place } from './place.ts';
import { run } from './programs.ts';
import { FEEDBACK, KILLED, REJECTED, TASKS, type DemoTask } from './tasks.ts';
import { inWords } from './sentences.ts';
import { agentProcess } from './witness.ts';

/** Makes the repository and its Drover root. */
export async function prepare({ place, page, signal }: Stage): Promise<void> {
  await makeRepository(place);
  page.happened('git', `a repository "greeter" with one commit in ${place.source}`);
  page.command('drover init');
  const { status, stderr } = await run(DROVER, ['init'], { env: withoutRoot(place), cwd: place.source, signal });
  if (status !== 0) throw new DemoFailure(`"drover init" failed: ${stderr}`);
  await configure(place);
  page.happened('drover', `has its root beside it, where each worker gets a clone; drover.toml says: profile = "sim"`);
}

/** Follows what happens and prints it. */
export function follow({ page, signal, fail }: Stage, fleet: Fleet): Happenings {
  return new Happenings({
    endpoints: fleet.endpoints,
    signal,
    tell: (event) => {
      const told = inWords(event);
      if (told !== null) page.happened(event.worker, told.text, { tone: told.tone, at: event.at });
      if (event.to === 'error')
        fail(new DemoFailure(`${event.worker} could not be recovered, which the demo does not expect`));
    },
  });
}

/** Sets two workers to work, each with a task. */
export async function setToWork({ place, page }: Stage, fleet: Fleet, happenings: Happenings): Promise<void> {
  for (const { worker } of TASKS) {
    page.command(`drover add ${worker}`);
    await fleet.drover('add', worker);
  }
  for (const { worker } of TASKS) await happenings.state(worker, 'idle');
  for (const task of TASKS) {
    const file = join(place.base, `${task.worker}.txt`);
    await writeFile(file, task.prompt);
    page.command(`drover start --worker ${task.worker} --prompt "${task.prompt.split('\n')[0] ?? ''} …"`);
    await fleet.drover('start', '--worker', task.worker, '--prompt-file', file);
  }
  for (const { worker } of TASKS) await happenings.rule(worker, 'taken:task');
}

/** Kills an agent's program in the middle of its task. */
export async function killThings({ place, page, signal }: Stage, happenings: Happenings): Promise<Moments> {
  await halfDone(place, KILLED, signal);
  const pid = await agentProcess(place, KILLED.worker);
  if (pid === undefined) throw new DemoFailure(`The agent of ${KILLED.worker} has not said that it was started`);
  const agentKilledAt = Date.now();
  process.kill(pid, 'SIGKILL');
  page.command(`kill -9 ${pid}`, agentKilledAt);
  page.happened(KILLED.worker, 'its program is gone, with half of its work done and nothing committed', {
    tone: 'bad',
    at: agentKilledAt,
  });
  await happenings.rule(KILLED.worker, 'taken:restored', agentKilledAt);
  await happenings.state(KILLED.worker, 'needs_review', agentKilledAt);
  return { agentKilledAt };
}

/** Sends one worker's work back once; then accepts both. */
export async function judge({ page }: Stage, fleet: Fleet, happenings: Happenings): Promise<void> {
  const { worker } = REJECTED;
  await happenings.state(worker, 'needs_review');
  page.command(`drover review ${worker}`);
  page.quote(await fleet.drover('review', worker));
  page.command(`drover reject ${worker} "${FEEDBACK.split('\n')[0] ?? ''}"`);
  const rejectedAt = Date.now();
  await fleet.drover('reject', worker, FEEDBACK);
  await happenings.state(worker, 'needs_review', rejectedAt);
  for (const task of TASKS) {
    page.command(`drover review ${task.worker} && drover accept ${task.worker}`);
    await fleet.drover('review', task.worker);
    await fleet.drover('accept', task.worker);
    await happenings.rule(task.worker, 'accept:merged');
  }
}

/** Waits until the first half of a task's work lies in the worktree. */
async function halfDone({ root }: Place, { worker, file, lines }: DemoTask, signal: AbortSignal): Promise<void> {
  const ask = async (): Promise<true | undefined> => {
    const text = await readFile(join(root, '.worktrees', worker, file), 'utf8').catch(() => '');
    return text.includes(lines[0] ?? '') ? true : undefined;
  };
  await until(ask, { what: `${worker} has begun its work`, withinMs: 30_000, signal });
}

/** The simulated agent for all workers, with a log of what it does. */
async function configure({ root, witness }: Place): Promise<void> {
  const file = join(root, 'drover.toml');
  const text = await readFile(file, 'utf8');
  const changed = text.replace('# profile = "claude"', 'profile = "sim"');
  if (changed === text) throw new DemoFailure(`${file} has no line with the default profile`);
  await writeFile(file, changed);
  await appendFile(file, `\n[profiles.sim]\nenv = { SIM_AGENT_LOG = ${JSON.stringify(witness)} }\n`);
}

/** `drover init` is called where no root is yet. */
function withoutRoot({ env }: Place): Place['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'DROVER_ROOT'));
}
