/** Dialogs: permission prompts and questions, by policy and by a person; and a person's answers when recovery is spent. */
import { committing, type Scenario } from '../support/scenario.ts';

const DIALOGS = 'Dialogs';
const QUESTIONS = 'What a person can answer';

/** Scenarios of dialogs.nightly.test.ts. */
export const DIALOG_ONES: readonly Scenario[] = [
  {
    section: DIALOGS,
    seen: 'a question of the agent with options',
    done: '`needs_input`, and a question whose options are those of the dialog',
    title:
      'given a question with options, when a person chooses the second one, then the agent has that answer and goes on',
    worker: 'chosen',
    prompt: committing('in blue', 'ASK Which colour? | red | blue'),
    act: async (scene) => {
      await scene.reach('needs_input', /asks: /u);
      await scene.answer('blue');
      await scene.witnessed('dialog-answered', 'blue');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['asks:question', 'answer:option', 'answered', 'commit-found'],
      why: /answered: /u,
      commits: ['in blue'],
    },
  },
  {
    section: QUESTIONS,
    seen: 'a person answers "retry"',
    done: 'Tried again with a fresh budget',
    title:
      'given a worker in error, when a person says "retry", then it is started again with a fresh budget and goes on',
    worker: 'again',
    prompt: committing('at the second try', 'ONCE: PANIC once'),
    act: async (scene) => void (await scene.answer('retry')),
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['give-up:AGENT_CRASHED', 'answer:retry', 'taken:restored', 'commit-found'],
      why: /a person asked Drover to try again/u,
      commits: ['at the second try'],
    },
  },
  {
    section: QUESTIONS,
    seen: 'a person answers "retry with changes"',
    done: 'The task goes on with the new words (level 3)',
    title: 'given an agent that stopped, when a person answers with other words, then it has them and the work goes on',
    worker: 'clarified',
    prompt: 'ASKTEXT Which name shall it have?',
    act: async (scene) => {
      await scene.answer('retry-with-changes', 'WRITE clear.txt done; COMMIT as clarified');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_BLOCKED: 'recovered' },
      rules: ['answer:retry-with-changes', 'taken:message', 'commit-found'],
      why: /continue with the words of a person/u,
      commits: ['as clarified'],
      taken: { 'COMMIT as clarified': 1 },
    },
  },
  {
    section: QUESTIONS,
    seen: 'a person answers "skip"',
    done: 'The task is over, the worker is idle again',
    title: 'given a worker in error, when a person says "skip", then its task is over and it takes the next one',
    worker: 'skipped',
    prompt: 'PANIC for good',
    act: async (scene) => {
      await scene.answer('skip');
      await scene.reach('idle');
      await scene.start(committing('the next task'));
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_CRASHED: 'recovered' },
      rules: ['give-up:AGENT_CRASHED', 'answer:skip', 'start', 'taken:task', 'commit-found'],
      why: /ended its task/u,
      commits: ['the next task'],
    },
  },
];
