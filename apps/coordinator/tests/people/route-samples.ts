/** Samples by which the test of all callers calls each procedure, with the answer to a caller of another project. */
import { randomUUID } from 'node:crypto';
import type { RouteName } from '@drover/api';

/** Target of a call: the caller's own project and worker, or the other one. */
export interface Target {
  readonly project: string;
  readonly worker: string;
  readonly escalation: string;
  readonly item: string;
  readonly checkpoint: string;
  readonly error: string;
  readonly run: string;
}

/** Input of a call, and the answer to a caller of another project: nothing of this name, or a list without it. */
export interface Sample {
  readonly input?: (target: Target) => unknown;
  readonly foreign: 'not-found' | 'not-listed' | 'nothing-of-anybody';
}

const named = (more: object = {}): Sample => ({
  input: ({ worker: name }) => ({ name, ...more }),
  foreign: 'not-found',
});
/** Builds a call on a webhook: none exists yet, so an admin gets a refusal. */
const hook = (more: object = {}): Sample => ({
  input: () => ({ name: 'hook', ...more }),
  foreign: 'nothing-of-anybody',
});
/** Builds a call on a run: a question has no run of its id. */
const run = (more: object = {}): Sample => ({
  input: ({ run: id }) => ({ id, ...more }),
  foreign: 'not-found',
});
const fresh = { requestId: randomUUID() };

