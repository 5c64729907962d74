/** Lost input and partial send: a text was typed, and nothing or a part of it arrived. */
import { LEVEL_4, type Scenario } from '../support/scenario.ts';

const LOST = 'Lost input';
const PARTIAL = 'Partial send';

/** The message. */
const TOLD = 'WRITE as-told.txt done; COMMIT as told';

/** Makes a task after which the next texts go wrong; then a person's message is such a text. */
function thenMessage(mishap: string): Pick<Scenario, 'prompt' | 'act'> {
  return {
    prompt: `${mishap}\nASKTEXT What now?`,
    act: async (scene) => {
      await scene.reach('needs_input');
      await scene.message(TOLD);
    },
  };
}

const ARRIVED = { status: 'needs_review', commits: ['as told'], taken: { 'COMMIT as told': 1 } } as const;

/** Scenarios of turns.nightly.test.ts. */
export const LOST_INPUTS: readonly Scenario[] = [
  {
    section: LOST,
    seen: 'the whole text is still in the box',
    done: 'Enter alone is pressed again',
    title:
      'given an agent that swallows Enter, when a text was typed, then only Enter is pressed again and it is taken once',
    worker: 'enter',
    ...thenMessage('IGNOREENTER 2'),
    end: {
      ...ARRIVED,
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['taken:message', 'commit-found'],
      why: /Enter pressed [2-9] time/u,
    },
  },
  {
    section: LOST,
    seen: 'not taken, first time',
    done: 'rung 1: again by `typed`',
    title: 'given one lost text, when the first rung types it again, then it is taken once',
    worker: 'rung1',
    ...thenMessage('LOSETEXT 1'),
    end: {
      ...ARRIVED,
      errors: { AGENT_BLOCKED: 'recovered', INPUT_LOST: 'recovered' },
      rules: ['lost:rung-1', 'taken:message', 'recovered:INPUT_LOST', 'commit-found'],
      why: /resend by "typed"/u,
    },
  },
  {
    section: LOST,
    seen: 'not taken, second time',
    done: 'rung 2: again by `buffer`',
    title: 'given two lost texts, when the second rung pastes it from a buffer, then it is taken once',
    worker: 'rung2',
    ...thenMessage('LOSETEXT 2'),
    end: {
      ...ARRIVED,
      errors: { AGENT_BLOCKED: 'recovered', INPUT_LOST: 'recovered' },
      rules: ['lost:rung-1', 'lost:rung-2', 'taken:message', 'recovered:INPUT_LOST'],
      why: /resend by "buffer"/u,
    },
  },
  {
    section: LOST,
    seen: 'not taken, third time',
    done: 'rung 3: a fresh start of the agent, then again by `profile`',
    title:
      'given three lost texts, when the third rung starts the agent again with its conversation, then it is taken once',
    worker: 'rung3',
    ...thenMessage('LOSETEXT 3'),
    end: {
      ...ARRIVED,
      errors: { AGENT_BLOCKED: 'recovered', INPUT_LOST: 'recovered' },
      rules: ['lost:rung-1', 'lost:rung-2', 'lost:rung-3', 'doubt:agreed', 'taken:message', 'recovered:INPUT_LOST'],
      why: /start it again, then resend by "profile"/u,
    },
  },
  {
    section: LOST,
    seen: 'not taken after the last rung',
    done: '`error`, and a person is told',
    title:
      'given texts that are always lost, when all rungs are spent, then the worker is in error and a person is asked',
    worker: 'deaf',
    ...thenMessage('LOSETEXT 99'),
    end: {
      status: 'error',
      note: /did not take a text in 4 attempts/u,
      errors: { AGENT_BLOCKED: 'recovered', INPUT_LOST: 'open' },
      rules: ['lost:rung-1', 'lost:rung-2', 'lost:rung-3', 'doubt:agreed', 'give-up:INPUT_LOST'],
      asks: { title: /did not take a text in 4 attempts/u, options: LEVEL_4, pane: /What now\?/u },
      why: /drover answer \S+ --option retry /u,
      taken: { 'COMMIT as told': 0 },
    },
  },
  {
    section: PARTIAL,
    seen: 'a part of the text is in the box',
    done: 'The box is cleared, and the text is typed again',
    title:
      'given a text of which a half arrives, when the box was cleared, then it is typed again and taken once, whole',
    worker: 'half',
    ...thenMessage('CUTTEXT 1'),
    end: {
      ...ARRIVED,
      errors: { AGENT_BLOCKED: 'recovered', INPUT_PARTIAL: 'recovered' },
      rules: ['partial:1', 'taken:message', 'recovered:INPUT_PARTIAL'],
      why: /clear the input box and resend/u,
    },
  },
  {
    section: LOST,
    seen: "a person's draft is in the box",
    done: 'Nothing is typed over it: the policy asks again until the box is free',
    title:
      "given a person's draft in the box, when a text is due, then it waits and is delivered after the draft is gone",
    worker: 'draft',
    prompt: 'ASKTEXT What now?',
    act: async (scene) => {
      await scene.reach('needs_input');
      await scene.keys('-l', 'half a thought');
      await scene.message(TOLD);
      await scene.witnessed('taken', 'COMMIT as told');
    },
    end: {
      ...ARRIVED,
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['taken:message'],
      why: /delivered/u,
      taken: { 'half a thought': 0, 'COMMIT as told': 1 },
    },
  },
];
