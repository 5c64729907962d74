// Defines the tasks of the two agents. Words for people; the lines in capitals are the script of the simulated agent.

/** A task of the demo and what must be in `main` at its end. */
export interface DemoTask {
  readonly worker: string;
  readonly prompt: string;
  /** The file that it makes, and its lines once the work is accepted. */
  readonly file: string;
  readonly lines: readonly string[];
  /** The subject of its one commit in `main`. */
  readonly subject: string;
}

/** The one whose program is killed in the middle: half of its work is in the worktree then, not committed. */
export const KILLED: DemoTask = {
  worker: 'adam',
  prompt: [
    'Write a file with greetings, one a line.',
    '',
    'ONCE: EDIT greetings.txt Good morning',
    'ONCE: SLOW 120000',
    'EDIT greetings.txt Good evening',
    'COMMIT Add greetings',
  ].join('\n'),
  file: 'greetings.txt',
  lines: ['Good morning', 'Good evening'],
  subject: 'Add greetings',
};

/** The one whose work is sent back once. */
export const REJECTED: DemoTask = {
  worker: 'bea',
  prompt: [
    'Write a file with farewells, one a line.',
    '',
    'EDIT farewells.txt Goodbye',
    'SLOW 3000',
    'COMMIT Add farewells',
  ].join('\n'),
  file: 'farewells.txt',
  lines: ['Goodbye', 'See you soon'],
  subject: 'Add farewells',
};

/** Feedback of a person on the second one's work. */
export const FEEDBACK = [
  'Please add a friendlier one.',
  'EDIT farewells.txt See you soon',
  'COMMIT Add a friendlier farewell',
].join('\n');

export const TASKS: readonly DemoTask[] = [KILLED, REJECTED];
