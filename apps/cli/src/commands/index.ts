/** Commands of `drover`, in the order of its help: the group, and the file that declares each. */
import type { DefinedCommand } from '../program/define.ts';

/** Exports of a command's file. */
export interface CommandModule {
  readonly command: DefinedCommand;
}

type Loaders = Readonly<Record<string, () => Promise<CommandModule>>>;

/** Commands by group, loaded by need, so that `drover status` does not read modules that only `drover up` needs. */
export const GROUPS = {
  'Begin and end:': {
    init: () => import('./projects/init.ts'),
    up: () => import('./servers/up.ts'),
    down: () => import('./servers/down.ts'),
    'remove-root': () => import('./servers/remove-root.ts'),
  },
  'Work:': {
    add: () => import('./workers/add.ts'),
    start: () => import('./tasks/start.ts'),
    message: () => import('./workers/message.ts'),
    cancel: () => import('./tasks/cancel.ts'),
    attach: () => import('./workers/attach.ts'),
    move: () => import('./workers/move.ts'),
    nuke: () => import('./workers/nuke.ts'),
    queue: () => import('./queue/list.ts'),
    'queue add': () => import('./queue/add.ts'),
    'queue show': () => import('./queue/show.ts'),
    'queue drop': () => import('./queue/drop.ts'),
    'queue retry': () => import('./queue/retry.ts'),
  },
  'Review:': {
    review: () => import('./tasks/review.ts'),
    reject: () => import('./tasks/reject.ts'),
    rebase: () => import('./tasks/rebase.ts'),
    accept: () => import('./tasks/accept.ts'),
    train: () => import('./tasks/train.ts'),
  },
  'Look:': {
    open: () => import('./people/open.ts'),
    status: () => import('./workers/status.ts'),
    why: () => import('./workers/why.ts'),
    logs: () => import('./workers/logs.ts'),
    doctor: () => import('./doctor/doctor.ts'),
    'policy show': () => import('./policies/show.ts'),
    'policy check': () => import('./policies/check.ts'),
    'policy diff': () => import('./policies/diff.ts'),
    replay: () => import('./policies/replay.ts'),
    'screen explain': () => import('./screens/explain.ts'),
    'screen record': () => import('./screens/record.ts'),
    'screen test': () => import('./screens/test-captures.ts'),
    'config check': () => import('./projects/config-check.ts'),
  },
  'Recovery:': {
    escalations: () => import('./escalations/list.ts'),
    'escalations show': () => import('./escalations/show.ts'),
    'escalations ack': () => import('./escalations/ack.ts'),
    'escalations snooze': () => import('./escalations/snooze.ts'),
    'escalations escalate': () => import('./escalations/escalate.ts'),
    'escalations comment': () => import('./escalations/comment.ts'),
    'escalations resolve': () => import('./escalations/resolve.ts'),
    oncall: () => import('./oncall/show.ts'),
    'oncall show': () => import('./oncall/show.ts'),
    'oncall silence': () => import('./oncall/silence.ts'),
    'oncall unsilence': () => import('./oncall/unsilence.ts'),
    'oncall test': () => import('./oncall/try.ts'),
    checkpoints: () => import('./checkpoints/list.ts'),
    'checkpoints show': () => import('./checkpoints/show.ts'),
    'checkpoints create': () => import('./checkpoints/create.ts'),
    recover: () => import('./checkpoints/recover.ts'),
    errors: () => import('./incidents/errors.ts'),
    'errors show': () => import('./incidents/error.ts'),
    report: () => import('./incidents/report.ts'),
  },
  'Fleets of machines:': {
    project: () => import('./projects/list.ts'),
    'worker show': () => import('./workers/settings/show.ts'),
    'worker edit': () => import('./workers/settings/edit.ts'),
    'project show': () => import('./projects/show.ts'),
    'project add': () => import('./projects/add.ts'),
    apply: () => import('./projects/apply.ts'),
    'project edit': () => import('./projects/edit.ts'),
    'project trust': () => import('./projects/trust.ts'),
    'project remove': () => import('./projects/remove.ts'),
    machines: () => import('./machines/list.ts'),
    'machines show': () => import('./machines/show.ts'),
    'machines add': () => import('./machines/add.ts'),
    'machines trust': () => import('./machines/trust.ts'),
    'machines invite': () => import('./machines/invite.ts'),
    'machines revoke': () => import('./machines/revoke.ts'),
    'machines rotate': () => import('./machines/rotate.ts'),
    'machines label': () => import('./machines/label.ts'),
    'machines cordon': () => import('./machines/cordon.ts'),
    'machines uncordon': () => import('./machines/uncordon.ts'),
    'machines drain': () => import('./machines/drain.ts'),
    'machines remove': () => import('./machines/remove.ts'),
    'machine join': () => import('./machines/here/join.ts'),
    'machine service': () => import('./machines/here/service.ts'),
    'machine upgrade': () => import('./machines/here/upgrade.ts'),
    gateway: () => import('./servers/gateway.ts'),
    'gateway join': () => import('./machines/here/join-gateway.ts'),
    gateways: () => import('./machines/gateways.ts'),
    coordinator: () => import('./servers/coordinator.ts'),
    migrate: () => import('./servers/migrate.ts'),
    agent: () => import('./servers/agent.ts'),
    bot: () => import('./servers/bot.ts'),
    profiles: () => import('./profiles/list.ts'),
    'profiles show': () => import('./profiles/show.ts'),
    'profiles put': () => import('./profiles/put.ts'),
    'profiles remove': () => import('./profiles/remove.ts'),
    hook: () => import('./workers/hook.ts'),
  },
  'People:': {
    people: () => import('./people/people/list.ts'),
    'people add': () => import('./people/people/add.ts'),
    'people link': () => import('./people/people/link.ts'),
    'people mail': () => import('./people/people/mail.ts'),
    'people remove': () => import('./people/people/remove.ts'),
    tokens: () => import('./people/tokens/list.ts'),
    'tokens create': () => import('./people/tokens/create.ts'),
    'tokens edit': () => import('./people/tokens/edit.ts'),
    'tokens revoke': () => import('./people/tokens/revoke.ts'),
    webhooks: () => import('./webhooks/list.ts'),
    'webhooks add': () => import('./webhooks/add.ts'),
    'webhooks test': () => import('./webhooks/test.ts'),
    'webhooks deliveries': () => import('./webhooks/deliveries.ts'),
    'webhooks replay': () => import('./webhooks/replay.ts'),
    'webhooks rotate': () => import('./webhooks/rotate.ts'),
    'webhooks enable': () => import('./webhooks/enable.ts'),
    'webhooks disable': () => import('./webhooks/disable.ts'),
    'webhooks remove': () => import('./webhooks/remove.ts'),
    login: () => import('./people/login.ts'),
    logout: () => import('./people/logout.ts'),
    audit: () => import('./people/audit/list.ts'),
    'audit verify': () => import('./people/audit/verify.ts'),
  },
  'Database:': {
    export: () => import('./projects/export.ts'),
    import: () => import('./projects/import.ts'),
  },
  'Help:': {
    'exit-codes': () => import('./help/exit-codes.ts'),
  },
} as const satisfies Readonly<Record<string, Loaders>>;

type Groups = typeof GROUPS;

/** The words that call a command: `queue add`. */
export type CommandName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/** Commands that hold others and do nothing by themselves. */
export const PARENTS: Readonly<Record<string, string>> = {
  policy: 'the numbers of the recovery policy',
  screen: 'how Drover reads the screens of agents',
  config: 'what drover.toml says',
  machine: 'the machine that you type on',
};
