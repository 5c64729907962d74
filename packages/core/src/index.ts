/** Exports everything that other rooms may use of core; anything else is core's own business. */
export type * from './agent-state.ts';
export { invariant, InvariantError } from './invariant.ts';
export { nearest } from './words/nearest.ts';
export { canMove, isBusy, STATUS_MEANING, TRANSITIONS, WORKER_STATUSES } from './worker/status.ts';
export type { Transition, WorkerStatus } from './worker/status.ts';
export { CHECKPOINT_TYPES, RESULTS, VERDICTS } from './machine/commands.ts';
export { CHECKS_CANNOT_RUN, EXPIRED, MADE_WAY, SUPERSEDED } from './machine/ends.ts';
export type * from './machine/commands.ts';
export type * from './machine/reading.ts';
export { composerOfState, isAtWork } from './machine/reading.ts';
export {
  COPY_REFUSALS,
  POINTER_REASONS,
  tellForbidden,
  tellLacks,
  tellRefused,
  tellFilters,
  tellUnmatched,
} from './machine/supplies.ts';
export type { Gitlink } from './machine/gitlinks.ts';
export { tellGitlinks } from './machine/gitlinks.ts';
export type { Supplies } from './machine/supplies.ts';
export { TOOL_KINDS, TRUST_KINDS, TRUST_MEANING, trusts } from './machine/trust.ts';
export type { ToolKind, Trust, TrustKind, Untrusted } from './machine/trust.ts';
export { tellSetUp } from './machine/set-up.ts';
export type { SetUp, SetUpWanted } from './machine/set-up.ts';
export type * from './worker/event.ts';
export { unreadTexts } from './recovery/told.ts';
export { DEADLINE_NAMES } from './worker/deadline.ts';
export type { DeadlineName } from './worker/deadline.ts';
export { newWorker } from './worker/worker.ts';
export type { Worker } from './worker/worker.ts';
export { doubtOf, isAlive, seenOf } from './worker/session.ts';
export type { Pane } from './worker/session.ts';
export { isMoving } from './worker/move.ts';
export type { Luggage, MachineName, Move, Route } from './worker/move.ts';
export { inHand, runOf } from './worker/task.ts';
export type {
  Finding,
  FindingAnswer,
  Part,
  Returns,
  Severity,
  TaskResult,
  Verdict as ResultVerdict,
} from './run/result.ts';
export type * from './run/task.ts';
export { answerProblems, partsProblems } from './run/result-rules.ts';
export { HAND_BACK_TEXT, RESULT_LIMITS, RESULT_VARIABLE, resultProblems, runPreamble } from './run/results.ts';
export { runWords } from './requests/run.ts';
export type { StartingPoint, TaskInHand } from './worker/task.ts';
export { sinceOf } from './worker/turn.ts';
export { baseRunOf, isMerging, offerOf, outcomeOn } from './merge/state.ts';
export { acceptOf, isAccepting, membersOf, needsLease, trainOf } from './merge/step.ts';
export { chooseCheckPlace } from './placement/check-place.ts';
export type { CheckPlace } from './placement/check-place.ts';
export type { Member, Train } from './merge/step.ts';
export type { Candidate, Checks } from './merge/state.ts';
export type { Accept, MergeStep, MergeStepKind, SentBack } from './merge/step.ts';
export type { Account } from './worker/account.ts';
export { isLeaving, stateOf } from './worker/lifecycle.ts';
export type { UnfinishedTask } from './worker/lifecycle.ts';
export type { InFlight } from './worker/command.ts';
export type { Alternative, Incident, Question, QuestionOption, Trouble } from './worker/incident.ts';
export type { CheckpointDue, LastCheckpoint, RestoreDue } from './worker/checkpoint.ts';
export { surplusCheckpoints } from './checkpoints/retention.ts';
export type { KeptCheckpoint } from './checkpoints/retention.ts';
export { policyWith, TOOL_POLICY_VARIABLE } from './policy/override.ts';
export type { PolicyProblem } from './policy/check.ts';
export type { PolicyChanges, PolicyOutcome, PolicyValue } from './policy/override.ts';
export { policyDifferences, policyEntries } from './policy/values.ts';
export type { PolicyDifference, PolicyEntry, PolicyLeaf } from './policy/values.ts';
export { DEFAULT_POLICY } from './policy/policy.ts';
export type { LostInputRung, Policy } from './policy/policy.ts';
export { decide } from './decide.ts';
export { optionSaid, tellOptions } from './requests/dialog-option.ts';
export type { SaidOption } from './requests/dialog-option.ts';
export type { DecisionRecord } from './decision/records.ts';
export type { DecideContext, Decision, IssuedCommand, Reply, WholeContext } from './decision/step.ts';
export type { Elsewhere, FactName, MergeFacts, Needs, Queue, Ways } from './decision/facts.ts';
export type { Consequences } from './decision/consequences.ts';
export { rebuiltWorker, timesOf } from './worker/repair.ts';
export type { Found, Repair } from './worker/repair.ts';
export { DEADLINE_MEANING, tell, tellEvent } from './explain/tell.ts';
export { explainWorker } from './explain/worker.ts';
export type { Asked } from './explain/worker.ts';
export { RULE_WORDS, tellRule } from './explain/rules.ts';
export type { RuleKey, RuleName } from './decision/rules.ts';
export type { DialogPolicy, DialogRule, DialogWish } from './policy/dialogs.ts';
export { canonical } from './canonical.ts';
export { outcomeText } from './replay/recorded.ts';
export type { DecisionFacts, RecordedDecision } from './replay/recorded.ts';
export { REPLAY_BEGIN, replayStep } from './replay/replay.ts';
export type { NotReplayed, PassedDeadline, ReplayRules, ReplayState, ReplayStep } from './replay/replay.ts';
export type { DecisionDifference } from './replay/differences.ts';
export { rejectionText, restoredText, taskText } from './policy/texts.ts';
export { SAVING } from './events/checkpoint.ts';
export { TOOL, TOOL_ANSWERS, wayOfToolFailure } from './events/tool-failed.ts';
export type { LineComment, PromptParts } from './policy/texts.ts';
export {
  countBidirectional,
  countHidden,
  showHidden,
  SHOWN_NAME_CHARS_MAX,
  shownNameProblem,
} from './hidden-characters.ts';
export {
  BRANCH_PREFIX,
  branchesInTheWay,
  branchOfWorker,
  branchPrefixProblem,
  otherPrefixes,
} from './worker-branch.ts';
export { isAddress, sourceProblem } from './source-address.ts';
export { isOwn, isWithheld } from './withheld.ts';
export { envNameProblem, envValueProblem, lowestFree, workerEnv } from './worker-env.ts';
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
export { backoffDelay, RETRY_CONFIGS } from './policy/retry.ts';
export type { Backoff, RetryConfig } from './policy/retry.ts';
export { budgetOf, mayRetry } from './recovery/plans.ts';
export { RECOVERY_PLANS, RETRIES } from './recovery/plans.ts';
export type { RecoveryPlan, RetryName, Sign } from './recovery/plans.ts';
export { selectStrategy } from './recovery/strategies.ts';
export type { StrategyChoice, WaysOut } from './recovery/strategies.ts';
export type { Strategy } from './taxonomy/strategy.ts';
export { ALTERNATIVE_ORDER, alternativeKey, nextAlternative } from './recovery/ways/alternatives.ts';
export type { AlternativeKind } from './recovery/ways/alternatives.ts';
export { parseResetTime } from './limits/reset-time.ts';
export type { ResetOptions, ResetTime } from './limits/reset-time.ts';
export { UTC } from './limits/calendar.ts';
export type { Zone } from './limits/calendar.ts';
export { zoneOfMachine } from './limits/zones.ts';
export { DEFAULT_LIMIT_POLICY } from './policy/limits.ts';
export type { LimitPolicy } from './policy/limits.ts';
export { decideAccount, OPEN_ACCOUNT } from './limits/account.ts';
export { nextAccount } from './limits/next-account.ts';
export { headroomOf, isNearlySpent, joinQuotas, readsTheSame, tellQuota, toldAt } from './limits/quota.ts';
export type { Quota, QuotaWindow } from './limits/quota.ts';
export type { AccountCommand, AccountDecision, AccountEvent, AccountState } from './limits/account.ts';
export { DEFAULT_DEGRADATION_POLICY } from './policy/degradation.ts';
export type { DegradationPolicy } from './policy/degradation.ts';
export { DEFAULT_RUN_POLICY } from './policy/run.ts';
export type { RunPolicy } from './policy/run.ts';
export { FAILURE_CLASSES } from './tool-failures/failure.ts';
export type { Classification, FailureClass, ResultRule, ToolFailure, WorkPhase } from './tool-failures/failure.ts';
export { classifyToolFailure, failureSignature } from './tool-failures/classify.ts';
export { adviseOnToolFailure } from './tool-failures/advise.ts';
export type { Advice, AdviceInputs, FailureHistory } from './tool-failures/advise.ts';
export type { FailureAction, QueueItem } from './tool-failures/action.ts';
export { DEFAULT_TOOL_FAILURE_POLICY } from './policy/tool-failures.ts';
export type { ClassPolicy, QueuePriority, ToolFailurePolicy } from './policy/tool-failures.ts';
export type { FieldProblem, SourceLocation } from './tool-failures/facts.ts';
export type { MissingPermission } from './tool-failures/grants.ts';
export {
  ackOncall,
  askOncallAnew,
  beginOncall,
  hurryOncall,
  noteUnreached,
  oncallAt,
  reopenOncall,
  snoozeOncall,
} from './oncall/oncall.ts';
export type { OncallAct, OncallCall } from './oncall/acts.ts';
export type { Asked as OncallAsked, Oncall, OncallMoment, Reach } from './oncall/oncall.ts';
export {
  DAYS,
  DEFAULT_ONCALL,
  EVERYWHERE,
  FIRST,
  isAsGrave,
  OTHERS,
  SNOOZE_MAX_MS,
  STORM_SETTLES_MS,
} from './oncall/policy.ts';
export type { AnswerRole, Day, DefaultAnswer, OncallPolicy, OncallStep, QuietHours } from './oncall/policy.ts';
export { isQuiet, quietEnd } from './oncall/quiet.ts';
export { silencedUntil } from './oncall/silences.ts';
export { defaultOption } from './oncall/default-answer.ts';
export { unproven } from './placement/canary.ts';
export type { Compared } from './placement/canary.ts';
export { place, ranked } from './placement/place.ts';
export type { Placement } from './placement/place.ts';
export { ANYWHERE } from './placement/spot.ts';
export type { PlaceMachine, PlaceWorker, Spot, Wanted } from './placement/spot.ts';
export type { PlaceRule, Refused } from './placement/rules.ts';
export type * from './run/flow.ts';
export { FLOW_LIMITS, givesCommit, subjectOf } from './run/flow.ts';
export { isBudgetNews } from './events/budget.ts';
export { wallTimeAt } from './limits/calendar.ts';
export { GO_ON_TODAY, RAISE_BUDGET } from './recovery/questions.ts';
export { allowedFor, BUDGET_SCOPES, mostSpent, NOTHING_ALLOWED, spentWords, useOf } from './run/allowance.ts';
export type { BudgetScope, BudgetSpent, BudgetUse } from './run/allowance.ts';
export { addToDay, dayOf, shareOf, sumTold } from './run/usage.ts';
export type * from './run/usage.ts';
export type * from './run/event.ts';
export type * from './run/request.ts';
export type * from './run/run.ts';
export { isOver, RUN_DEADLINES, statusOfItem } from './run/run.ts';
export type { RunContext, RunDecision, RunRecord } from './run/step.ts';
export { OUTPUT_FIELDS, PART_FIELDS, partsText, placeholdersOf } from './run/texts.ts';
export { adoptableFrom } from './run/steps/adopt.ts';
export { failedWorkers, planRetry } from './run/retry.ts';
export { degradationOf, degradationSummary, isFeatureAvailable } from './run/degradation.ts';
export type { Capability, Degradation, DegradationLevel, Loss } from './run/degradation.ts';
export { spentOf } from './run/steps/budgets.ts';
export { allItems, findItem, outputOf, planOf } from './run/find.ts';
export { chainOf } from './run/overlap.ts';
export { flowNotFound, hasCommands, startFlow } from './run/start.ts';
export type { StartOutcome, StartWishes } from './run/start.ts';
export { decideRun, newRun } from './run/decide-run.ts';
export { shellWord } from './words/shell-word.ts';
