// Defines the work in the demo of a team: two repositories, and two tasks for each.

/** A task and what must be in `main` at its end. */
export interface TeamTask {
  readonly worker: string;
  readonly project: string;
  readonly prompt: string;
  readonly file: string;
  readonly subject: string;
}

/** Project in a bare repository that every computer reaches by its address. */
export const BY_ADDRESS = 'shop';

/** Project in a directory on one computer, which alone has it. */
export const AT_HOME = 'notes';

/** Milliseconds of work, long enough that everything that goes wrong does so meanwhile. */
const AT_WORK_MS = 20_000;

function taskOf(worker: string, project: string, subject: string): TeamTask {
  const file = `${worker}.txt`;
  const lines = [`${subject}.`, '', `EDIT ${file} by ${worker}`, `SLOW ${AT_WORK_MS}`, `COMMIT ${subject}`];
  return { worker, project, subject, file, prompt: lines.join('\n') };
}

/** All four. */
export const TEAM_TASKS: readonly TeamTask[] = [
  taskOf('adam', BY_ADDRESS, 'Add a list of orders'),
  taskOf('bea', BY_ADDRESS, 'Add a list of customers'),
  taskOf('cleo', AT_HOME, 'Write down how to release'),
  taskOf('dora', AT_HOME, 'Write down how to restore'),
];
