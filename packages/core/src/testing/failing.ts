/** Stories of an agent that fails in the same way again, after every attempt. */
import type { AgentState } from '../agent-state.ts';
import { BUSY, READY, working } from './story.ts';
import type { Story } from './story.ts';

type AgentError = Extract<AgentState, { kind: 'error' }>;

/** Shows an error on the screen that does not end by itself. */
export function failing(error: AgentError['error']): AgentError {
  return { kind: 'error', error, recoverable: false, text: `${error}: no`, resets: null, composer: { kind: 'empty' } };
}

/** Answers every attempt with the same error. */
export function failsAgain(story: Story, state: AgentState): void {
  switch (story.worker.command.inFlight?.command.kind) {
    case 'observe':
      return void story.checked(state);
    case 'respawn':
      return void story.opened().see(READY);
    case 'deliver':
      return void story.delivered().see(BUSY).see(state);
    default:
      return void (story.worker.deadlines.trouble === undefined ? story.see(state) : story.pass('trouble'));
  }
}

/** Spends three tries; before the agent is started again a second check is on its way. */
export function atLevelTwo(): Story {
  const story = working().see(failing('api'));
  while (story.worker.incident.open?.level === 1) failsAgain(story, failing('api'));
  if (story.last?.kind !== 'observe') throw new Error(`Expected a second check, got "${story.last?.kind}"`);
  return story;
}
