// Checks that everything is as promised: the prompts that agents took, the content of `main`, and what is left behind.
import { DemoFailure, until } from './failure.ts';
import { changes, linesOf, subjects } from './git.ts';
import { processesIn, type Found } from '../fleet/left-overs.ts';
import type { Place } from './place.ts';
import { stagedDirectory } from './place.ts';
import { KILLED, REJECTED, TASKS } from './tasks.ts';
import { promptsTaken } from './witness.ts';

/** Checks that both tasks are in `main`, each as one commit with all that its agent wrote. @throws {DemoFailure} */
export async function checkMerged(place: Place): Promise<string> {
  const found = await subjects(place);
  for (const task of TASKS) {
    const { subject, file, lines, worker } = task;
    const count = found.filter((each) => each === subject).length;
    expectThat(count === 1, `main has ${count} commits "${subject}", expected one; it has: ${found.join(' | ')}`);
    const present = await linesOf(place, file);
    expectThat(present.join('\n') === lines.join('\n'), `${file} by ${worker} has the lines: ${present.join(' | ')}`);
  }
  expectThat(found.length === TASKS.length + 1, `main has other commits: ${found.join(' | ')}`);
  const changed = await changes(place);
  expectThat(changed === '', `the repository was left with changes: ${changed}`);
  return 'main has one commit for each task, with every line that the agents wrote, also the half-finished work';
}

/** Checks that each prompt was taken exactly once; the prompt that was cut off once more, with its note. @throws {DemoFailure} */
export async function checkTaken(place: Place): Promise<string> {
  const taken = await promptsTaken(place);
  for (const { worker, begins, times } of EXPECTED) {
    const count = taken.filter((each) => each.worker === worker && begins.test(each.prompt)).length;
    expectThat(count === times, `${worker} took ${count} prompts like ${String(begins)}, expected ${times}`);
  }
  expectThat(taken.length === EXPECTED.length, `the agents took ${taken.length} prompts, expected ${EXPECTED.length}`);
  return `every prompt was taken exactly once, the interrupted one once more with a note (${taken.length} in all)`;
}

/** Beginnings of the prompts that must have been taken, each once. */
const EXPECTED = [
  { worker: KILLED.worker, begins: /^You are working in: /u, times: 1 },
  { worker: KILLED.worker, begins: /^Note: the session was cut off/u, times: 1 },
  { worker: REJECTED.worker, begins: /^You are working in: /u, times: 1 },
  { worker: REJECTED.worker, begins: /^Your work .* was reviewed and sent back/u, times: 1 },
] as const;

/** Directories in which processes of the demo work. */
export async function directoriesOf(place: Place): Promise<readonly string[]> {
  const staged = await stagedDirectory(place);
  return [place.base, ...(staged === null ? [] : [staged])];
}

/** Checks that nothing runs any more after the end: no session, no agent, no database. @throws {DemoFailure} */
export async function checkNothingRuns(directories: readonly string[]): Promise<void> {
  let left: readonly Found[] = [];
  const ask = async (): Promise<true | undefined> => {
    left = await processesIn(directories);
    return left.length === 0 ? true : undefined;
  };
  await until(ask, { what: 'no process of the demo is left', withinMs: 5_000 }).catch(() => {
    const names = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
    throw new DemoFailure(`Left running:\n${names}`);
  });
}

function expectThat(condition: boolean, otherwise: string): void {
  if (!condition) throw new DemoFailure(`Not as promised: ${otherwise}`);
}
