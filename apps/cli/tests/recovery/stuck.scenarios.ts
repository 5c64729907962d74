/** Stuck, and errors that the agent shows: its program lives, and the work does not go on. */
import { committing, LEVEL_4, WORDS, type Scenario } from './support/scenario.ts';

const STUCK = 'Stuck';
const ERRORS = 'Errors that the agent shows';

/** What is played in stuck.test.ts. */
export const STUCK_ONES: readonly Scenario[] = [
  {
    section: STUCK,
    seen: 'ready after a turn, a new commit',
    done: '`needs_review`',
    title: 'given a turn that ends with a commit, when the agent is ready, then the work waits for review',
    worker: 'done',
    prompt: committing('all done'),
    end: {
      status: 'needs_review',
      errors: {},
      rules: ['turn-ended', 'commit-found'],
      why: /committed "all done"/u,
      commits: ['all done'],
    },
  },
  {
    section: STUCK,
    seen: 'ready after a turn, no new commit',
    done: '`needs_input`: "stopped without a new commit"',
    title: 'given a turn that ends without a commit, when the agent is ready, then a person is asked for words',
    worker: 'nothing',
    prompt: 'SAY I am done.',
    end: {
      status: 'needs_input',
      note: /stopped without a new commit/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['turn-ended', 'no-commit'],
      asks: { title: /stopped without a new commit/u, options: WORDS },
      why: /--option retry-with-changes --text/u,
    },
  },
  {
    section: STUCK,
    seen: 'ready after a turn, with a question',
    done: '`needs_input`: "stopped with a question"',
    title: 'given a turn that ends with a question, when the agent is ready, then a person is asked for words',
    worker: 'asking',
    prompt: 'ASKTEXT Which way shall I go?',
    end: {
      status: 'needs_input',
      note: /stopped with(?:out)? a (?:question|new commit)/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['turn-ended'],
      asks: { title: /stopped/u, options: WORDS },
      why: /It waits for a person/u,
    },
  },
  {
    section: ERRORS,
    seen: 'it retries by itself',
    done: 'Waited for, `agentError.patienceMs`',
    title: 'given an agent that retries by itself, when it succeeds in time, then nothing is done about it',
    worker: 'patient',
    policy: '[policy.agentError]\npatienceMs = 20_000\n',
    prompt: committing('after its own retries', 'RETRY 2'),
    end: {
      status: 'needs_review',
      errors: {},
      rules: ['commit-found'],
      why: /after its own retries/u,
      commits: ['after its own retries'],
    },
  },
  {
    section: ERRORS,
    seen: 'the context is full',
    done: 'The task is given again in a fresh context',
    title: 'given a full context, when the task is given again in a fresh one, then the work goes on',
    worker: 'full',
    prompt: committing('in a fresh context', 'ONCE: CONTEXT'),
    end: {
      status: 'needs_review',
      errors: { AGENT_CONTEXT_EXHAUSTED: 'recovered' },
      rules: ['alternative:fresh-context', 'taken:restored', 'recovered:AGENT_CONTEXT_EXHAUSTED'],
      why: /fresh context/u,
      commits: ['in a fresh context'],
    },
  },
  {
    section: ERRORS,
    seen: 'not logged in',
    done: '`error`, and a person is told at once',
    title: 'given an agent that is not logged in, when it says so, then nothing is tried and a person is asked',
    worker: 'stranger',
    prompt: 'APIERROR Invalid API key · Please run /login',
    end: {
      status: 'error',
      note: /not logged in/u,
      errors: { AGENT_AUTH_REQUIRED: 'open' },
      rules: ['give-up:AGENT_AUTH_REQUIRED'],
      asks: { title: /not logged in/u, options: LEVEL_4 },
      why: /drover escalations resolve/u,
    },
  },
  {
    section: ERRORS,
    seen: 'the account cannot pay',
    done: '`error`, and a person is told at once',
    title: 'given an account without credit, when the agent says so, then nothing is tried and a person is asked',
    worker: 'poor',
    prompt: 'APIERROR Credit balance is too low',
    end: {
      status: 'error',
      note: /cannot pay/u,
      errors: { USAGE_LIMIT: 'open' },
      rules: ['give-up:USAGE_LIMIT'],
      asks: { title: /cannot pay/u, options: LEVEL_4 },
      why: /cannot pay/u,
    },
  },
];
