/** Ends a turn of the simulated agent in each of the ways that real agents end theirs. */
import type { AgentErrorKind, AgentState, ExitFacts } from '@drover/core';
import type { SeededRandom } from '../random.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Working } from './worktree.ts';

export type TurnEnd =
  | 'quick-commit'
  | 'commit-dirty'
  | 'nothing'
  | 'background'
  | 'asked'
  | 'question'
  | 'permission'
  | 'error-passing'
  | 'error-final'
  | 'limit-stated'
  | 'limit-unstated'
  | 'limit-again'
  | 'limit-exit'
  | 'auth'
  | 'context-full'
  | 'context-compacted'
  | 'hang'
  | 'crash'
  | 'signal'
  | 'panic'
  | 'user-exit'
  | 'tool-failed'
  | 'blank'
  | 'own-dialog'
  | 'limit-dialog'
  | 'limit-late'
  | 'limit-prompt'
  | Exclude<Working, 'leave-dirty'>;

export type ProgramEnd = Pick<ExitFacts, 'status' | 'signal' | 'lastLines' | 'limit'>;

/** Parts of a program that the end of its turn uses. */
export interface TurnProgram {
  /** Rises with every word that the program says. */
  progress: number;
  /** Time before which no request is answered. */
  limitedUntil: number;
  /** True state. */
  readonly state: AgentState;
  readonly world: {
    readonly time: VirtualTime;
    readonly random: SeededRandom;
    readonly work: (how: Working) => void;
    readonly toolFailed: () => void;
  };
  show(state: AgentState): void;
  ready(after: 'completed' | 'asked'): void;
  fail(error: AgentErrorKind, recoverable: boolean, resets: string | null): void;
  kill(end: ProgramEnd): void;
  later(ms: number, run: () => void): void;
}

const DIALOG = {
  kind: 'question',
  title: 'Which way?',
  body: '',
  options: [
    { label: 'Left', highlighted: true },
    { label: 'Right', highlighted: false },
  ],
} as const;
const MAY_I = {
  kind: 'permission',
  title: 'May I?',
  body: '',
  options: [
    { label: 'Yes', highlighted: true },
    { label: 'Yes, always', highlighted: false },
    { label: 'No', highlighted: false },
  ],
} as const;
/** Milliseconds that a simulated limit holds. */
const LIMIT_MS = 45_000;

const AT_LIMIT = {
  kind: 'limit',
  title: 'You have reached your limit',
  body: '',
  options: [
    { label: 'Stop and wait for limit to reset', highlighted: true },
    { label: 'Upgrade', highlighted: false },
  ],
} as const;
/** Milliseconds within which a failure that a hook wrote down is reported. */
const REPORTED_WITHIN_MS = 4_000;

