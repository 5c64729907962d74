/** Which commands are there, and where is each? */
import type { Surroundings } from './surroundings.ts';

/** What a file in `commands/` exports. */
export interface CommandModule {
  run(surroundings: Surroundings, args: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Loaded when called, so that `drover status` does not read what only `drover up` needs. */
export const LOADERS = {
  init: () => import('./commands/init.ts'),
  up: () => import('./commands/up.ts'),
  down: () => import('./commands/down.ts'),
  add: () => import('./commands/add.ts'),
  nuke: () => import('./commands/nuke.ts'),
  status: () => import('./commands/status.ts'),
  start: () => import('./commands/start.ts'),
  message: () => import('./commands/message.ts'),
  attach: () => import('./commands/attach.ts'),
  review: () => import('./commands/review.ts'),
  reject: () => import('./commands/reject.ts'),
  accept: () => import('./commands/accept.ts'),
  why: () => import('./commands/why.ts'),
  logs: () => import('./commands/logs.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  checkpoints: () => import('./commands/checkpoints.ts'),
  'checkpoints-show': () => import('./commands/checkpoints-show.ts'),
  'checkpoints-create': () => import('./commands/checkpoints-create.ts'),
  recover: () => import('./commands/recover.ts'),
  errors: () => import('./commands/errors.ts'),
  report: () => import('./commands/report.ts'),
  escalations: () => import('./commands/escalations.ts'),
  'escalations-show': () => import('./commands/escalations-show.ts'),
  'escalations-ack': () => import('./commands/escalations-ack.ts'),
  'escalations-resolve': () => import('./commands/escalations-resolve.ts'),
  doctor: () => import('./commands/doctor.ts'),
  machines: () => import('./commands/machines.ts'),
  invite: () => import('./commands/invite.ts'),
  'machines-revoke': () => import('./commands/machines-revoke.ts'),
  'machines-remove': () => import('./commands/machines-remove.ts'),
  'machines-rotate': () => import('./commands/machines-rotate.ts'),
  'screen-explain': () => import('./commands/screen-explain.ts'),
  'screen-record': () => import('./commands/screen-record.ts'),
  'screen-test': () => import('./commands/screen-test.ts'),
  profiles: () => import('./commands/profiles.ts'),
  'profiles-show': () => import('./commands/profiles-show.ts'),
  'profiles-put': () => import('./commands/profiles-put.ts'),
  'profiles-remove': () => import('./commands/profiles-remove.ts'),
  'config-check': () => import('./commands/config-check.ts'),
  coordinator: () => import('./commands/coordinator.ts'),
  agent: () => import('./commands/agent.ts'),
  'policy-show': () => import('./commands/policy-show.ts'),
  'policy-check': () => import('./commands/policy-check.ts'),
  'policy-diff': () => import('./commands/policy-diff.ts'),
  replay: () => import('./commands/replay.ts'),
  queue: () => import('./commands/queue.ts'),
  'queue-add': () => import('./commands/queue-add.ts'),
  'queue-show': () => import('./commands/queue-show.ts'),
  'queue-drop': () => import('./commands/queue-drop.ts'),
  'queue-retry': () => import('./commands/queue-retry.ts'),
  tokens: () => import('./commands/tokens.ts'),
  'tokens-create': () => import('./commands/tokens-create.ts'),
  'tokens-revoke': () => import('./commands/tokens-revoke.ts'),
  audit: () => import('./commands/audit.ts'),
  'audit-verify': () => import('./commands/audit-verify.ts'),
  login: () => import('./commands/login.ts'),
  logout: () => import('./commands/logout.ts'),
  hook: () => import('./commands/hook.ts'),
  'exit-codes': () => import('./commands/exit-codes.ts'),
} as const satisfies Readonly<Record<string, () => Promise<CommandModule>>>;

/** Each is a file in `commands/`. */
export type CommandName = keyof typeof LOADERS;

/** Runs a command, with `json` among its options. */
export type Run = (
  name: CommandName,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;
