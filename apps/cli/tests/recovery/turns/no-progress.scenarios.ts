/** Turns that do not advance: without progress, never seen at all, or stopped by one failed request. */
import { marked } from '../support/by-hand.ts';
import { committing, LEVEL_4, WORDS, type Scenario } from '../support/scenario.ts';

const STUCK = 'Stuck';
const ERRORS = 'Errors that the agent shows';

/** Makes short times around a nudge, so that a test can wait for them. */
function nudges(firstMs: number, secondMs: number, askMs: number): string {
  const times = `firstMs = ${firstMs}\nsecondMs = ${secondMs}\naskMs = ${askMs}`;
  return `[policy]\ncheckEveryMs = 700\nechoMs = 500\n[policy.nudge]\n${times}\n[policy.silence]\nagainMs = 2_500\n`;
}

/** Scenarios of turns.nightly.test.ts. */
export const STALLED_ONES: readonly Scenario[] = [
  {
    section: STUCK,
    seen: 'at work, and nothing but a spinner with its clock and counters',
    done: 'Nudged twice; then `needs_input`, and a person is told',
    title:
      'given an agent that only turns its spinner, when two nudges did not help, then it is left as it is and a person is asked',
    worker: 'spinning',
    policy: nudges(2_000, 4_000, 6_000),
    prompt: 'HANG',
    end: {
      status: 'needs_input',
      note: /no progress for \d+ s, after 2 nudge/u,
      errors: { AGENT_STUCK: 'open' },
      rules: ['nudge', 'nudge', 'stuck'],
      asks: { title: /no progress for \d+ s, after 2 nudge/u, options: LEVEL_4 },
      why: /no progress followed any nudge/u,
      taken: { HANG: 1 },
    },
  },
  {
    section: STUCK,
    seen: 'progress after the first nudge',
    done: 'The clock starts again: the next nudge is a first one again',
    title: 'given a first nudge, when the agent says something, then the clock starts again, and its work ends',
    worker: 'reviving',
    policy: nudges(1_500, 120_000, 180_000),
    prompt: committing('after two first nudges', 'STEADY', 'WAITFILE one', 'SAY I am getting on.', 'WAITFILE two'),
    act: async (scene) => {
      await scene.fired('taken:nudge');
      await marked(scene);
      await scene.touch('one');
      await scene.fired('recovered:AGENT_STUCK');
      await scene.fired('taken:nudge', 2);
      await scene.touch('two');
    },
    end: {
      status: 'needs_review',
      errors: { AGENT_STUCK: 'recovered' },
      rules: ['nudge', 'taken:nudge', 'recovered:AGENT_STUCK', 'nudge', 'recovered:AGENT_STUCK', 'commit-found'],
      why: /recovered from AGENT_STUCK after/u,
      commits: ['after two first nudges'],
      // On a loaded machine a nudge may come while the end of the turn is examined: it is a first nudge, too.
      taken: { 'handed to a person': 0 },
    },
  },
  {
    section: STUCK,
    seen: 'ready, marked as working, and no turn was seen at all',
    done: 'Git is checked: `needs_input`',
    title:
      'given a text that the agent takes without a turn, when it is ready all the time, then git is checked and a person is asked',
    worker: 'silent',
    prompt: 'SILENT 1; ASKTEXT What now?',
    act: async (scene) => {
      await scene.reach('needs_input', /stopped with/u);
      await scene.message('Make it blue, please.');
      await scene.witnessed('taken', 'Make it blue');
      await scene.fired('taken:message');
    },
    end: {
      status: 'needs_input',
      note: /stopped with/u,
      errors: { AGENT_BLOCKED: 'open' },
      rules: ['message', 'taken:message', 'turn-ended'],
      asks: { title: /stopped with/u, options: WORDS },
      why: /its agent stopped/u,
      taken: { 'Make it blue': 1 },
    },
  },
  ...[
    { worker: 'network', code: 'NETWORK_ERROR', text: 'API Error: Connection error (ECONNRESET)' },
    { worker: 'overloaded', code: 'SERVER_OVERLOADED', text: 'API Error: 529 Overloaded' },
  ].map(({ worker, code, text }): Scenario => ({
    section: ERRORS,
    seen: `the turn ended with one failed request (${worker})`,
    done: 'Asked to go on after the first pause',
    title: `given a turn that ends with "${text}", when the agent is asked to go on, then it does and finishes its work`,
    worker,
    prompt: committing(`after ${worker}`, 'STEADY', `APIERROR ${text}`),
    end: {
      status: 'needs_review',
      errors: { [code]: 'recovered' },
      rules: [`agent-error:${worker}`, 'taken:continue', `recovered:${code}`, 'commit-found'],
      why: /ask it to continue in/u,
      commits: [`after ${worker}`],
      taken: { 'please continue from where you left off': 1 },
    },
  })),
];
