/** Entry for rooms that read, write or ask for results of a run's tasks, small enough for a hook. */
export type * from './result.ts';
export type * from './task.ts';
export type * from './usage.ts';
export { PROBLEMS_MAX, RESULT_LIMITS, resultProblems } from './result-rules.ts';
export {
  askForResultText,
  HAND_BACK_TEXT,
  refusalText,
  RESULT_VARIABLE,
  resultCommand,
  resultHowTo,
  runPreamble,
} from './result-texts.ts';
