/** Links an identity of a chat to a person by a code, never by a name that somebody chose there; and links places to ask at. */
import type { Actor, BotCall, ChannelFleet } from '@drover/api';
import type { CommandRequest, MoveRequest } from '@drover/protocol';
import type { PersonRow } from '@drover/store';
import { sha256 } from '../../context/sha256.ts';
import type { Context } from '../../context/context.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { readCode } from '../../facts/people/codes.ts';
import { speakerOf } from './speaker.ts';

/** Links an identity. See `ChannelFleet`. A code that the same identity used before is no mistake: the answer may have been lost. */
export async function linkIdentity(
  ctx: Context,
  call: BotCall,
  { subject, address, code }: Parameters<ChannelFleet['linkIdentity']>[1],
): ReturnType<ChannelFleet['linkIdentity']> {
  const { channel } = call;
  const now = ctx.clock.now();
  const linked = await ctx.store.transaction(async (tx): Promise<{ person: PersonRow; isNew: boolean } | null> => {
    const person = await tx.takeLinkCode(sha256(readCode(code)), now);
    if (person === null) {
      const known = await tx.personOf(channel, subject);
      return known === null ? null : { person: known, isNew: false };
    }
    await tx.saveIdentity({ channel, subject, personId: person.id, linkedAt: now });
    await tx.savePlace({ channel, address, personId: person.id, projectId: person.projectId, createdAt: now });
    const by = causeOf(speakerOf(call, person, subject));
    await tx.audit(
      audited({
        at: now,
        by,
        action: 'identity-linked',
        about: `person ${person.name}`,
        details: { identity: `${channel}:${subject}` },
      }),
    );
    return { person, isNew: true };
  });
  if (linked === null)
    return said(false, 'This code is wrong, used or older than ten minutes. "drover user link" prints a new one.');
  const { name, role } = linked.person;
  await ctx.store.wantEverywhere(channel, now);
  if (!linked.isNew) return said(true, `You are already linked as ${name}. The code changed nothing.`);
  ctx.log('info', `${channel}:${subject} is now linked to ${name} by a code`);
  return said(
    true,
    `Welcome, ${name} (${role}). I will ask you here when a worker needs a person. /drover help lists the commands.`,
  );
}

/** Shows questions in the chat of the command. */
export async function askHere(
  ctx: Context,
  { channel }: BotCall,
  { actor, command: { address } }: { readonly actor: Actor; readonly command: CommandRequest },
): ReturnType<ChannelFleet['chatCommand']> {
  const now = ctx.clock.now();
  await ctx.store.transaction(async (tx) => {
    await tx.savePlace({ channel, address, personId: null, projectId: actor.project, createdAt: now });
    await tx.audit(
      audited({ at: now, by: causeOf(actor), action: 'place-added', about: `place ${channel}:${address}` }),
    );
  });
  await ctx.store.wantEverywhere(channel, now);
  return said(true, 'I will show questions here. Everybody in this chat sees them; linked people can answer.');
}

/** Shows nothing more in the chat of the command. */
export async function leaveHere(
  ctx: Context,
  { channel }: BotCall,
  { actor, command: { address } }: { readonly actor: Actor; readonly command: CommandRequest },
): ReturnType<ChannelFleet['chatCommand']> {
  const now = ctx.clock.now();
  const wasThere = await ctx.store.transaction(async (tx) => {
    const isThere = await tx.deletePlace({ channel, address });
    const about = `place ${channel}:${address}`;
    if (isThere) await tx.audit(audited({ at: now, by: causeOf(actor), action: 'place-removed', about }));
    return isThere;
  });
  return said(
    wasThere,
    wasThere ? 'I no longer show questions here. "/drover here" turns them on again.' : 'I do not show questions here.',
  );
}

/** Follows a chat to its new address. */
export async function moveChat(ctx: Context, { channel, by }: BotCall, { from, to }: MoveRequest): Promise<void> {
  if (from === to) return;
  const about = `place ${channel}:${from}`;
  const isMoved = await ctx.store.transaction(async (tx) => {
    const wasThere = await tx.movePlace({ channel, from, to });
    const details = { to: `${channel}:${to}` };
    if (wasThere)
      await tx.audit(audited({ at: ctx.clock.now(), by: causeOf(by), action: 'place-moved', about, details }));
    return wasThere;
  });
  if (isMoved)
    ctx.log('info', `The chat ${channel}:${from} is now ${channel}:${to}; steps in drover.toml may use either name`);
}

/** Answers with words alone. */
export function said(isDone: boolean, says: string): Awaited<ReturnType<ChannelFleet['chatCommand']>> {
  return { isDone, says, buttons: [] };
}
