/**
 * Commands of `drover`: everyday verbs, and nouns with their verbs. A new command is a verb of a noun that is here. Each is declared by a
 * file, loaded by need.
 */
import type { DefinedCommand } from '../program/define.ts';

/** Exports of a command's file. */
export interface CommandModule {
  readonly command: DefinedCommand;
}

type Loaders = Readonly<Record<string, () => Promise<CommandModule>>>;

/** The verbs of every day, in the order of the help. */
export const VERBS = {
  init: () => import('./root/init.ts'),
  up: () => import('./root/up.ts'),
  down: () => import('./root/down.ts'),
  open: () => import('./root/open.ts'),
  'remove-root': () => import('./root/remove-root.ts'),
  add: () => import('./worker/add.ts'),
  nuke: () => import('./worker/nuke.ts'),
  start: () => import('./task/start.ts'),
  status: () => import('./worker/status.ts'),
  why: () => import('./worker/why.ts'),
  logs: () => import('./worker/logs.ts'),
  attach: () => import('./worker/attach.ts'),
  message: () => import('./task/message.ts'),
  answer: () => import('./escalation/answer.ts'),
  cancel: () => import('./task/cancel.ts'),
  review: () => import('./task/review.ts'),
  reject: () => import('./task/reject.ts'),
  accept: () => import('./task/accept.ts'),
  revert: () => import('./task/revert.ts'),
  rebase: () => import('./task/rebase.ts'),
} as const satisfies Loaders;

/** Nouns and their verbs. What a noun does alone comes before its verbs. */
export const NOUNS = {
  worker: () => import('./worker/list.ts'),
  'worker show': () => import('./worker/settings/show.ts'),
  'worker edit': () => import('./worker/settings/edit.ts'),
  'worker move': () => import('./worker/move.ts'),
  'worker recover': () => import('./worker/checkpoint/recover.ts'),
  'worker checkpoint': () => import('./worker/checkpoint/list.ts'),
  'worker checkpoint show': () => import('./worker/checkpoint/show.ts'),
  'worker checkpoint create': () => import('./worker/checkpoint/create.ts'),
  run: () => import('./run/run.ts'),
  'run show': () => import('./run/show.ts'),
  'run why': () => import('./run/why.ts'),
  'run wait': () => import('./run/wait.ts'),
  'run pause': () => import('./run/pause.ts'),
  'run resume': () => import('./run/resume.ts'),
  'run stop': () => import('./run/stop.ts'),
  'run retry': () => import('./run/retry.ts'),
  'run messages': () => import('./run/messages.ts'),
  flow: () => import('./flow/list.ts'),
  'flow show': () => import('./flow/show.ts'),
  'flow check': () => import('./flow/check.ts'),
  queue: () => import('./queue/list.ts'),
  'queue add': () => import('./queue/add.ts'),
  'queue show': () => import('./queue/show.ts'),
  'queue drop': () => import('./queue/drop.ts'),
  'queue retry': () => import('./queue/retry.ts'),
  'queue merge': () => import('./queue/merge.ts'),
  escalation: () => import('./escalation/list.ts'),
  'escalation show': () => import('./escalation/show.ts'),
  'escalation answer': () => import('./escalation/answer.ts'),
  'escalation ack': () => import('./escalation/ack.ts'),
  'escalation snooze': () => import('./escalation/snooze.ts'),
  'escalation escalate': () => import('./escalation/escalate.ts'),
  'escalation comment': () => import('./escalation/comment.ts'),
  oncall: () => import('./oncall/show.ts'),
  'oncall show': () => import('./oncall/show.ts'),
  'oncall silence': () => import('./oncall/silence.ts'),
  'oncall unsilence': () => import('./oncall/unsilence.ts'),
  'oncall test': () => import('./oncall/try.ts'),
  machine: () => import('./machine/list.ts'),
  'machine show': () => import('./machine/show.ts'),
  'machine add': () => import('./machine/add.ts'),
  'machine invite': () => import('./machine/invite.ts'),
  'machine join': () => import('./machine/here/join.ts'),
  'machine service': () => import('./machine/here/service.ts'),
  'machine upgrade': () => import('./machine/here/upgrade.ts'),
  'machine trust': () => import('./machine/trust.ts'),
  'machine rotate': () => import('./machine/rotate.ts'),
  'machine revoke': () => import('./machine/revoke.ts'),
  'machine remove': () => import('./machine/remove.ts'),
  'machine label': () => import('./machine/label.ts'),
  'machine cordon': () => import('./machine/cordon.ts'),
  'machine uncordon': () => import('./machine/uncordon.ts'),
  'machine drain': () => import('./machine/drain.ts'),
  gateway: () => import('./gateway/list.ts'),
  'gateway join': () => import('./gateway/join.ts'),
  'gateway rotate': () => import('./gateway/rotate.ts'),
  'gateway revoke': () => import('./gateway/revoke.ts'),
  'gateway remove': () => import('./gateway/remove.ts'),
  profile: () => import('./profile/list.ts'),
  'profile show': () => import('./profile/show.ts'),
  'profile new': () => import('./profile/new.ts'),
  'profile try': () => import('./profile/try.ts'),
  'profile put': () => import('./profile/put.ts'),
  'profile adopt': () => import('./profile/adopt.ts'),
  'profile rollback': () => import('./profile/rollback.ts'),
  'profile remove': () => import('./profile/remove.ts'),
  project: () => import('./project/list.ts'),
  'project show': () => import('./project/show.ts'),
  'project add': () => import('./project/add.ts'),
  'project edit': () => import('./project/edit.ts'),
  'project remove': () => import('./project/remove.ts'),
  'project apply': () => import('./project/apply.ts'),
  'project check': () => import('./project/check.ts'),
  'project trust': () => import('./project/trust.ts'),
  user: () => import('./user/list.ts'),
  'user add': () => import('./user/add.ts'),
  'user link': () => import('./user/link.ts'),
  'user mail': () => import('./user/mail.ts'),
  'user remove': () => import('./user/remove.ts'),
  'auth login': () => import('./auth/login.ts'),
  'auth logout': () => import('./auth/logout.ts'),
  'auth token': () => import('./auth/token/list.ts'),
  'auth token create': () => import('./auth/token/create.ts'),
  'auth token edit': () => import('./auth/token/edit.ts'),
  'auth token revoke': () => import('./auth/token/revoke.ts'),
  audit: () => import('./audit/list.ts'),
  'audit verify': () => import('./audit/verify.ts'),
  webhook: () => import('./webhook/list.ts'),
  'webhook add': () => import('./webhook/add.ts'),
  'webhook test': () => import('./webhook/test.ts'),
  'webhook deliveries': () => import('./webhook/deliveries.ts'),
  'webhook replay': () => import('./webhook/replay.ts'),
  'webhook rotate': () => import('./webhook/rotate.ts'),
  'webhook enable': () => import('./webhook/enable.ts'),
  'webhook disable': () => import('./webhook/disable.ts'),
  'webhook remove': () => import('./webhook/remove.ts'),
  'server coordinator': () => import('./server/coordinator.ts'),
  'server agent': () => import('./server/agent.ts'),
  'server gateway': () => import('./server/gateway.ts'),
  'server bot': () => import('./server/bot.ts'),
  'server migrate': () => import('./server/migrate.ts'),
  'server export': () => import('./server/export.ts'),
  'server import': () => import('./server/import.ts'),
  report: () => import('./report/report.ts'),
  'report errors': () => import('./report/errors.ts'),
  'report error': () => import('./report/error.ts'),
  'debug screen explain': () => import('./debug/screen/explain.ts'),
  'debug screen record': () => import('./debug/screen/record.ts'),
  'debug screen test': () => import('./debug/screen/test-captures.ts'),
  'debug policy show': () => import('./debug/policy/show.ts'),
  'debug policy check': () => import('./debug/policy/check.ts'),
  'debug policy diff': () => import('./debug/policy/diff.ts'),
  'debug replay': () => import('./debug/replay.ts'),
} as const satisfies Loaders;

