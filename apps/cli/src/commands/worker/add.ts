/** `drover add`: adds a new worker. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer, defined } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag, list, required, text } from '../../program/spec.ts';
import type { Surroundings } from '../../surroundings.ts';
import { plain } from '../../terminal/style.ts';
import { follow } from './by-name.ts';

/** Milliseconds that `--wait` waits: a large worktree and a slow agent program both need their time. */
const PATIENCE_MS = 5 * 60_000;

export const command = defineCommand({
  about: 'add a worker with a coding agent',
  more: `A worker is a clone of the repository, a branch, a tmux session and a coding
agent. "drover worker edit" changes its model later, and "drover help limits" says
how to limit what agents may do.`,
  example: 'drover add adam\ndrover add bea --profile codex --wait',
  args: { name: required('a lower-case letter, then up to 30 letters, digits or hyphens') },
  options: {
    profile: text(
      'profile',
      'the coding agent: claude, codex, opencode, gemini, copilot, qwen, pi, sim or a profile of drover.toml',
    ),
    model: text('model', 'the model of the agent'),
    rolePrompt: text('text', 'a text that Drover adds to each of its prompts'),
    project: text('name', 'the project, if there are several'),
    machine: text('name', 'the machine (default: the one with the fewest workers that can take it)'),
    role: text('role', 'its role, such as reviewer: a task can ask for a role'),
    labels: list('label,…', 'only on machines with all these labels, now and when it moves'),
    wait: flag('wait until it is ready for a task'),
  },
  async run(surroundings, { args: { name }, options: { wait, ...settings } }) {
    const input = { requestId: surroundings.uuid(), name, ...defined(settings) };
    const { worker, note } = await ask(surroundings, (client) => client.workers.add.mutate(input));
    if (note !== undefined) surroundings.terminal.err(plain(note));
    const added = wait ? await untilReady(surroundings, worker) : worker;
    answer(surroundings, added, (one) =>
      wait
        ? `Added ${name} on ${one.machine}. It is ready for a task: drover start --prompt "…"`
        : `Added ${name} on ${one.machine}. Its agent ${one.profile} is starting; "drover status" shows when it is ready`,
    );
  },
});

async function untilReady(surroundings: Surroundings, worker: WorkerView): Promise<WorkerView> {
  const now = await follow(surroundings, worker, { isDone: isOpen, patienceMs: PATIENCE_MS });
  if (now === undefined) throw new CommandError('not-found', `${worker.name} was removed while it started`);
  if (now.status === 'idle') return now;
  const note = now.note === '' ? '' : ` (${now.note})`;
  throw new CommandError(
    'refused',
    `${now.name} was added but is ${now.status}${note}: "drover why ${now.name}" explains it`,
  );
}

function isOpen({ status }: WorkerView): boolean {
  return status !== 'offline';
}
