// Gives the result of a run's task, as an agent does: into the file that its task names.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookResult } from '../options/hooks.ts';
import type { AfterStep, Turn } from './turn.ts';

/** Debt of the agent of a run, as its worker's directory of results names it. */
interface Owed {
  readonly attempt: number;
  readonly returns: string;
}

/** Gives a result. `text`: fields as JSON; empty: a plain one of the kind that is owed. */
export async function resultStep(turn: Turn, text: string): Promise<AfterStep> {
  const owed = owedBy(turn);
  if (owed === undefined) return 'go-on';
  const input = { command: 'drover result', description: 'Give the result' };
  const run = async (): Promise<{ failed: boolean; text: string }> => {
    const fields: unknown = text === '' ? plain(owed.returns) : JSON.parse(text);
    writeFileSync(fileOf(turn, owed), JSON.stringify({ v: 1, attempt: owed.attempt, ...(fields as object) }));
    return { failed: false, text: 'Result taken' };
  };
  await turn.tool({ name: 'Bash', input, run });
  turn.session.push({ kind: 'tool-summary', verb: 'Gave', strong: '1', rest: 'result' });
  return 'go-on';
}

function plain(returns: string): object {
  const done = { verdict: 'done', summary: 'Simulated work is done.' };
  switch (returns) {
    case 'review':
      return { verdict: 'approve', summary: 'Simulated review: nothing to object.' };
    case 'parts':
      return { ...done, parts: [{ title: 'one', prompt: 'Note this down', paths: ['notes/**'] }] };
    case 'report':
      return { ...done, report: 'Simulated report.' };
    default:
      return done;
  }
}

/** Returns the reason for which a hook refused the end of the turn; undefined: none did. */
export function refusalIn(answers: readonly HookResult[]): string | undefined {
  for (const { stdout } of answers) {
    try {
      const answer = JSON.parse(stdout) as { readonly decision?: unknown; readonly reason?: unknown } | null;
      if (answer?.decision === 'block' && typeof answer.reason === 'string') return answer.reason;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Tells whether the task is one of a run that owes no commit, such as a plan or a review. */
export function owesNoCommit(turn: Turn): boolean {
  const owed = owedBy(turn);
  return owed !== undefined && owed.returns !== 'commit';
}

function owedBy({ session }: Turn): Owed | undefined {
  try {
    return JSON.parse(readFileSync(join(directoryOf(session), 'task.json'), 'utf8')) as Owed;
  } catch {
    return undefined;
  }
}

function fileOf({ session }: Turn, { attempt }: Owed): string {
  return join(directoryOf(session), `${attempt}.json`);
}

function directoryOf({ world }: Turn['session']): string {
  return world.env['DROVER_RESULT'] ?? '/nowhere';
}
