/** Session crash and start-up: the program ends, or never shows a prompt. */
import { committing, LEVEL_4, type Scenario } from '../support/scenario.ts';

const SECTION = 'Session crash';
const START_UP = 'Start-up';

/** Scenarios of sessions.nightly.test.ts. */
export const CRASHES: readonly Scenario[] = [
  {
    section: SECTION,
    seen: 'exit status 0, no new commit',
    done: '`idle`; its session stays closed',
    title:
      'given an agent at work, when a person ends it with status 0, then the worker is idle and it is not restarted',
    worker: 'zero',
    prompt: 'CRASH 0',
    end: {
      status: 'idle',
      note: /its user ended the agent/u,
      errors: {},
      rules: ['exit:user', 'ended-by-user'],
      why: /its user ended the agent/u,
      taken: { 'CRASH 0': 1 },
    },
  },
  {
    section: SECTION,
    seen: 'exit status 130, new commits',
    done: '`needs_review`',
    title: 'given an agent with a new commit, when a person ends it with status 130, then the work waits for review',
    worker: 'interrupt',
    prompt: committing('interrupted work') + '\nCRASH 130',
    end: {
      status: 'needs_review',
      errors: {},
      rules: ['exit:user', 'commit-found'],
      why: /committed "interrupted work"/u,
      commits: ['interrupted work'],
    },
  },
  {
    section: SECTION,
    seen: 'a signal (137)',
    done: 'Restart after `crash.restartAfterMs`, the task given again with a note',
    title:
      'given an agent at work, when it is killed, then it is started again with its conversation and told that it was cut off',
    worker: 'killed',
    isSample: true,
    prompt: committing('after a kill', 'ONCE: SIGNAL KILL'),
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['exit:crash', 'restore', 'taken:restored', 'recovered:AGENT_CRASHED', 'commit-found'],
      why: /signal 9/u,
      taken: { 'after a kill': 2, 'cut off': 1 },
      commits: ['after a kill'],
    },
  },
  {
    section: SECTION,
    seen: 'another exit status',
    done: 'Restart after `crash.restartAfterMs`',
    title: 'given an agent at work, when it ends with status 3, then it is started again and its task goes on',
    worker: 'three',
    prompt: committing('after status 3', 'ONCE: CRASH 3'),
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['exit:crash', 'recovered:AGENT_CRASHED'],
      why: /status 3/u,
      commits: ['after status 3'],
    },
  },
  {
    section: SECTION,
    seen: 'a second crash in the same task',
    done: 'Restart again; it counts',
    title: 'given an agent that crashes twice, when it is restarted the second time, then its task goes on',
    worker: 'twice',
    prompt: committing('after two crashes', 'ONCE: CRASH 3', 'ONCE: CRASH 4'),
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['exit:crash', 'exit:crash', 'recovered:AGENT_CRASHED'],
      why: /status 4/u,
      commits: ['after two crashes'],
    },
  },
  {
    section: SECTION,
    seen: 'the crash that makes `crash.countMax`',
    done: '`error`, and a person is told',
    title:
      'given an agent that always crashes, when its budget is spent, then the worker is in error and a person is asked',
    worker: 'always',
    prompt: 'CRASH 5',
    end: {
      status: 'error',
      note: /crashed 3 times \(status 5\)/u,
      errors: { AGENT_CRASHED: 'open' },
      rules: ['exit:crash', 'exit:crash', 'give-up:AGENT_CRASHED'],
      asks: { title: /crashed 3 times/u, options: LEVEL_4 },
      why: /drover answer \S+ --option retry/u,
      taken: { 'CRASH 5': 3 },
    },
  },
  {
    section: SECTION,
    seen: '`FATAL` or `panic` in the last lines',
    done: '`error`, and a person is told',
    title: 'given an agent at work, when it ends with a panic, then nothing is tried and a person is asked',
    worker: 'panic',
    prompt: 'PANIC out of memory',
    end: {
      status: 'error',
      note: /fatal error/u,
      errors: { AGENT_CRASHED: 'open' },
      rules: ['give-up:AGENT_CRASHED'],
      asks: { title: /fatal error/u, options: LEVEL_4 },
      why: /fatal error \(status 1\)/u,
      taken: { PANIC: 1 },
    },
  },
  {
    section: START_UP,
    seen: 'no prompt within `startUp.timeoutMs`',
    done: 'Waited for twice as long; then started again, when a second check agrees',
    title:
      'given an agent that shows nothing once, when it shows nothing in the longer wait either, then it is started again and goes on',
    worker: 'late',
    policy: '[policy.startUp]\ntimeoutMs = 2_500\n',
    prompt: committing('after a blank start', 'ONCE: BLANKSTART 1; CRASH 3'),
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered', AGENT_SPAWN_FAILED: 'recovered' },
      rules: ['exit:crash', 'deadline:start-up', 'doubt:agreed', 'taken:restored', 'commit-found'],
      why: /prompt/u,
      commits: ['after a blank start'],
    },
  },
  {
    section: START_UP,
    seen: '`startUp.attemptsMax` such waits',
    done: 'Once without its conversation; then `error`, and a person is told',
    title:
      'given an agent that never shows a prompt again, when it was started as often as allowed, then a person is asked',
    worker: 'blank',
    policy: '[policy.startUp]\ntimeoutMs = 4_000\n',
    prompt: 'ONCE: BLANKSTART 9; CRASH 3',
    end: {
      status: 'error',
      errors: { AGENT_CRASHED: 'open', AGENT_SPAWN_FAILED: 'open' },
      rules: [
        'exit:crash',
        'deadline:start-up',
        'doubt:agreed',
        'alternative:respawn-clean',
        'give-up:AGENT_SPAWN_FAILED',
      ],
      asks: { title: /prompt/u, options: LEVEL_4 },
      why: /prompt/u,
    },
  },
];
