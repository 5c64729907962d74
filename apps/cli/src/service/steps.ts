/** Runs the steps of a service, and asks its manager for the state. */
import { access } from 'node:fs/promises';
import { messageOf } from '@drover/base';
import type { Host, RunOutcome } from '@drover/host';
import { CommandError } from '../exit-codes.ts';
import type { Running, Service, ServiceStep } from './service.ts';

/** Milliseconds that each command may take: systemd waits for an agent that finishes its work. */
const STEP_MS = 60_000;

/** @returns null: the service does not run. */
export async function runningOf(host: Host, { status, read }: Service): Promise<Running | null> {
  const outcome = await run(host, status);
  return outcome.status === 0 ? read(outcome.stdout) : null;
}

/** @throws {CommandError} if a command fails that may not. */
export async function perform(host: Host, step: ServiceStep, warn: (text: string) => void): Promise<void> {
  const outcome = await run(host, step);
  if (outcome.status === 0) return;
  const said = (outcome.stderr.trim() || outcome.stdout.trim()).split('\n').at(-1) ?? '';
  const what = `"${step.words.join(' ')}" failed${said === '' ? '' : `: ${said}`}`;
  const told = step.advice === undefined ? what : `${what}; ${step.advice}`;
  if (step.mayFail !== true) throw new CommandError('environment', told);
  if (step.advice !== undefined) warn(`warning: ${told}`);
}

async function run(host: Host, { words: [program, ...args] }: ServiceStep): Promise<RunOutcome> {
  try {
    return await host.run(program, args, { timeoutMs: STEP_MS });
  } catch (cause) {
    const why = messageOf(cause);
    throw new CommandError(
      'environment',
      `Cannot run ${program}: ${why}. Without it, run "drover server agent" yourself`,
      { cause },
    );
  }
}

/** Tells whether a path exists. */
export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