/** Commands that are neither: they need not be remembered. */
export const OTHERS = {
  doctor: () => import('./doctor/doctor.ts'),
  hook: () => import('./worker/hook.ts'),
  completion: () => import('./completion/completion.ts'),
  'help environment': () => import('./help/environment.ts'),
  'help formatting': () => import('./help/formatting.ts'),
  'help limits': () => import('./help/limits.ts'),
  result: () => import('./pane/result.ts'),
  tell: () => import('./pane/tell.ts'),
  ask: () => import('./pane/ask.ts'),
  mcp: () => import('./pane/mcp.ts'),
  'help exit-codes': () => import('./help/exit-codes.ts'),
} as const satisfies Loaders;

/** Words that call a command: `queue add`. */
export type CommandName = keyof typeof VERBS | keyof typeof NOUNS | keyof typeof OTHERS;

/** Every command, by the words that call it. */
export const COMMANDS: Readonly<Record<CommandName, () => Promise<CommandModule>>> = {
  ...VERBS,
  ...NOUNS,
  ...OTHERS,
};

/** Nouns that list what there is: `drover machine`, `drover machine list` and `drover machine` are the same. */
export const LISTS: ReadonlySet<string> = new Set<CommandName>([
  'worker',
  'worker checkpoint',
  'run',
  'flow',
  'queue',
  'escalation',
  'machine',
  'gateway',
  'profile',
  'project',
  'user',
  'auth token',
  'audit',
  'webhook',
]);

/** Commands that hold others and do nothing by themselves. */
export const PARENTS = {
  auth: 'your login, and the tokens of people and programs',
  server: 'the parts of Drover as separate processes, and their database',
  debug: 'how Drover reads screens and makes decisions',
  'debug screen': 'how Drover reads the screens of agents',
  'debug policy': 'the numbers of the recovery policy',
  help: 'print the help of a command',
} as const satisfies Readonly<Record<string, string>>;

/** Returns the plural that people may type for a noun that lists. */
export function pluralOf(noun: string): string {
  return `${noun}s`;
}