/** Calls of every procedure. */
export const SAMPLES: Readonly<Record<RouteName, Sample>> = {
  info: { foreign: 'nothing-of-anybody' },
  'workers.list': { foreign: 'not-listed' },
  'workers.add': { input: () => ({ ...fresh, name: 'newcomer' }), foreign: 'nothing-of-anybody' },
  'workers.settings': named({}),
  'workers.edit': named({ model: 'opus', follow: [] }),
  'workers.nuke': named({ ...fresh, force: true, task: 'drop' }),
  'workers.start': named({ ...fresh, prompt: 'x' }),
  'workers.message': named({ ...fresh, text: 'x' }),
  'workers.move': named({ ...fresh, machine: 'm-outside', dryRun: true }),
  'workers.cancelMove': named(fresh),
  'workers.review': named(),
  'workers.reject': named({ ...fresh, text: 'x' }),
  'workers.accept': named(fresh),
  'workers.acceptTogether': {
    input: ({ worker: name }) => ({ items: [{ ...fresh, name }] }),
    foreign: 'not-found',
  },
  'workers.awaitAccept': {
    input: () => ({ ...fresh, heldUp: null, waitMs: 0 }),
    foreign: 'nothing-of-anybody',
  },
  'workers.cancel': named(fresh),
  'workers.rebase': named(fresh),
  'workers.why': named({ limit: 5 }),
  'workers.screen': named(),
  'workers.pane': named({ lines: 5 }),
  'workers.conversation': named(),
  'session.show': { foreign: 'nothing-of-anybody' },
  'session.ticket': { foreign: 'nothing-of-anybody' },
  'terminals.watch': named(),
  'terminals.type': named(),
  'terminals.locate': named(),
  events: named({ waitMs: 0, limit: 5 }),
  errors: { input: () => ({ all: true, limit: 5 }), foreign: 'not-listed' },
  error: { input: ({ error: id }) => ({ id }), foreign: 'not-found' },
  report: { input: ({ worker }) => ({ worker, sinceMs: 1_000 }), foreign: 'not-found' },
  'escalations.list': { input: () => ({ all: true, limit: 5 }), foreign: 'not-listed' },
  'escalations.show': { input: ({ escalation: id }) => ({ id }), foreign: 'not-found' },
  'escalations.ack': { input: ({ escalation: id }) => ({ id }), foreign: 'not-found' },
  'escalations.snooze': { input: ({ escalation: id }) => ({ ...fresh, id, forMs: 60_000 }), foreign: 'not-found' },
  'escalations.escalate': { input: ({ escalation: id }) => ({ ...fresh, id }), foreign: 'not-found' },
  'escalations.comment': { input: ({ escalation: id }) => ({ ...fresh, id, text: 'I look' }), foreign: 'not-found' },
  'escalations.resolve': { input: ({ escalation: id }) => ({ ...fresh, id, option: 'retry' }), foreign: 'not-found' },
  'oncall.show': { foreign: 'not-listed' },
  'oncall.chats': { foreign: 'nothing-of-anybody' },
  'oncall.silence': { input: ({ worker }) => ({ worker, forMs: 60_000, reason: 'x' }), foreign: 'not-found' },
  // A silence has the id of the question here.
  'oncall.unsilence': { input: ({ escalation: id }) => ({ id }), foreign: 'not-found' },
  'oncall.test': { foreign: 'nothing-of-anybody' },
  'policy.show': { input: ({ worker }) => ({ worker }), foreign: 'not-found' },
  'policy.diff': {
    input: ({ worker }) => ({ before: { kind: 'default' }, after: { kind: 'current', worker } }),
    foreign: 'not-found',
  },
  'policy.replay': { input: ({ worker }) => ({ worker }), foreign: 'not-found' },
  'runs.start': { input: () => ({ ...fresh, flow: 'change', inputs: {} }), foreign: 'nothing-of-anybody' },
  'runs.plan': { input: () => ({ ...fresh, flow: 'change', inputs: {} }), foreign: 'nothing-of-anybody' },
  'runs.list': { input: () => ({ all: true, limit: 5 }), foreign: 'not-listed' },
  'runs.show': run(),
  'runs.await': run({ seq: 0 }),
  'runs.act': run({ ...fresh, act: 'stop' }),
  'runs.answer': run({ ...fresh, option: 'start' }),
  'runs.review': run(),
  'runs.accept': run(fresh),
  'runs.retry': run(fresh),
  'runs.planRetry': run(fresh),
  'runs.events': run({ after: 0, limit: 5 }),
  'runs.messages': run(),
  'runs.tell': { input: () => ({ ...fresh, to: '@author', text: 'x' }), foreign: 'nothing-of-anybody' },
  'runs.ask': { input: () => ({ ...fresh, text: 'x' }), foreign: 'nothing-of-anybody' },
  'tools.list': { foreign: 'nothing-of-anybody' },
  'flows.list': { foreign: 'nothing-of-anybody' },
  'flows.show': { input: () => ({ name: 'change' }), foreign: 'nothing-of-anybody' },
  'flows.check': { input: () => ({ name: 'own', text: '' }), foreign: 'nothing-of-anybody' },
  'queue.list': { input: () => ({ all: true, limit: 5 }), foreign: 'not-listed' },
  'queue.show': { input: ({ item: id }) => ({ id }), foreign: 'not-found' },
  'queue.add': { input: () => ({ ...fresh, priority: 'S3', prompt: 'x' }), foreign: 'nothing-of-anybody' },
  'queue.drop': { input: ({ item: id }) => ({ id }), foreign: 'not-found' },
  'queue.retry': { input: ({ item: id }) => ({ id }), foreign: 'not-found' },
  'checkpoints.list': { input: () => ({ limit: 5 }), foreign: 'not-listed' },
  'checkpoints.show': { input: ({ checkpoint: id }) => ({ id }), foreign: 'not-found' },
  'checkpoints.create': { input: ({ worker }) => ({ ...fresh, worker }), foreign: 'not-found' },
  'checkpoints.recover': {
    input: ({ worker }) => ({ ...fresh, worker, resetAgent: false, dryRun: true }),
    foreign: 'not-found',
  },
  'checkpoints.recovery': { input: ({ worker }) => ({ ...fresh, worker }), foreign: 'not-found' },
  accounts: { foreign: 'not-listed' },
  'doctor.diagnose': { foreign: 'not-listed' },
  'doctor.repair': { input: () => ({ keys: [] }), foreign: 'not-listed' },
  'doctor.rebuild': { input: () => ({ keys: [] }), foreign: 'not-listed' },
  'projects.list': { foreign: 'not-listed' },
  'projects.show': { input: ({ project: name }) => ({ name }), foreign: 'not-found' },
  'projects.add': {
    input: () => ({ name: 'new', source: 'https://example.com/new.git', branch: 'main', home: null, checks: 'none' }),
    foreign: 'nothing-of-anybody',
  },
  'projects.declare': {
    input: () => ({
      name: 'declared',
      source: 'https://example.com/declared.git',
      branch: 'main',
      toml: '',
      from: '/srv/declared/drover.toml',
      force: false,
      dryRun: false,
    }),
    foreign: 'nothing-of-anybody',
  },
  'projects.trust': {
    input: ({ project: name }) => ({ name, kinds: ['mise'], isTrusted: true }),
    foreign: 'not-found',
  },
  'projects.edit': { input: ({ project: name }) => ({ name, checks: 'none' }), foreign: 'not-found' },
  'projects.remove': { input: ({ project: name }) => ({ name }), foreign: 'not-found' },
  'profiles.list': { foreign: 'nothing-of-anybody' },
  'profiles.put': { input: () => ({ document: {} }), foreign: 'nothing-of-anybody' },
  'profiles.adopt': { input: () => ({ name: 'mine' }), foreign: 'nothing-of-anybody' },
  'profiles.rollback': { input: () => ({ name: 'mine' }), foreign: 'nothing-of-anybody' },
  'profiles.remove': { input: () => ({ name: 'mine' }), foreign: 'nothing-of-anybody' },
  'machines.list': { foreign: 'not-listed' },
  'machines.invite': { input: () => ({ ttlMs: 1_000 }), foreign: 'nothing-of-anybody' },
  'machines.add': {
    input: () => ({ name: 'm-new', connection: { destination: 'ada@host' } }),
    foreign: 'nothing-of-anybody',
  },
  'machines.trust': {
    input: () => ({ name: 'm-outside', fingerprint: `SHA256:${'A'.repeat(43)}` }),
    foreign: 'nothing-of-anybody',
  },
  'machines.gateways': { foreign: 'not-listed' },
  'machines.revoke': { input: () => ({ name: 'm-outside' }), foreign: 'nothing-of-anybody' },
  'machines.rotate': { input: () => ({ name: 'm-outside' }), foreign: 'nothing-of-anybody' },
  'machines.cordon': { input: () => ({ name: 'm-outside' }), foreign: 'nothing-of-anybody' },
  'machines.label': { input: () => ({ name: 'm-outside', labels: ['gpu'] }), foreign: 'nothing-of-anybody' },
  'machines.uncordon': { input: () => ({ name: 'm-outside' }), foreign: 'nothing-of-anybody' },
  'machines.drain': {
    input: () => ({ ...fresh, name: 'm-outside', deadlineMs: null }),
    foreign: 'nothing-of-anybody',
  },
  'machines.remove': { input: () => ({ name: 'm-outside', force: false }), foreign: 'nothing-of-anybody' },
  'audit.list': { input: () => ({ limit: 5 }), foreign: 'not-listed' },
  'audit.verify': { input: () => ({ kept: [] }), foreign: 'not-listed' },
  'people.list': { foreign: 'not-listed' },
  'people.add': { input: () => ({ name: 'somebody', role: 'viewer' }), foreign: 'nothing-of-anybody' },
  'people.link': { input: () => ({ name: 'somebody' }), foreign: 'nothing-of-anybody' },
  'people.mail': { input: () => ({ name: 'ada', address: 'ada@example.com' }), foreign: 'nothing-of-anybody' },
  'people.remove': { input: () => ({ name: 'ada' }), foreign: 'nothing-of-anybody' },
  'tokens.list': { foreign: 'not-listed' },
  'tokens.create': { input: () => ({ name: 'new', role: 'viewer' }), foreign: 'nothing-of-anybody' },
  'tokens.edit': { input: () => ({ name: 'viewer', expiresInMs: 60_000 }), foreign: 'nothing-of-anybody' },
  'tokens.revoke': { input: () => ({ name: 'viewer', own: false, force: false }), foreign: 'nothing-of-anybody' },
  'webhooks.list': { foreign: 'nothing-of-anybody' },
  'webhooks.add': { input: () => ({ name: 'pager', url: 'https://example.com/' }), foreign: 'nothing-of-anybody' },
  'webhooks.edit': hook({ enabled: true }),
  'webhooks.remove': hook(),
  'webhooks.rotate': hook(),
  'webhooks.test': hook(),
  'webhooks.deliveries': hook({ limit: 5 }),
  'webhooks.replay': hook({ delivery: 'deadbeef' }),
  'fleet.up': { input: () => fresh, foreign: 'not-listed' },
  'fleet.down': { input: () => fresh, foreign: 'not-listed' },
  'fleet.stop': { foreign: 'nothing-of-anybody' },
};
