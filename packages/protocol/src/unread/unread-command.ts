/** Reads what is left of a command that this build cannot read. */
import { z } from 'zod';
import { misfitOf, type Misfit } from '../misfit.ts';
import { uuid } from '../names.ts';

/** Command of a coordinator that this build cannot read: of another kind, or with other contents. Such a command is never carried out. */
export interface UnreadCommand {
  /** Id of the command; null: there is nothing that could be acknowledged or answered. */
  readonly id: string | null;
  /** The kind of what is commanded, for people; `?` when not even that can be read. */
  readonly unread: string;
  readonly misfit: Misfit;
  /** The worker and the number under which it was commanded; null: a query, or no more than its id can be read. */
  readonly command: { readonly workerId: string; readonly seq: number } | null;
}

/** Characters of a kind that are kept. */
const KIND_MAX = 100;

const identified = z.object({ id: uuid });

const numbered = z
  .object({
    settings: z.object({ workerId: uuid }),
    body: z.object({ kind: z.literal('command'), seq: z.number().int().positive() }),
  })
  .transform(({ settings, body }) => ({ workerId: settings.workerId, seq: body.seq }));

const kinded = z.object({ kind: z.string() });
const named = z.union([
  z.object({ body: z.object({ command: kinded }) }).transform(({ body }) => body.command.kind),
  z.object({ body: z.object({ query: kinded }) }).transform(({ body }) => body.query.kind),
  z.object({ body: kinded }).transform(({ body }) => body.kind),
]);

/** Takes whatever stands in the place of a command and is none of `command`. Total. */
export function unreadCommand(command: z.ZodType): z.ZodType<UnreadCommand> {
  return z.unknown().transform((said) => ({
    id: identified.safeParse(said).data?.id ?? null,
    unread: (named.safeParse(said).data ?? '?').slice(0, KIND_MAX),
    misfit: misfitOf(command, said),
    command: numbered.safeParse(said).data ?? null,
  }));
}
