/** Issues the answer to the dialog on the screen that was decided upon (R4). */
import type { AgentState } from '../agent-state.ts';
import { issue } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { AnswerChoice } from '../machine/arguments.ts';
import { isForProfile, keyOfDialog, labelOfTrust, mayAnswer, trustAskedBy } from '../recovery/dialogs.ts';
import { isAlive } from '../worker/session.ts';

/** Issues the answer; nothing when there is none, or the screen is another one. */
export function issueAnswer(step: Step): Step {
  const { session, lifecycle, dialog } = step.worker;
  const { pane } = session;
  if (!isAlive(pane) || pane.seen === null || lifecycle.takenOver) return step;
  const { incarnation } = pane;
  const { fingerprint, state } = pane.seen;
  const { inHand } = dialog;
  if (inHand !== null) {
    const isHere = inHand.incarnation === incarnation && inHand.fingerprint === fingerprint;
    if (inHand.label === null || !isHere) return step;
    return issue(step, { kind: 'answer', incarnation, fingerprint, choice: { kind: 'label', label: inHand.label } });
  }
  // A profile may recognize its program's question at the start by the words, not by the kind.
  const isForIt = isForProfile(state) || pane.kind === 'starting';
  if (state.kind !== 'dialog' || !isForIt || !mayAnswer(step, keyOfDialog(step.worker, state))) return step;
  const choice = choiceFor(step, state);
  return choice === null ? step : issue(step, { kind: 'answer', incarnation, fingerprint, choice });
}

/** Chooses by the project's trust, or leaves the choice to the profile; null: a person has to be asked. */
function choiceFor(step: Step, state: Extract<AgentState, { kind: 'dialog' }>): AnswerChoice | null {
  const asked = trustAskedBy(state);
  if (asked === undefined) return { kind: 'policy', dialog: state.dialog.kind };
  const label = labelOfTrust(step, asked);
  return label === null ? null : { kind: 'label', label };
}
