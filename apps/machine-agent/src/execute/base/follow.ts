/** Brings the default branch to its upstream before a base is taken from it, where the project says so. */
import { type Followed, followUpstream, GitError, isRemoteUrl } from '@drover/worktree';
import { sourcePlaceOf } from '../depot-of.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf } from '../worktree-of.ts';

/** Milliseconds in which a source is asked once: twenty workers that begin together ask its remote once. */
const ASKED_EVERY_MS = 10_000;

/** Last question to each source: its time, and its answer. */
const ASKED = new Map<string, { readonly at: number; readonly says: string | null }>();

/** @returns a sentence that says why it may lag; null: it does not, or need not follow. Fails nothing. */
export async function follow(context: CommandContext): Promise<string | null> {
  const { follow: what, elsewhere = false, source } = context.settings.project;
  if (what !== 'upstream' || elsewhere) return null;
  const now = context.clock.now();
  const last = ASKED.get(source);
  if (last !== undefined && now >= last.at && now - last.at < ASKED_EVERY_MS) return last.says;
  const says = tell(context, await ask(context));
  ASKED.set(source, { at: context.clock.now(), says });
  return says;
}

async function ask(context: CommandContext): Promise<Followed> {
  // An address is asked for its newest commit in any case.
  if (isRemoteUrl(context.settings.project.source)) return { kind: 'newest' };
  try {
    return await followUpstream(openPlaceOf(context).git, sourcePlaceOf(context));
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'cancelled') throw error;
    return { kind: 'not-followed', says: `Cannot update the default branch: ${error.message}` };
  }
}

function tell({ log, settings }: CommandContext, followed: Followed): string | null {
  switch (followed.kind) {
    case 'newest':
      return null;
    case 'forwarded':
      log(
        'info',
        `"${settings.project.defaultBranch}" was brought to ${followed.name}, ${followed.commits} commits further`,
      );
      return null;
    case 'not-followed':
      log('warn', followed.says);
      return `${followed.says}. Tasks start from the present commit.`;
    default:
      return followed satisfies never;
  }
}
