/** Manages webhooks: only an admin may, and each change is in the audit. */
import type { Actor, AnnouncementView, DeliveryView, Outcome, Refusal, WebhookFleet, WebhookView } from '@drover/api';
import type { StoreTransaction, WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@drover/store';
import { urlProblem } from '../../sending/addresses.ts';
import type { Context } from '../../context/context.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { readableName } from '../../facts/people/actor.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { refused } from '../../context/refused.ts';
import { EVERYTHING, readProjects } from '../../facts/workers/find.ts';

/** Milliseconds after a rotation during which the previous secret signs too. */
const OLD_SECRET_MS = 24 * 3_600_000;
/** Endpoints of a fleet: each costs a runner. */
const ENDPOINTS_MAX = 100;
/** Deliveries that are searched for the named one. */
const SEARCHED = 500;

export interface WebhookOptions {
  /** Hosts that may be private and without TLS. */
  readonly webhookHosts?: readonly string[];
}

export function createWebhookFleet(ctx: Context, { webhookHosts = [] }: WebhookOptions): WebhookFleet {
  return {
    listWebhooks: async () => {
      const rows = await ctx.store.listWebhookEndpoints();
      return Promise.all(rows.map((row) => viewOf(ctx, row)));
    },
    addWebhook: (input, by) => add(ctx, { ...input, hosts: webhookHosts }, by),
    editWebhook: ({ name, ...changes }, by) =>
      changed(ctx, { name, by, action: 'webhook-changed' }, (tx, row) =>
        edit(ctx, tx, { row, by, changes, hosts: webhookHosts }),
      ),
    removeWebhook: ({ name }, by) =>
      changed(ctx, { name, by, action: 'webhook-removed' }, async (tx, row) => {
        await tx.deleteWebhookEndpoint(row.id);
        return viewOf(ctx, row);
      }),
    rotateWebhook: ({ name }, by) =>
      changed(ctx, { name, by, action: 'webhook-rotated' }, async (tx, row) => {
        const secret = newSecret(ctx);
        const next = { ...row, secret, oldSecret: row.secret, oldSecretUntil: ctx.clock.now() + OLD_SECRET_MS };
        await tx.saveWebhookEndpoint(next);
        return { webhook: await viewOf(ctx, next), secret };
      }),
    testWebhook: ({ name, requestId }, by) =>
      changed(ctx, { name, by, action: 'webhook-tested' }, (tx, row) => test(ctx, tx, { row, by, requestId })),
    webhookDeliveries: async ({ name, limit }) => {
      const found = await find(ctx, name);
      if (found.kind === 'refused') return found;
      const rows = await ctx.store.listWebhookDeliveries({ endpointId: found.row.id, limit });
      const attempts = await ctx.store.listWebhookAttempts(rows.map(({ id }) => id));
      return { kind: 'ok', value: rows.map((row) => deliveryView(row, attempts)) };
    },
    replayWebhook: ({ name, delivery }, by) => replay(ctx, { name, delivery }, by),
  };
}

async function add(
  ctx: Context,
  {
    name,
    url,
    types,
    format,
    project,
    hosts,
  }: Parameters<WebhookFleet['addWebhook']>[0] & { readonly hosts: readonly string[] },
  by: Actor,
): ReturnType<WebhookFleet['addWebhook']> {
  const problem = urlProblem(url, hosts);
  if (problem !== null) return refused('invalid', problem);
  const { projects } = await readProjects(ctx, EVERYTHING);
  const within = projects.find((one) => one.name === project);
  if (project !== undefined && within === undefined) {
    const names = projects.map((one) => one.name).join(', ') || 'none yet';
    return refused('not-found', `There is no project "${project}"; there are: ${names}`);
  }
  if ((await ctx.store.listWebhookEndpoints()).length >= ENDPOINTS_MAX)
    return refused('too-many', `There are already ${ENDPOINTS_MAX} webhooks: remove one with "drover webhook remove"`);
  const now = ctx.clock.now();
  const endpoint: WebhookEndpoint = {
    id: ctx.ids.uuid(),
    name,
    url,
    types,
    format,
    projectId: within?.id ?? null,
    secret: newSecret(ctx),
    oldSecret: null,
    oldSecretUntil: null,
    cursor: (await ctx.store.followAnnouncements(null, 1)).settled,
    failingSince: null,
    disabledAt: null,
    disabledWhy: null,
    createdAt: now,
  };
  const outcome = await ctx.store.transaction(async (tx) => {
    const inserted = await tx.insertWebhookEndpoint(endpoint);
    const about = `webhook ${name}`;
    if (inserted === 'inserted')
      await tx.audit(
        audited({ at: now, by: causeOf(by), action: 'webhook-added', about, details: { url, types, format } }),
      );
    return inserted;
  });
  if (outcome === 'name-taken')
    return refused('name-taken', `The webhook "${name}" already exists: choose another name, or remove it first`);
  return { kind: 'ok', value: { webhook: await viewOf(ctx, endpoint), secret: endpoint.secret } };
}

interface Edit {
  readonly row: WebhookEndpoint;
  readonly by: Actor;
  readonly changes: Omit<Parameters<WebhookFleet['editWebhook']>[0], 'name'>;
  readonly hosts: readonly string[];
}

/** Edits a webhook. A webhook that is switched on starts with new announcements: earlier ones are not sent all at once. */
async function edit(
  ctx: Context,
  tx: StoreTransaction,
  { row, by, changes: { url, types, format, enabled }, hosts }: Edit,
): Promise<WebhookView | Refusal> {
  const problem = url === undefined ? null : urlProblem(url, hosts);
  if (problem !== null) return refused('invalid', problem);
  const isOn = row.disabledAt === null;
  const off = { disabledAt: ctx.clock.now(), disabledWhy: `${readableName(ctx, by)} switched it off` };
  const on = { disabledAt: null, disabledWhy: null, failingSince: null };
  const begin = async () => ({ ...on, cursor: (await ctx.store.followAnnouncements(null, 1)).settled });
  const next: WebhookEndpoint = {
    ...row,
    url: url ?? row.url,
    types: types ?? row.types,
    format: format ?? row.format,
    ...(enabled === false && isOn && off),
    ...(enabled === true && !isOn && (await begin())),
  };
  await tx.saveWebhookEndpoint(next);
  return viewOf(ctx, next);
}

function switchedOff({ name, disabledWhy }: WebhookEndpoint): string {
  return `"${name}" is switched off (${disabledWhy ?? 'no reason is known'}): "drover webhook enable ${name}" switches it on`;
}

/** Makes a secret in the form of Standard Webhooks: `whsec_` and base64. */
function newSecret({ ids }: Context): string {
  return `whsec_${Buffer.from(ids.secret(), 'base64url').toString('base64')}`;
}

async function test(
  ctx: Context,
  tx: StoreTransaction,
  { row, by, requestId }: { readonly row: WebhookEndpoint; readonly by: Actor; readonly requestId: string | undefined },
): Promise<DeliveryView | Refusal | Repeated<DeliveryView>> {
  // X3: a request repeated after a lost answer gets the test that was sent.
  const known = requestId === undefined ? null : await tx.readWebhookDelivery(requestId);
  if (known !== null) return { kind: 'repeated', value: deliveryView(known, []) };
  if (row.disabledAt !== null) return refused('disabled', switchedOff(row));
  const now = ctx.clock.now();
  const id = requestId ?? ctx.ids.uuid();
  const subject = { kind: 'webhook', id: row.id, webhook: row.name } as const;
  const body: AnnouncementView = {
    cursor: String(row.cursor),
    type: 'webhook.test',
    at: now,
    actor: { kind: by.kind, name: by.name },
    project: row.projectId,
    subject,
    version: 0,
  };
  const delivery: WebhookDelivery = {
    id,
    endpointId: row.id,
    announcementId: null,
    body,
    state: 'waiting',
    tries: 0,
    nextAt: now,
    createdAt: now,
  };
  await tx.insertWebhookDeliveries([delivery]);
  return deliveryView(delivery, []);
}

async function replay(
  ctx: Context,
  { name, delivery }: Parameters<WebhookFleet['replayWebhook']>[0],
  by: Actor,
): Promise<Outcome<DeliveryView>> {
  return changed(ctx, { name, by, action: 'webhook-replayed' }, async (tx, row) => {
    const known = await ctx.store.listWebhookDeliveries({ endpointId: row.id, limit: SEARCHED });
    const named = known.filter(({ id }) => id.startsWith(delivery) || id.endsWith(delivery));
    const [found, ...others] = named;
    if (found === undefined)
      return refused(
        'not-found',
        `"${name}" has no delivery with the id "${delivery}": see "drover webhook deliveries ${name}"`,
      );
    if (others.length > 0)
      return refused('invalid', `"${delivery}" matches ${named.length} deliveries: give more of the id`);
    if (row.disabledAt !== null) return refused('disabled', switchedOff(row));
    const next: WebhookDelivery = { ...found, state: 'waiting', tries: 0, nextAt: ctx.clock.now() };
    await tx.saveWebhookDelivery(next);
    return deliveryView(next, await ctx.store.listWebhookAttempts([found.id]));
  });
}

/** Makes one change of a webhook with its row of the audit, in one transaction. */
async function changed<T extends object>(
  ctx: Context,
  { name, by, action }: { readonly name: string; readonly by: Actor; readonly action: string },
  change: (tx: StoreTransaction, row: WebhookEndpoint) => Promise<T | Refusal | Repeated<T>>,
): Promise<Outcome<T>> {
  const found = await find(ctx, name);
  if (found.kind === 'refused') return found;
  const outcome = await ctx.store.transaction(async (tx) => {
    const row = await tx.lockWebhookEndpoint(found.row.id);
    if (row === null) return refused('not-found', `The webhook "${name}" no longer exists`);
    const done = await change(tx, row);
    if (isRefusal(done)) return done;
    if (isRepeated(done)) return { kind: 'ok' as const, value: done.value };
    await tx.audit(audited({ at: ctx.clock.now(), by: causeOf(by), action, about: `webhook ${name}` }));
    return { kind: 'ok' as const, value: done };
  });
  if (outcome.kind !== 'ok') return outcome;
  // An endpoint that asked for a pause gets a person's request at once.
  await ctx.store.freeWebhookEndpoint(found.row.id, null, ctx.clock.now());
  ctx.hints.events(found.row.id);
  return outcome;
}

/** Result of an earlier request with the same id: nothing is done again. */
interface Repeated<T> {
  readonly kind: 'repeated';
  readonly value: T;
}

function isRepeated<T extends object>(value: T | Repeated<T>): value is Repeated<T> {
  return 'kind' in value && value.kind === 'repeated';
}

function isRefusal(value: object): value is Refusal {
  return 'kind' in value && value.kind === 'refused';
}

async function find(
  { store }: Context,
  name: string,
): Promise<{ readonly kind: 'found'; readonly row: WebhookEndpoint } | Refusal> {
  const rows = await store.listWebhookEndpoints();
  const row = rows.find((one) => one.name === name);
  if (row !== undefined) return { kind: 'found', row };
  const names = rows.map((one) => one.name).join(', ') || 'none yet';
  return refused('not-found', `There is no webhook "${name}"; there are: ${names}`);
}

async function viewOf(ctx: Context, row: WebhookEndpoint): Promise<WebhookView> {
  const { projects } = await readProjects(ctx, EVERYTHING);
  const { id, name, url, types, format, projectId, failingSince, disabledAt, disabledWhy, oldSecretUntil } = row;
  const isOver = oldSecretUntil === null || oldSecretUntil <= ctx.clock.now();
  return {
    id,
    name,
    url,
    types: [...types],
    format,
    project: projectId === null ? null : (projects.find((one) => one.id === projectId)?.name ?? projectId),
    state: disabledAt !== null ? 'disabled' : failingSince === null ? 'good' : 'failing',
    why: disabledWhy,
    failingSince,
    oldSecretUntil: isOver ? null : oldSecretUntil,
    createdAt: row.createdAt,
  };
}

function deliveryView(
  { id, body, state, nextAt, createdAt }: WebhookDelivery,
  attempts: readonly WebhookAttempt[],
): DeliveryView {
  const own = attempts.filter(({ deliveryId }) => deliveryId === id);
  return {
    id,
    type: (body as AnnouncementView).type,
    state,
    nextAt,
    createdAt,
    attempts: own.map(({ deliveryId: _delivery, ...attempt }) => attempt),
  };
}
