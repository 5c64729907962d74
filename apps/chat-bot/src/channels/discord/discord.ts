/** Discord: interactions over the gateway. Each interaction is answered only after the coordinator has stored its content. X1. */
import { messageOf } from '@drover/base';
import type { SaidAnswer } from '@drover/protocol/channels';
import { z } from 'zod';
import { harmless } from '../../cards/card-text.ts';
import { keyOf } from '../../cards/keys.ts';
import { readPayload } from '../../cards/payload.ts';
import { ChannelError } from '../../channel.ts';
import type { Channel, Desk } from '../../channel.ts';
import type { Nature } from '../../ports.ts';
import { DiscordError, discordCall } from './api.ts';
import type { Call, DiscordOptions } from './api.ts';
import { runGateway } from './gateway.ts';
import { CONTENT_MAX, edited, plain, rows, showCard } from './show.ts';

export function discordChannel(nature: Nature, options: DiscordOptions): Channel {
  const call = discordCall(nature, options);
  return {
    name: 'discord',
    show: (delivery, signal) => showCard(call, delivery, signal),
    listen: (desk, signal) => listen({ nature, call, desk }, options.token, signal),
  };
}

interface Ears {
  readonly nature: Nature;
  readonly call: Call;
  readonly desk: Desk;
}

function listen(ears: Ears, token: string, signal: AbortSignal): Promise<void> {
  const { nature, call } = ears;
  const say = (error: unknown): void => {
    if (!signal.aborted) nature.log('warn', `discord: ${messageOf(error)}`);
  };
  return runGateway(
    {
      nature,
      token,
      urlOf: () => gatewayUrl(call),
      began: (application) => void call('PUT', `/applications/${application}/commands`, { body: COMMANDS }).catch(say),
      event: (name, data) => {
        if (name === 'INTERACTION_CREATE') void take(ears, data).catch(say);
      },
    },
    signal,
  );
}

async function gatewayUrl(call: Call): Promise<string> {
  try {
    return String((await call('GET', '/gateway/bot'))['url']);
  } catch (error) {
    if (error instanceof DiscordError && error.status === 401)
      throw new ChannelError(
        'Discord does not accept this token: set DROVER_DISCORD_TOKEN to the bot token of the application',
        { cause: error },
      );
    throw error;
  }
}

/** `/drover words` and `/link code`, in servers and in chats with the bot. */
const COMMANDS = [
  {
    name: 'drover',
    description: 'status, start, message, review, accept, here, leave, help',
    contexts: [0, 1],
    options: [{ type: 3, name: 'words', description: 'such as: status', required: false, max_length: 4_000 }],
  },
  {
    name: 'link',
    description: 'Link your account with a code of "drover user link"',
    contexts: [0, 1],
    options: [{ type: 3, name: 'words', description: 'the code', required: true, max_length: 100 }],
  },
];

const user = z.object({ id: z.string() });
const interaction = z.object({
  id: z.string(),
  token: z.string(),
  type: z.number(),
  channel_id: z.string().optional(),
  guild_id: z.string().optional(),
  user: user.optional(),
  member: z.object({ user }).optional(),
  message: z.object({ id: z.string() }).optional(),
  data: z
    .object({
      name: z.string().optional(),
      custom_id: z.string().optional(),
      options: z.array(z.object({ name: z.string(), value: z.unknown() })).optional(),
      components: z.array(z.object({ components: z.array(z.object({ value: z.string().optional() })) })).optional(),
    })
    .optional(),
});

type Interaction = z.infer<typeof interaction>;

/** Kinds of interactions and of their answers. Source: receiving and responding. */
const COMMAND = 2;
const COMPONENT = 3;
const FORM = 5;
const MESSAGE = 4;
const MODAL = 9;
/** Flag: only the person who pressed sees the message. */
const EPHEMERAL = 64;

async function take(ears: Ears, data: unknown): Promise<void> {
  const read = interaction.safeParse(data);
  if (!read.success) return;
  const subject = (read.data.member?.user ?? read.data.user)?.id;
  if (subject === undefined) return;
  if (read.data.type === COMMAND) return takeCommand(ears, read.data, subject);
  if (read.data.type === COMPONENT || read.data.type === FORM) return takePress(ears, read.data, subject);
}

async function takePress({ call, desk, nature }: Ears, pressed: Interaction, subject: string): Promise<void> {
  const payload = pressed.data?.custom_id ?? '';
  const button = readPayload(payload);
  if (button === null) return;
  const text = pressed.type === FORM ? pressed.data?.components?.[0]?.components[0]?.value : undefined;
  const key = keyOf(`discord ${pressed.id}`);
  const outcome = await desk.press({ key, subject, button, ...(text !== undefined && text !== '' && { text }) });
  const quiet = quietly(nature);
  if (outcome.kind === 'needs-text') return quiet(answer(call, pressed, { type: MODAL, data: formOf(payload) }));
  await quiet(
    answer(call, pressed, { type: MESSAGE, data: saidOf({ isDone: true, says: outcome.says, buttons: [] }) }),
  );
  const { message, channel_id: address } = pressed;
  if ('card' in outcome && outcome.card !== null && message !== undefined && address !== undefined)
    await quiet(edited(call, { address, ref: message.id, card: outcome.card }));
}

function formOf(payload: string): object {
  const input = { type: 4, custom_id: 'words', style: 2, label: 'Your text', required: true, max_length: 4_000 };
  return { custom_id: payload, title: 'Drover', components: [{ type: 1, components: [input] }] };
}

async function takeCommand({ call, desk, nature }: Ears, command: Interaction, subject: string): Promise<void> {
  const words = String(command.data?.options?.[0]?.value ?? '');
  const here = command.channel_id ?? '';
  const said =
    command.data?.name === 'link'
      ? await desk.link({ subject, address: await ownChat(call, command, subject), code: words.slice(0, 100) || '-' })
      : await desk.command({ key: keyOf(`discord ${command.id}`), subject, address: here, words });
  await quietly(nature)(answer(call, command, { type: MESSAGE, data: saidOf(said) }));
}

/** Opens the chat with the person alone, also if they sent the code in a server. */
async function ownChat(
  call: Call,
  { guild_id: guild, channel_id: here }: Interaction,
  subject: string,
): Promise<string> {
  if (guild === undefined && here !== undefined) return here;
  return String((await call('POST', '/users/@me/channels', { body: { recipient_id: subject } }))['id']);
}

function saidOf({ says, buttons }: SaidAnswer): object {
  const content = plain(harmless(says)).slice(0, CONTENT_MAX) || '…';
  return { content, components: rows(buttons), flags: EPHEMERAL, allowed_mentions: { parse: [] } };
}

async function answer(call: Call, { id, token }: Interaction, body: object): Promise<unknown> {
  return call('POST', `/interactions/${id}/${token}/callback`, { body });
}

/** Logs the failure of a message that follows storing: the card shows the result too. */
function quietly({ log }: Nature): (said: Promise<unknown>) => Promise<void> {
  return async (said) => {
    await said.catch((error: unknown) => log('debug', `discord: ${String(error)}`));
  };
}
