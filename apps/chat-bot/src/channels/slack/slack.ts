/** Slack in socket mode: an envelope is acknowledged only after the coordinator has stored its content. X1. */
import type { SaidAnswer } from '@drover/protocol/channels';
import { z } from 'zod';
import { harmless } from '../../cards/card-text.ts';
import { keyOf } from '../../cards/keys.ts';
import { readPayload } from '../../cards/payload.ts';
import { ChannelError } from '../../channel.ts';
import type { Channel, Ears } from '../../channel.ts';
import type { Nature, Socket } from '../../ports.ts';
import { SlackError, slackCall } from './api.ts';
import type { Call, SlackOptions } from './api.ts';
import { escaped, rows, section, showCard, updated } from './show.ts';

export function slackChannel(nature: Nature, options: SlackOptions): Channel {
  const call = slackCall(nature, options);
  return {
    name: 'slack',
    show: (delivery, signal) => showCard(call, delivery, signal),
    listen: (desk, signal) => listen({ nature, call, desk }, signal),
  };
}

/** Errors that only a person can repair. */
const TOKEN_PROBLEMS: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'not_allowed_token_type',
  'missing_scope',
]);

/** Runs consecutive sockets; Slack asks for a new one, which is open before the previous one closes. */
async function listen(ears: Ears<Call>, signal: AbortSignal): Promise<void> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const end = (): void => resolve();
  signal.addEventListener('abort', end);
  const open = async (): Promise<void> => {
    const url = await socketUrl(ears);
    if (signal.aborted) return;
    const socket = ears.nature.socket(url, {
      message: (text) => {
        take({ ...ears, socket, refresh: () => void open().catch(reject) }, text).catch((error: unknown) => {
          if (!signal.aborted) ears.nature.log('warn', `slack: ${String(error)}`);
        });
      },
      closed: ({ code }) => {
        sockets.delete(socket);
        if (sockets.size === 0) reject(new Error(`the events connection ended (${code}); reconnecting`));
      },
    });
    sockets.add(socket);
  };
  try {
    await open();
    await over;
  } finally {
    signal.removeEventListener('abort', end);
    for (const socket of sockets) socket.close();
  }
}

async function socketUrl({ call }: Ears<Call>): Promise<string> {
  try {
    return String((await call('apps.connections.open', {}, { asApp: true }))['url']);
  } catch (error) {
    if (error instanceof SlackError && TOKEN_PROBLEMS.has(error.code))
      throw new ChannelError(
        `Slack does not accept the token (${error.code}): DROVER_SLACK_APP_TOKEN needs an app token (xapp-…) with connections:write`,
        { cause: error },
      );
    throw error;
  }
}

const envelope = z.looseObject({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
});
const user = z.looseObject({ id: z.string(), team_id: z.string().optional() });
const team = z.object({ id: z.string() }).nullish();
const blockActions = z.object({
  type: z.literal('block_actions'),
  user,
  team,
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }),
  /** Timestamp of the message; absent if the message was shown to one person alone. */
  message: z.object({ ts: z.string() }).optional(),
  container: z.looseObject({ message_ts: z.string() }).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional(), action_ts: z.string() })).min(1),
});
const viewSubmission = z.object({
  type: z.literal('view_submission'),
  user,
  team,
  view: z.object({
    id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) }),
  }),
});
const slash = z.object({
  text: z.string().default(''),
  user_id: z.string(),
  team_id: z.string(),
  channel_id: z.string(),
  trigger_id: z.string(),
});

interface Taking extends Ears<Call> {
  readonly socket: Socket;
  /** Opens the next socket. */
  readonly refresh: () => void;
}

async function take(taking: Taking, text: string): Promise<void> {
  const { type, envelope_id: id, payload } = envelope.parse(JSON.parse(text));
  if (type === 'disconnect') {
    taking.refresh();
    return;
  }
  if (id === undefined) return;
  const acknowledge = (answer?: object): void =>
    taking.socket.send(JSON.stringify({ envelope_id: id, ...(answer !== undefined && { payload: answer }) }));
  if (type === 'slash_commands') return takeCommand(taking, slash.parse(payload), acknowledge);
  const pressed = blockActions.safeParse(payload);
  if (pressed.success) return takePress(taking, pressed.data, acknowledge);
  const form = viewSubmission.safeParse(payload);
  if (form.success) return takeForm(taking, form.data, acknowledge);
  acknowledge();
}

