/** Tries whether people can be reached: each address of a step gets a mail. Chats are tried by their bot. */
import type { Actor, TriedView } from '@drover/api';
import type { Context } from '../context.ts';
import { placesOf } from '../escalations/call.ts';
import { oncallPolicyOf } from '../escalations/oncall.ts';
import { readRoster } from '../workers/find.ts';

/** Every place that a step of a project in reach names. */
export async function testOncall(ctx: Context, by: Actor): Promise<readonly TriedView[]> {
  const [people, places] = [await ctx.store.listPeople(), await ctx.store.listPlaces()];
  const { projects } = await readRoster(ctx, by);
  const names = new Map<string, { readonly channel: string; readonly address: string }>();
  for (const project of projects) {
    const notify = oncallPolicyOf(project).steps.flatMap((step) => step.notify);
    for (const place of placesOf(notify, { people, places, deliveries: [], projectId: project.id }))
      names.set(`${place.channel}:${place.address}`, place);
  }
  return Promise.all([...names].map(([name, place]) => tried(ctx, { name, ...place, by: by.name })));
}

async function tried(
  { mail }: Context,
  { name, channel, address, by }: { name: string; channel: string; address: string; by: string },
): Promise<TriedView> {
  if (channel !== 'email') {
    const message = 'its bot shows questions there as soon as one is open; "drover doctor" says what failed';
    return { place: name, outcome: 'not-tried', message };
  }
  if (mail === undefined)
    return {
      place: name,
      outcome: 'failed',
      message: 'no mail server is configured: set email.smtp_url in drover.toml',
    };
  const text = `${by} tries whether Drover reaches you here. There is nothing to do.`;
  try {
    await mail.send({ to: address, subject: 'Drover: a test', text });
    return { place: name, outcome: 'sent', message: 'the mail server has taken it' };
  } catch (error) {
    return { place: name, outcome: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
