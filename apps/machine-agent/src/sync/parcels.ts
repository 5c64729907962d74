/**
 * Sends files to other machines and fetches theirs, through the coordinator: chunk by chunk, each checked, one in memory at a time. An
 * interrupted transfer resumes at its last chunk, on whichever replica the machine is connected to by then, until the command's time is over.
 */
import { createHash } from 'node:crypto';
import { type LocalClock, type Log, messageOf, pause } from '@drover/base';
import type { Files } from '@drover/host';
import {
  chunkBytes,
  CHUNK_BYTES,
  chunkCount,
  CHUNK_DIGEST_HEADER,
  homeAnswer,
  openParcelAnswer,
  type HomeAnswer,
  type HomeRequest,
} from '@drover/protocol';
import { CommandError } from '../failure.ts';
import { follow } from '../time.ts';
import { parseJson, refusal } from './api.ts';
import { backoffMs } from './backoff.ts';
import { SYNC_ERRORS, SyncError } from './errors.ts';
import type { TransferBytes } from './http-adapter.ts';

/** Milliseconds for one chunk: as long as the coordinator waits for a request. */
const CHUNK_MS = 60_000;
/** Times that a parcel is opened again because the coordinator lost it on the way. */
const OPENED_MAX = 3;
/** Times that a chunk is sent or fetched because it arrived damaged. */
const GARBLED_MAX = 3;

/** Coordinator that this machine has said hello to. */
interface Connected {
  readonly url: string;
  readonly accessToken: string;
}

interface ParcelsOptions {
  /** Files of the machine with the clones: git packs and unpacks there. */
  readonly files: Files;
  /** Directory for parcels alone. */
  readonly directory: string;
  readonly transfer: TransferBytes;
  readonly clock: LocalClock;
  readonly random: () => number;
  readonly log: Log;
}

/** File in the spool: sent from there, or left there. */
export interface ParcelFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Empties the spool: files of an earlier life are useless. */
export async function openParcels(options: ParcelsOptions): Promise<Parcels> {
  await options.files.removeTree(options.directory);
  await options.files.mkdir(options.directory);
  return new Parcels(options);
}

export class Parcels {
  /** Directory of files before they are sent and after they came. */
  readonly spool: string;
  readonly #options: ParcelsOptions;
  #coordinator: Connected | undefined;

  constructor(options: ParcelsOptions) {
    this.#options = options;
    this.spool = options.directory;
  }

  /** Uses this coordinator from now on, with this token. */
  connected(coordinator: Connected): void {
    this.#coordinator = coordinator;
  }

  /**
   * Sends a file; with `resend` also chunks that arrived. @throws CommandError `parcel-refused` with the coordinator's words; `parcel-gone`
   * when the coordinator loses the parcel.
   */
  async send(file: ParcelFile, { resend, signal }: { resend: boolean; signal: AbortSignal }): Promise<void> {
    for (let opened = 1; ; opened += 1) {
      const held = await this.#opened(file, signal);
      if (await this.#sendMissing(file, { held: resend && opened === 1 ? new Set() : held, signal })) return;
      if (opened === OPENED_MAX) throw gone('The coordinator lost the parcel during the transfer');
    }
  }

  /**
   * Fetches a file to its path. The code that unpacks it checks the whole. @throws CommandError `parcel-gone` when it has expired, or no
   * command of this machine names it; `parcel-damaged`.
   */
  async fetch(file: ParcelFile, { from, signal }: { from: string; signal: AbortSignal }): Promise<void> {
    const { files } = this.#options;
    const part = `${file.path}.part`;
    await files.appendFile(part, '');
    const size = (await files.stat(part))?.size ?? 0;
    // A chunk that was written in part is fetched again.
    const whole = Math.floor(size / CHUNK_BYTES);
    if (size > whole * CHUNK_BYTES) await files.truncate(part, whole * CHUNK_BYTES);
    for (let number = whole; number < chunkCount(file.bytes); number += 1)
      await files.appendFile(part, await this.#chunk(file, { from, number, signal }));
    await files.rename(part, file.path);
  }

  /**
   * Asks another machine, which has main or the work of a worker, through the coordinator, until that machine has answered.
   * @throws CommandError `home-away`; `home-refused` with the coordinator's words.
   */
  async askHome(request: HomeRequest, signal: AbortSignal): Promise<HomeAnswer> {
    const body = Buffer.from(JSON.stringify(request));
    const headers = { 'content-type': 'application/json' };
    for (;;) {
      const { status, content } = await this.#ask('/agent/home', { method: 'POST', body, headers, signal });
      if (status === 202) continue;
      if (status === 409) throw new CommandError('home-away', wordsOf(content), { retry: true });
      const answer = homeAnswer.safeParse(parseJson(Buffer.from(content).toString('utf8')));
      if (status === 200 && answer.success) return answer.data;
      throw new CommandError(
        'home-refused',
        `The coordinator does not say what the other machine has: ${wordsOf(content)}`,
      );
    }
  }

  async #opened({ sha256, bytes }: ParcelFile, signal: AbortSignal): Promise<ReadonlySet<number>> {
    const body = Buffer.from(JSON.stringify({ bytes }));
    const headers = { 'content-type': 'application/json' };
    const { status, content } = await this.#ask(`/agent/parcels/${sha256}`, { method: 'POST', body, headers, signal });
    if (status !== 200) throw refused(content);
    const answer = openParcelAnswer.safeParse(parseJson(Buffer.from(content).toString('utf8')));
    if (!answer.success) throw refused(Buffer.from('it did not answer as a coordinator of this version does'));
    return new Set(answer.data.chunks);
  }

  /** Sends the missing chunks. @returns false when the coordinator does not know the parcel any more. */
  async #sendMissing(
    { path: file, sha256, bytes }: ParcelFile,
    { held, signal }: { held: ReadonlySet<number>; signal: AbortSignal },
  ): Promise<boolean> {
    for (let number = 0; number < chunkCount(bytes); number += 1) {
      if (held.has(number)) continue;
      const body = await this.#readChunk(file, { from: number * CHUNK_BYTES, bytesMax: chunkBytes(bytes, number) });
      const headers = { 'content-type': 'application/octet-stream', [CHUNK_DIGEST_HEADER]: digestOf(body) };
      const path = `/agent/parcels/${sha256}/${number}`;
      for (let sent = 1; ; sent += 1) {
        const { status, content } = await this.#ask(path, { method: 'PUT', body, headers, signal });
        if (status === 204) break;
        if (status === 404 || status === 410) return false;
        // Status 400: the chunk was damaged on the way.
        if (status !== 400 || sent === GARBLED_MAX) throw refused(content);
      }
    }
    return true;
  }