type Acknowledge = (answer?: object) => void;

function subjectOf(from: z.infer<typeof user>, of: z.infer<typeof team>): string {
  return `${of?.id ?? from.team_id ?? '?'}:${from.id}`;
}

async function takePress(
  { call, desk, nature }: Taking,
  press: z.infer<typeof blockActions>,
  acknowledge: Acknowledge,
): Promise<void> {
  const [action] = press.actions;
  const value = action?.value ?? '';
  const button = readPayload(value);
  if (button === null || action === undefined) return acknowledge();
  const { channel, message, container } = press;
  const ts = message?.ts ?? container?.message_ts ?? '';
  const key = keyOf(`slack press ${press.user.id} ${channel.id} ${ts} ${action.action_id} ${action.action_ts}`);
  const outcome = await desk.press({ key, subject: subjectOf(press.user, press.team), button });
  acknowledge();
  const quiet = quietly(nature);
  const metadata = JSON.stringify({ payload: value, channel: channel.id });
  if (outcome.kind === 'needs-text')
    return quiet(call('views.open', { trigger_id: press.trigger_id, view: formOf(outcome.says, metadata) }));
  await quiet(
    call('chat.postEphemeral', { channel: channel.id, user: press.user.id, text: escaped(harmless(outcome.says)) }),
  );
  if ('card' in outcome && outcome.card !== null && message !== undefined)
    await quiet(updated(call, `${channel.id}:${ts}`, outcome.card));
}

function formOf(says: string, metadata: string): object {
  return {
    type: 'modal',
    callback_id: 'drover-words',
    private_metadata: metadata,
    title: { type: 'plain_text', text: 'Drover' },
    submit: { type: 'plain_text', text: 'Send' },
    blocks: [
      section(harmless(says)),
      {
        type: 'input',
        block_id: 'words',
        label: { type: 'plain_text', text: 'Your text' },
        element: { type: 'plain_text_input', action_id: 'words', multiline: true, max_length: 3_000 },
      },
    ],
  };
}

const metadataSchema = z.object({ payload: z.string(), channel: z.string() });

async function takeForm(
  { call, desk, nature }: Taking,
  form: z.infer<typeof viewSubmission>,
  acknowledge: Acknowledge,
): Promise<void> {
  const known = metadataSchema.safeParse(JSON.parse(form.view.private_metadata || '{}'));
  const text = form.view.state.values['words']?.['words']?.value ?? '';
  const button = known.success ? readPayload(known.data.payload) : null;
  if (button === null || !known.success || text === '') return acknowledge();
  const key = keyOf(`slack form ${form.view.id}`);
  const outcome = await desk.press({ key, subject: subjectOf(form.user, form.team), button, text });
  acknowledge();
  const told = { channel: known.data.channel, user: form.user.id, text: escaped(harmless(outcome.says)) };
  await quietly(nature)(call('chat.postEphemeral', told));
}

async function takeCommand({ desk }: Taking, command: z.infer<typeof slash>, acknowledge: Acknowledge): Promise<void> {
  const subject = `${command.team_id}:${command.user_id}`;
  const [, code] = /^link\s+(\S+)/u.exec(command.text.trim()) ?? [];
  // Only the asker sees the answer, so a code may be sent anywhere. Questions then come to the chat with the person.
  const answer =
    code === undefined
      ? await desk.command({
          key: keyOf(`slack command ${command.trigger_id}`),
          subject,
          address: command.channel_id,
          words: command.text,
        })
      : await desk.link({ subject, address: command.user_id, code: code.slice(0, 100) });
  acknowledge(saidOf(answer));
}

function saidOf({ says, buttons }: SaidAnswer): object {
  const text = harmless(says);
  return { response_type: 'ephemeral', text: escaped(text), blocks: [section(text.slice(0, 3_000)), ...rows(buttons)] };
}

/** Logs the failure of a message that follows storing: the card shows the result too. */
function quietly({ log }: Nature): (said: Promise<unknown>) => Promise<void> {
  return async (said) => {
    await said.catch((error: unknown) => log('debug', `slack: ${String(error)}`));
  };
}
