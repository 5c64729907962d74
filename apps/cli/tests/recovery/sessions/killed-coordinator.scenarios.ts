/** Kills of the coordinator in the middle of each kind of recovery, which must end as without a kill. */
import { randomUUID } from 'node:crypto';
import type { OwnProfile } from '../support/own-worker.ts';
import { committing, type Scenario } from '../support/scenario.ts';
import type { Moment } from '../support/kills.ts';

const SECTION = 'The coordinator or its database dies';

/** A scenario with the moment of the coordinator's kill. `act` happens before the kill, `later` after it. */
export interface KillScenario extends Scenario {
  readonly moment: Moment;
  readonly later?: Scenario['act'];
}

const DONE = 'The next process finds it in the database and ends it as without the kill; nothing is done twice';

/** An agent whose next start is held back until the coordinator has been killed: see `support/kills.ts`. */
const HELD: OwnProfile = { program: '{dir}/held-agent' };

/** Scenarios of killed-coordinator.nightly.test.ts. Waits are long enough for a kill to fall into them. */
export const KILLS: readonly KillScenario[] = [
  {
    section: SECTION,
    seen: 'killed while a crashed agent waits for its restart',
    done: DONE,
    title:
      'given a crash, when the coordinator is killed before the restart, then the agent is restarted once and goes on',
    worker: 'crashed',
    policy: '[policy.crash]\nrestartAfterMs = 8_000\n',
    prompt: committing('after a crash and a kill', 'ONCE: CRASH 3'),
    moment: { after: 'exit:crash', before: 'command:respawn' },
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['exit:crash', 'taken:restored', 'commit-found'],
      why: /status 3/u,
      taken: { 'after a crash and a kill': 2, 'cut off': 1 },
      commits: ['after a crash and a kill'],
    },
  },
  {
    section: SECTION,
    seen: 'killed while the second rung of a lost text waits',
    done: DONE,
    title:
      'given two lost texts, when the coordinator is killed before the second rung, then that rung is taken once and nothing is typed twice',
    worker: 'rung',
    policy: [
      '[[policy.lostInput]]\nwaitMs = 300\nmethod = "typed"\nsettleMs = 200\nrespawn = false',
      '[[policy.lostInput]]\nwaitMs = 8_000\nmethod = "buffer"\nsettleMs = 0\nrespawn = false\n',
    ].join('\n'),
    prompt: 'LOSETEXT 2\nASKTEXT What now?',
    act: async (scene) => {
      await scene.reach('needs_input');
      await scene.message('WRITE as-told.txt done; COMMIT as told');
    },
    moment: { after: 'lost:rung-2', before: 'taken:message' },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered', INPUT_LOST: 'recovered' },
      rules: ['lost:rung-1', 'lost:rung-2', 'taken:message', 'recovered:INPUT_LOST'],
      why: /resend by "buffer"/u,
      taken: { 'COMMIT as told': 1 },
      commits: ['as told'],
    },
  },
  {
    section: SECTION,
    seen: 'killed while a turn without progress waits for its nudge',
    done: DONE,
    title:
      'given a turn without progress, when the coordinator is killed before the nudge, then one nudge is given and the work is finished',
    worker: 'nudged',
    policy: '[policy.nudge]\nfirstMs = 10_000\nsecondMs = 600_000\naskMs = 900_000\n',
    prompt: committing('after a nudge and a kill', 'STEADY', 'WAITFILE go'),
    moment: { after: 'taken:task', before: 'nudge' },
    later: async (scene) => {
      await scene.fired('taken:nudge');
      await scene.touch('go');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_STUCK: 'recovered' },
      rules: ['taken:task', 'nudge', 'taken:nudge', 'commit-found'],
      why: /no progress/u,
      taken: { 'after a nudge and a kill': 1, 'Status check': 1 },
      commits: ['after a nudge and a kill'],
    },
  },
  {
    section: SECTION,
    seen: 'killed while a limit is slept through',
    done: DONE,
    title:
      'given a limit, when the coordinator is killed before it resets, then the agent is asked to go on once, and not before the reset',
    worker: 'limited',
    profile: {},
    prompt: 'RATE in 12s',
    moment: { after: 'agent-error:usage-limit', before: 'taken:continue' },
    end: {
      status: 'needs_review',
      errors: { USAGE_LIMIT: 'recovered' },
      rules: ['agent-error:usage-limit', 'taken:continue', 'commit-found'],
      why: /for the limit to reset/u,
      taken: { 'The last turn ended with an error': 1 },
    },
  },
  {
    section: SECTION,
    seen: 'killed while an alternative is under way',
    done: DONE,
    title:
      'given a fresh context under way, when the coordinator is killed, then the task is given once in it and goes on',
    worker: 'fresh',
    profile: HELD,
    prompt: committing('in a fresh context after a kill', 'ONCE: CONTEXT'),
    moment: { after: 'alternative:fresh-context', before: 'taken:restored' },
    end: {
      status: 'needs_review',
      errors: { AGENT_CONTEXT_EXHAUSTED: 'recovered' },
      rules: ['alternative:fresh-context', 'taken:restored', 'commit-found'],
      why: /give the task again in a fresh context/u,
      taken: { 'in a fresh context after a kill': 2 },
      commits: ['in a fresh context after a kill'],
    },
  },
  {
    section: SECTION,
    seen: 'killed after a person has answered a question',
    done: DONE,
    title:
      'given a question about a crash, when the coordinator is killed after the answer was accepted, then the answer is applied once',
    worker: 'answered',
    profile: HELD,
    prompt: committing('after an answer and a kill', 'ONCE: PANIC once'),
    act: async (scene) => {
      const { id } = await scene.asked();
      await scene.stand.api.escalations.resolve.mutate({ requestId: randomUUID(), id, option: 'retry' });
    },
    moment: { after: 'answer:retry', before: 'taken:restored' },
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['give-up:AGENT_CRASHED', 'answer:retry', 'taken:restored', 'commit-found'],
      why: /a person asked Drover to try again/u,
      taken: { 'after an answer and a kill': 2 },
      commits: ['after an answer and a kill'],
    },
  },
];