  async #readChunk(path: string, range: { from: number; bytesMax: number }): Promise<Uint8Array> {
    const piece = await this.#options.files.readRange(path, range);
    if (piece?.bytes.length === range.bytesMax) return piece.bytes;
    throw gone(`"${path}" changed or disappeared during the transfer`);
  }

  async #chunk(
    { sha256, bytes }: ParcelFile,
    { from, number, signal }: { from: string; number: number; signal: AbortSignal },
  ): Promise<Uint8Array> {
    for (let asked = 1; ; asked += 1) {
      const path = `/agent/parcels/${from}/${sha256}/${number}`;
      const { status, content, header } = await this.#ask(path, { method: 'GET', headers: {}, signal });
      if (status === 404 || status === 410) throw gone(wordsOf(content));
      if (status !== 200) throw refused(content);
      const isWhole = content.byteLength === chunkBytes(bytes, number);
      if (isWhole && header(CHUNK_DIGEST_HEADER) === digestOf(content)) return content;
      if (asked < GARBLED_MAX) continue;
      throw new CommandError('parcel-damaged', `Chunk ${number} of a parcel is damaged`);
    }
  }

  /** Sends one request, and retries until the coordinator gives an answer about the parcel. */
  async #ask(
    path: string,
    request: Pick<Parameters<TransferBytes>[1], 'method' | 'body' | 'headers' | 'signal'>,
  ): Promise<{ status: number; content: Uint8Array; header: (name: string) => string | null }> {
    const { clock, random, log } = this.#options;
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#once(path, request);
      } catch (error) {
        request.signal.throwIfAborted();
        if (!(error instanceof SyncError) || !SYNC_ERRORS[error.code].retry) throw error;
        if (failures === 1) log('debug', `A parcel waits: ${error.message}`);
        await pause(clock, Math.max(error.retryAfterMs, backoffMs(failures, random())), request.signal);
        request.signal.throwIfAborted();
      }
    }
  }

  async #once(
    path: string,
    request: Pick<Parameters<TransferBytes>[1], 'method' | 'body' | 'headers' | 'signal'>,
  ): Promise<{ status: number; content: Uint8Array; header: (name: string) => string | null }> {
    const { transfer, clock } = this.#options;
    if (this.#coordinator === undefined) throw new SyncError('unreachable', 'No coordinator has answered yet');
    const { url, accessToken } = this.#coordinator;
    const over = new AbortController();
    const cancel = clock.after(CHUNK_MS, () => over.abort(new Error(`no answer in ${CHUNK_MS} ms`)));
    const unfollow = follow(over, request.signal);
    try {
      const asked = { ...request, token: accessToken, signal: over.signal };
      const { status, bytes: content, header, retryAfterMs } = await transfer(`${url}${path}`, asked);
      if (status === 401 || status === 403 || status === 429 || status >= 500)
        throw refusal(`${url}${path}`, status, { text: Buffer.from(content).toString('utf8'), retryAfterMs });
      return { status, content, header };
    } catch (cause) {
      if (cause instanceof SyncError) throw cause;
      throw new SyncError('unreachable', `Cannot reach the coordinator at "${url}": ${messageOf(cause)}`, { cause });
    } finally {
      cancel();
      unfollow();
    }
  }
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function gone(why: string): CommandError {
  return new CommandError('parcel-gone', `The parcel no longer exists: ${why}`, { retry: true });
}

function refused(content: Uint8Array): CommandError {
  return new CommandError('parcel-refused', `The coordinator rejects the parcel: ${wordsOf(content)}`);
}

function wordsOf(content: Uint8Array): string {
  const text = Buffer.from(content).toString('utf8').slice(0, 1_000);
  const said = parseJson(text);
  const message = typeof said === 'object' && said !== null && 'message' in said ? said.message : undefined;
  return typeof message === 'string' ? message : text;
}
