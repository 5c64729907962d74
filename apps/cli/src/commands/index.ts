/** Which commands are there, and where is each? */
import type { Surroundings } from '../surroundings.ts';

/** What a file in `commands/` exports. */
export interface CommandModule {
  run(surroundings: Surroundings, args: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Loaded when called, so that `drover status` does not read what only `drover up` needs. */
export const LOADERS = {
  init: () => import('./projects/init.ts'),
  up: () => import('./servers/up.ts'),
  down: () => import('./servers/down.ts'),
  add: () => import('./workers/add.ts'),
  nuke: () => import('./workers/nuke.ts'),
  status: () => import('./workers/status.ts'),
  start: () => import('./tasks/start.ts'),
  message: () => import('./workers/message.ts'),
  attach: () => import('./workers/attach.ts'),
  review: () => import('./tasks/review.ts'),
  reject: () => import('./tasks/reject.ts'),
  accept: () => import('./tasks/accept.ts'),
  why: () => import('./workers/why.ts'),
  logs: () => import('./workers/logs.ts'),
  export: () => import('./projects/export.ts'),
  import: () => import('./projects/import.ts'),
  checkpoints: () => import('./checkpoints/list.ts'),
  'checkpoints-show': () => import('./checkpoints/show.ts'),
  'checkpoints-create': () => import('./checkpoints/create.ts'),
  recover: () => import('./checkpoints/recover.ts'),
  errors: () => import('./incidents/errors.ts'),
  report: () => import('./incidents/report.ts'),
  escalations: () => import('./escalations/list.ts'),
  'escalations-show': () => import('./escalations/show.ts'),
  'escalations-ack': () => import('./escalations/ack.ts'),
  'escalations-resolve': () => import('./escalations/resolve.ts'),
  doctor: () => import('./doctor/doctor.ts'),
  machines: () => import('./machines/list.ts'),
  invite: () => import('./machines/invite.ts'),
  'machines-revoke': () => import('./machines/revoke.ts'),
  'machines-remove': () => import('./machines/remove.ts'),
  'machines-rotate': () => import('./machines/rotate.ts'),
  'screen-explain': () => import('./screens/explain.ts'),
  'screen-record': () => import('./screens/record.ts'),
  'screen-test': () => import('./screens/test-captures.ts'),
  profiles: () => import('./profiles/list.ts'),
  'profiles-show': () => import('./profiles/show.ts'),
  'profiles-put': () => import('./profiles/put.ts'),
  'profiles-remove': () => import('./profiles/remove.ts'),
  'config-check': () => import('./projects/config-check.ts'),
  coordinator: () => import('./servers/coordinator.ts'),
  agent: () => import('./servers/agent.ts'),
  'policy-show': () => import('./policies/show.ts'),
  'policy-check': () => import('./policies/check.ts'),
  'policy-diff': () => import('./policies/diff.ts'),
  replay: () => import('./policies/replay.ts'),
  queue: () => import('./queue/list.ts'),
  'queue-add': () => import('./queue/add.ts'),
  'queue-show': () => import('./queue/show.ts'),
  'queue-drop': () => import('./queue/drop.ts'),
  'queue-retry': () => import('./queue/retry.ts'),
  tokens: () => import('./people/tokens/list.ts'),
  'tokens-create': () => import('./people/tokens/create.ts'),
  'tokens-revoke': () => import('./people/tokens/revoke.ts'),
  audit: () => import('./people/audit/list.ts'),
  'audit-verify': () => import('./people/audit/verify.ts'),
  login: () => import('./people/login.ts'),
  logout: () => import('./people/logout.ts'),
  hook: () => import('./workers/hook.ts'),
  'exit-codes': () => import('./help/exit-codes.ts'),
} as const satisfies Readonly<Record<string, () => Promise<CommandModule>>>;

/** Each is a file in `commands/`. */
export type CommandName = keyof typeof LOADERS;

/** Runs a command, with `json` among its options. */
export type Run = (
  name: CommandName,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;
