/** Words the classification and the advice for the agent. */

import { duration } from '../taxonomy/wording.ts';
import type { FailureAction } from './action.ts';
import type { Classification, ToolFailure } from './failure.ts';

/** Prefix of every line, which hooks and logs look for. */
const PREFIX = '[Recovery]';

/** Returns some lines for the agent, the classification first. The lines quote nothing of the output, so that no output can give instructions. */
export function adviceText(failure: ToolFailure, found: Classification, action: FailureAction): string {
  const first = found.kind === 'result' ? resultLine(found) : `Classified as: ${found.class}`;
  return [first, ...actionLines(failure, action)].map((line) => `${PREFIX} ${line}`).join('\n');
}

function resultLine({ rule }: Extract<Classification, { kind: 'result' }>): string {
  switch (rule) {
    case 'tests-failed':
      return 'Not an error: the tests ran and some failed. Read them and fix the cause.';
    case 'findings':
      return 'Not an error: the check ran and found something. Fix what it found.';
    case 'person-declined':
      return 'Not an error: a person declined this. Do not repeat it; ask what is wanted instead.';
  }
}

function actionLines({ tool }: ToolFailure, action: FailureAction): string[] {
  switch (action.kind) {
    case 'none':
      return [];
    case 'retry': {
      const wait = action.delayMs === 0 ? 'now' : `in ${duration(action.delayMs)}`;
      const longer = action.timeoutFactor === 1 ? '' : ` with ${action.timeoutFactor} times the time limit`;
      return [`Retry ${action.attempt}/${action.attemptsMax} ${wait}${longer}: run the same ${tool} call again.`];
    }
    case 'queue': {
      const { priority, location } = action.item;
      const where = location === null ? '' : ` (line ${location.line})`;
      return [`Filed as ${priority}${where}. Do not run the same thing again unchanged; go on with other work.`];
    }
    case 'escalate':
      return ['A person has been told. Leave this operation alone until they answer; go on with other work.'];
    case 'block':
      return ['No retries left: this operation is blocked for now. A person has been told; go on with other work.'];
    case 'log':
      return ['Logged. Read the message, and try another way if the same happens again.'];
  }
}
