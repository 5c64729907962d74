/** What does core offer? Everything that other rooms may use of it; what is not named here is its own business. */
export type * from './agent-state.ts';
export { invariant, InvariantError } from './invariant.ts';
export { canMove, drawTransitions, isBusy, STATUS_MEANING, TRANSITIONS, WORKER_STATUSES } from './worker/status.ts';
export type { Transition, WorkerStatus } from './worker/status.ts';
export type * from './worker/op.ts';
export { composerOfState, isAtWork } from './worker/op.ts';
export { RESULTS } from './worker/op-results.ts';
export type * from './worker/event.ts';
export { DEADLINE_NAMES, newWorker } from './worker/worker.ts';
export type * from './worker/worker.ts';
export type * from './worker/incident.ts';
export { CHECKPOINT_TYPES } from './worker/checkpoint.ts';
export type { CheckpointDue, CheckpointType, LastCheckpoint, RestoreDue } from './worker/checkpoint.ts';
export { CHECKPOINTS_KEPT, surplusCheckpoints } from './checkpoints/retention.ts';
export type { KeptCheckpoint } from './checkpoints/retention.ts';
export { policyWith } from './policy/override.ts';
export type { PolicyChanges, PolicyOutcome, PolicyProblem, PolicyValue } from './policy/override.ts';
export { policyDifferences, policyEntries } from './policy/values.ts';
export type { PolicyDifference, PolicyEntry, PolicyLeaf } from './policy/values.ts';
export { DEFAULT_POLICY } from './policy/policy.ts';
export type { LostInputRung, Policy } from './policy/policy.ts';
export { decide } from './decide/decide.ts';
export type { Command, DecideContext, Decision, DecisionRecord, Reply } from './decide/decision.ts';
export { timesOf } from './worker/repair.ts';
export type { Repair } from './worker/repair.ts';
export { DEADLINE_MEANING, tell, tellEvent } from './decide/explain.ts';
export { explainWorker } from './decide/explain-worker.ts';
export type { Asked } from './decide/explain-worker.ts';
export { tellRule } from './decide/rule-words.ts';
export type { DialogPolicy, DialogRule, DialogWish } from './policy/dialogs.ts';
export { canonical } from './replay/canonical.ts';
export { outcomeText } from './replay/recorded.ts';
export type { DecisionFacts, RecordedDecision } from './replay/recorded.ts';
export { REPLAY_BEGIN, replayStep } from './replay/replay.ts';
export type { NotReplayed, PassedDeadline, ReplayRules, ReplayState, ReplayStep } from './replay/replay.ts';
export type { DecisionDifference } from './replay/differences.ts';
export { rejectionText, restoredText, taskText } from './decide/texts.ts';
export { SAVING } from './decide/checkpoints.ts';
export { TOOL, TOOL_ANSWERS } from './decide/tool-failed.ts';
export type { PromptParts } from './decide/texts.ts';
export { countHidden, showHidden, SHOWN_NAME_CHARS_MAX, shownNameProblem } from './hidden-characters.ts';
export { WORKER_NAME, workerNameProblem } from './worker-name.ts';
export type { ErrorCategory, ErrorContext, ErrorDefinition, ErrorKind, ErrorSeverity } from './taxonomy/definition.ts';
export { ERROR_CODES, ERRORS, firstLevel, isErrorCode } from './taxonomy/codes.ts';
export type { ErrorCode, RecoveryLevel } from './taxonomy/codes.ts';
export { makeError, markRecovered, remediationOf } from './taxonomy/record.ts';
export type { ErrorFields, ErrorRecord } from './taxonomy/record.ts';
export { wrapError } from './taxonomy/wrap.ts';
export type { WrapOptions, WrappedError } from './taxonomy/wrap.ts';
export { codeForAgentError, codeForExit, saysFatal } from './taxonomy/agent-codes.ts';
export type { AgentExit } from './taxonomy/agent-codes.ts';
export { duration } from './taxonomy/wording.ts';
export { backoffDelay, RETRY_CONFIGS } from './retry/backoff.ts';
export type { Backoff, RetryConfig } from './retry/backoff.ts';
export { budgetOf, mayRetry } from './retry/budgets.ts';
export { selectStrategy } from './retry/strategies.ts';
export type { Strategy, StrategyChoice, WaysOut } from './retry/strategies.ts';
export { ALTERNATIVE_ORDER, alternativeKey, nextAlternative } from './retry/alternatives.ts';
export type { Alternative, AlternativeKind } from './retry/alternatives.ts';
export { parseResetTime } from './limits/reset-time.ts';
export type { ResetOptions, ResetTime } from './limits/reset-time.ts';
export { UTC } from './limits/calendar.ts';
export type { Zone } from './limits/calendar.ts';
export { zoneOfMachine } from './limits/zones.ts';
export { decideAccount, DEFAULT_LIMIT_POLICY, OPEN_ACCOUNT } from './limits/account.ts';
export type { AccountCommand, AccountDecision, AccountEvent, AccountState, LimitPolicy } from './limits/account.ts';
export { DEFAULT_DEGRADATION_POLICY, NOT_DEGRADED } from './degradation/types.ts';
export type {
  Degradation,
  DegradationLevel,
  DegradationPolicy,
  Loss,
  RoleRule,
  RunView,
  StageView,
} from './degradation/types.ts';
export { applyDegradation, canContinue, judgeLoss } from './degradation/degrade.ts';
export type { DegradationStep, Verdict as DegradationVerdict } from './degradation/degrade.ts';
export { availableCapabilities, degradationSummary } from './degradation/summary.ts';
export { FAILURE_CLASSES } from './tool-failures/failure.ts';
export type { Classification, FailureClass, ResultRule, ToolFailure, WorkPhase } from './tool-failures/failure.ts';
export { classifyToolFailure, failureSignature } from './tool-failures/classify.ts';
export { adviseOnToolFailure } from './tool-failures/advise.ts';
export type { Advice, AdviceInputs, FailureHistory } from './tool-failures/advise.ts';
export type { FailureAction, QueueItem } from './tool-failures/action.ts';
export { DEFAULT_TOOL_FAILURE_POLICY } from './tool-failures/policy.ts';
export type { ClassPolicy, QueuePriority, ToolFailurePolicy } from './tool-failures/policy.ts';
export type { FieldProblem, SourceLocation } from './tool-failures/facts.ts';
export type { MissingPermission } from './tool-failures/grants.ts';
