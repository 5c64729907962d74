/** Answers a coding agent's hook about a failed tool. */
import {
  adviseOnToolFailure,
  classifyToolFailure,
  historyOf,
  operationOf,
  reportOf,
  signatureOf,
  toolPolicyFrom,
} from '@drover/core/tool-failures';
import type { WorkPhase } from '@drover/core/tool-failures';
export { TOOL_POLICY_VARIABLE } from '@drover/core/tool-failures';
import { readHookEvent } from './read-event.ts';
import { addReport } from './reports.ts';

/** Facts for a hook beside its event. */
export interface HookFacts {
  /** The worker's file of failures; undefined outside of a worker's session. */
  readonly file: string | undefined;
  /** `DROVER_PHASE`, if it is set; anything but the three phases counts as unset. */
  readonly phase: string | undefined;
  /** `DROVER_TOOL_POLICY`, if it is set: the rules of the worker's project. */
  readonly toolPolicy?: string | undefined;
  readonly now: number;
  /** Random number in [0, 1). */
  readonly random: number;
  /** Minutes east of UTC on this machine. */
  readonly offsetMinutes: number;
}

/**
 * Answers one hook event in the program's own format, and writes the failure down for the machine agent.
 *
 * @returns output for stdout; empty if there is nothing to say, and outside of a worker's session, where no one would
 * do what the answer promises.
 * @throws if the failure could not be written down.
 */
export function answerHook(text: string, { file, phase, toolPolicy, now, random, offsetMinutes }: HookFacts): string {
  const event = readHookEvent(text, isPhase(phase) ? phase : null);
  if (event === null || file === undefined || file === '') return '';
  const { failure, conversation } = event;
  const found = classifyToolFailure(failure);
  const policy = toolPolicyFrom(toolPolicy);
  const operation = operationOf(failure.tool, event.input);
  const what = found.kind === 'result' ? found.rule : found.class;
  const signature = signatureOf(failure.tool, found);
  const advice = addReport(file, (before) => {
    const history = historyOf(before, { at: now, conversation, operation, class: what, signature });
    const inputs = { history, now, random, zone: { offsetMinutes }, classification: found, policy };
    const given = adviseOnToolFailure(failure, inputs);
    return { report: reportOf(failure, given, { at: now, conversation, operation }), answer: given };
  });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event.name, additionalContext: advice.adviceText } });
}

function isPhase(text: string | undefined): text is WorkPhase {
  return text === 'build' || text === 'test' || text === 'quality';
}
