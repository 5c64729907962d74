/** Events for external programs: each type with the schema of its subject. The triggers of `announcements` write them. */
import { epochMs, uuid } from '@drover/protocol';
import { z } from 'zod';

const question = z
  .object({
    kind: z.literal('escalation'),
    id: uuid,
    worker: z.string(),
    status: z.string(),
    asked: z.number().int().meta({ description: 'Rises when it is asked again' }),
    severity: z.string(),
  })
  .meta({ id: 'EscalationSubject' });
const named = z.object({ kind: z.literal('worker'), id: uuid, worker: z.string() });
const status = z.string().meta({ description: 'The state that it is in now' });
const from = z.string().meta({ description: 'The state of before' });
const task = z.object({ kind: z.literal('task'), id: uuid, worker: z.string(), status }).meta({ id: 'TaskSubject' });
const run = z.object({ kind: z.literal('run'), id: uuid, flow: z.string(), status }).meta({ id: 'RunSubject' });
const machine = z.object({ kind: z.literal('machine'), id: uuid, machine: z.string() }).meta({ id: 'MachineSubject' });
const webhook = z.object({ kind: z.literal('webhook'), id: uuid, webhook: z.string() }).meta({ id: 'WebhookSubject' });

export const EVENT_SUBJECTS = {
  'escalation.opened': question,
  'escalation.changed': question,
  'escalation.acked': question,
  'escalation.resolved': question,
  'escalation.applied': question,
  'escalation.reopened': question,
  'escalation.closed': question,
  'worker.added': named.extend({ status }),
  'worker.status': named.extend({ status, from }),
  'worker.removed': named.extend({ from }),
  'task.added': task,
  'task.status': task,
  'run.added': run,
  'run.status': run.extend({ from }).meta({ id: 'RunStatusSubject' }),
  'machine.joined': machine,
  'machine.connected': machine,
  'machine.revoked': machine,
  'machine.removed': machine,
  'delivery.failed': webhook,
  'webhook.test': webhook,
} as const satisfies Readonly<Record<string, z.ZodObject>>;

export type EventType = keyof typeof EVENT_SUBJECTS;

/** All types, and the words before their dots, which mean all types with that prefix. */
export const EVENT_TYPES: ReadonlySet<string> = new Set(
  Object.keys(EVENT_SUBJECTS).flatMap((type) => [type, type.split('.', 1)[0] ?? type]),
);

/** A type, or the word before its dot. */
export const eventType = z.string().refine((type) => EVENT_TYPES.has(type), {
  error: ({ input }) =>
    `There is no event "${String(input).slice(0, 60)}": leave it out, or take one of ${[...EVENT_TYPES].join(', ')}`,
});

function event<T extends EventType>(type: T) {
  return z
    .object({
      cursor: z.string().meta({ description: 'Going on after it misses nothing' }),
      type: z.literal(type),
      at: epochMs,
      actor: z.object({ kind: z.string(), name: z.string() }).nullable().meta({ description: 'Null: Drover itself' }),
      project: uuid.nullable().meta({ description: 'Null: it is of the whole fleet' }),
      subject: EVENT_SUBJECTS[type],
      version: z.number().int().meta({ description: 'Of the subject' }),
    })
    .meta({ id: nameOf(type) });
}

/** Names the schema of a type: `escalation.opened` is `EventEscalationOpened`. */
function nameOf(type: EventType): string {
  return ['event', ...type.split('.')].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** An event, without any text of a pane: readers fetch the subject of the event at its source. */
export const announcementView = z.discriminatedUnion('type', [
  event('escalation.opened'),
  event('escalation.changed'),
  event('escalation.acked'),
  event('escalation.resolved'),
  event('escalation.applied'),
  event('escalation.reopened'),
  event('escalation.closed'),
  event('worker.added'),
  event('worker.status'),
  event('worker.removed'),
  event('task.added'),
  event('task.status'),
  event('run.added'),
  event('run.status'),
  event('machine.joined'),
  event('machine.connected'),
  event('machine.revoked'),
  event('machine.removed'),
  event('delivery.failed'),
  event('webhook.test'),
]);

export type AnnouncementView = z.infer<typeof announcementView>;