/** Ends the present turn. */
export function finishTurn(program: TurnProgram, end: TurnEnd): void {
  program.progress += 1;
  const { world } = program;
  const { random, time } = world;
  switch (end) {
    case 'commit':
    case 'quick-commit':
      world.work('commit');
      return program.ready('completed');
    case 'commit-dirty':
      world.work('commit');
      world.work('leave-dirty');
      return program.ready('completed');
    case 'resolve':
    case 'abort':
    case 'skip':
    case 'commit-markers':
    case 'leave-branch':
    case 'nest':
    case 'stray':
    case 'stash':
    case 'leave-unsigned':
      world.work(end);
      return program.ready('completed');
    case 'nothing':
      return program.ready('completed');
    case 'background':
      return leaveRunning(program);
    case 'asked':
      return program.ready('asked');
    case 'question':
      return program.show({ kind: 'question', form: 'multiple-choice', dialog: DIALOG });
    case 'permission':
      return program.show({
        kind: 'permission',
        tool: 'Bash',
        command: 'rm',
        dialog: MAY_I,
      });
    case 'own-dialog':
      return program.show({ kind: 'dialog', dialog: { ...MAY_I, kind: 'other', title: 'Update now?' } });
    case 'limit-dialog':
      return program.show({ kind: 'dialog', dialog: AT_LIMIT });
    case 'limit-late':
      program.limitedUntil = time.now() + LIMIT_MS;
      program.fail('usage-limit', false, null);
      return program.later(random.int(300, 5_000), () => finishTurn(program, 'limit-stated'));
    case 'tool-failed':
      for (let times = random.int(1, 3); times > 0; times -= 1)
        time.after(random.int(0, REPORTED_WITHIN_MS), () => world.toolFailed());
      return finishTurn(program, random.pick(['commit', 'nothing', 'user-exit']));
    case 'blank':
      return program.show({ kind: 'unknown', why: 'nothing-matched' });
    case 'error-passing':
      program.fail('overloaded', true, null);
      return program.later(random.int(500, 20_000), () => finishTurn(program, random.pick(['commit', 'nothing'])));
    case 'error-final':
      return program.fail(random.pick(['api', 'network', 'overloaded'] as const), false, null);
    case 'limit-stated':
      program.limitedUntil = time.now() + LIMIT_MS;
      return program.fail('usage-limit', false, `try again in ${LIMIT_MS / 1_000} seconds`);
    // The agent says so in passing, and shows its prompt again.
    case 'limit-prompt':
      finishTurn(program, 'limit-stated');
      return program.later(random.int(500, 5_000), () => program.ready('completed'));
    case 'limit-unstated':
      program.limitedUntil = time.now() + LIMIT_MS;
      return program.fail('rate-limit', false, null);
    case 'limit-again':
      return program.fail('usage-limit', false, null);
    case 'auth':
      return program.fail('auth', false, null);
    case 'context-full':
      return program.fail('context-exhausted', false, null);
    // The agent makes room by itself, and goes on.
    case 'context-compacted':
      program.fail('context-exhausted', false, null);
      return program.later(random.int(50, 1_500), () => {
        program.progress += 1;
        program.show({ kind: 'processing', queued: false, composer: { kind: 'empty' } });
        program.later(random.int(500, 5_000), () => finishTurn(program, random.pick(['commit', 'nothing'])));
      });
    case 'hang':
      return undefined;
    case 'limit-exit':
      program.limitedUntil = time.now() + LIMIT_MS;
      program.fail('usage-limit', false, null);
      return program.later(random.int(0, 2_000), () =>
        program.kill({ status: 1, signal: null, lastLines: ['limit'], limit: { resets: null } }),
      );
    case 'crash':
      return program.kill({ status: random.pick([1, 2, 127, 139]), signal: null, lastLines: ['oops'], limit: null });
    case 'signal':
      return program.kill({ status: null, signal: random.pick([9, 11, 15]), lastLines: [], limit: null });
    case 'panic':
      return program.kill({ status: 101, signal: null, lastLines: ['panic: simulated'], limit: null });
    case 'user-exit':
      return program.kill({ status: random.pick([0, 130]), signal: null, lastLines: ['bye'], limit: null });
    default:
      return end satisfies never;
  }
}

/** Ends the turn beside a shell, whose end wakes the agent, unless it was given something else to do. */
function leaveRunning(program: TurnProgram): void {
  const { random } = program.world;
  const composer = { kind: 'empty' } as const;
  const left: AgentState = { kind: 'ready', after: 'completed', composer, background: 'background shell' };
  program.show(left);
  program.later(random.int(500, 90_000), () => {
    if (program.state !== left) return;
    program.progress += 1;
    program.show({ kind: 'processing', queued: false, composer });
    program.later(random.int(500, 5_000), () => finishTurn(program, random.pick(['commit', 'nothing'])));
  });
}

/** Picks the end of a rebase: mostly resolved conflicts, seldom an abort or a wrong end. */
export function rebaseEnd(random: SeededRandom): TurnEnd {
  return random.weighted({ resolve: 70, abort: 12, skip: 6, 'commit-markers': 6, 'leave-branch': 6 });
}

/** Dialog of a program that is still starting. */
export function startDialog(kind: 'trust' | 'other'): Extract<AgentState, { kind: 'dialog' }>['dialog'] {
  const [title, yes] =
    kind === 'trust' ? ['Do you trust this folder?', 'Yes, proceed'] : ['Settings Warning', 'Continue'];
  return {
    kind,
    title,
    body: '',
    options: [
      { label: yes, highlighted: true },
      { label: 'No, exit', highlighted: false },
    ],
  };
}
