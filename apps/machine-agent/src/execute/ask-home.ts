/** Asks the machine with the repository for main, through the coordinator, where this machine has none. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type HomeRequest, type QueryResult, queryResult } from '@drover/protocol';
import type { Home, ParcelFile } from '@drover/worktree';
import { CommandError } from '../failure.ts';
import type { CommandContext } from './tools.ts';

export type HomeContext = Pick<CommandContext, 'host' | 'parcels' | 'commandId' | 'signal'>;

/** Bytes of a parcel, until the coordinator has named its limit. */
const BYTES_MAX = 1024 ** 3;

type Of<K extends QueryResult['kind']> = Extract<QueryResult, { kind: K }>;

/** Machine that main is on, as a command sees it. */
export function homeOf({ host, parcels, commandId, signal }: HomeContext): Home {
  const known: { maxBytes: number; identity: Home['identity'] } = { maxBytes: BYTES_MAX, identity: null };
  async function ask<K extends QueryResult['kind']>(
    request: HomeRequest['ask'],
    kind: K,
  ): Promise<{ result: Of<K>; machine: string; name: string }> {
    const answer = await parcels.askHome({ command: commandId, id: randomUUID(), ask: request }, signal);
    const { machine, name, maxBytes } = answer;
    known.maxBytes = maxBytes;
    const result = queryResult.safeParse(answer.result);
    if (!result.success)
      throw new CommandError(
        'home-unread',
        `this build cannot read the answer of "${name}": update the older of the two`,
      );
    if (result.data.kind === kind) return { result: result.data as Of<K>, machine, name };
    const why = result.data.kind === 'failed' ? result.data.message : `it answered "${result.data.kind}"`;
    const retry = result.data.kind === 'failed' && AGAIN.has(result.data.code);
    throw new CommandError('home-failed', `"${name}", which has the repository of the project, cannot: ${why}`, {
      retry,
    });
  }
  return {
    spool: parcels.spool,
    id: commandId,
    get maxBytes() {
      return known.maxBytes;
    },
    get identity() {
      return known.identity;
    },
    sha256Of: host.sha256,
    async readMain() {
      const { commit, format, identity = null } = (await ask({ kind: 'main' }, 'main')).result;
      known.identity = identity;
      return { commit, format };
    },
    fetch: ({ commit, not }) => fetched({ commit, not: [...not], resend: false }),
    async publish({ path, sha256, bytes }, { base, commit }) {
      await parcels.send({ path, sha256, bytes }, { resend: false, signal });
      const { result, name } = await ask({ kind: 'publish', sha256, bytes, base, commit }, 'publish-ended');
      const { outcome } = result;
      if (outcome.kind === 'moved') return { kind: 'moved', now: outcome.now ?? undefined };
      return outcome.kind === 'blocked' ? { ...outcome, path: `${name}:${outcome.path}` } : outcome;
    },
    async keep({ path, sha256, bytes }) {
      await parcels.send({ path, sha256, bytes }, { resend: false, signal });
      await ask({ kind: 'content', sha256, bytes }, 'content-kept');
    },
    async settle() {
      await ask({ kind: 'settle' }, 'settled');
    },
  };

  async function fetched(request: { commit: string; not: string[]; resend: boolean }): Promise<ParcelFile> {
    const { result, machine } = await ask({ kind: 'fetch', ...request }, 'packed');
    const { sha256, bytes } = result;
    const path = join(parcels.spool, `${commandId}.main.${sha256}`);
    try {
      await parcels.fetch({ path, sha256, bytes }, { from: machine, signal });
      return { path, sha256, bytes };
    } catch (error) {
      await host.removeFile(`${path}.part`);
      if (request.resend || !(error instanceof CommandError) || error.code !== 'parcel-damaged') throw error;
      return fetched({ ...request, resend: true });
    }
  }
}

/** Failures there after which the command may be retried here: it went down, or its disk is full. */
const AGAIN: ReadonlySet<string> = new Set([
  'agent-restarted',
  'timed-out',
  'locked',
  'disk-full',
  'parcel-gone',
  'parcel-damaged',
]);
