/** Answers queries about a worker on this machine. */
import { STATUS_LINES_MAX, type Query, type QueryResult } from '@drover/protocol';
import { labelOf } from '@drover/screen';
import { factsAsText } from '@drover/tmux';
import { findStart, readCheckpoint, readStatusLines, unconfined, verifyCheckpoint } from '@drover/worktree';
import { failedFrom } from '../failure.ts';
import { readConversation } from '../conversation/read.ts';
import { checkFor } from './checks/for.ts';
import { placeConversation, sendConversation } from './conversations.ts';
import { publishFor, sendMain, keepContentFor, settleMain, tellMain } from './home.ts';
import { takeInventory } from './inventory.ts';
import { expectWorker, leavePlace } from './moves.ts';
import { readTips, sendOfRun, sendParcel, sendWork, takeParcel } from './parcels.ts';
import { readDiff } from './review.ts';
import { bringWork, checkWork, joinWork, keepMain, keepWork, landWork, letGo } from './runs.ts';
import type { CommandContext } from './tools.ts';
import { openPlaceOf, placeOf } from './worktree-of.ts';

/** Bytes of a text in an answer. Source: the protocol's description of `queryResult`. */
const TEXT_BYTES_MAX = 512 * 1024;

/** Answers a query. Never throws: a person waits for the answer. */
export async function answerQuery(context: CommandContext, query: Query): Promise<QueryResult> {
  try {
    return await answered(context, query);
  } catch (error) {
    const { code, message } = failedFrom(error);
    return { kind: 'failed', code, message };
  }
}

function answered(context: CommandContext, query: Query): Promise<QueryResult> {
  switch (query.kind) {
    case 'read-diff':
      return readDiff(context, query);
    case 'read-pane':
      return readPane(context, query);
    case 'read-screen':
      return readScreen(context);
    case 'read-conversation':
      return readConversation(context, query);
    case 'read-checkpoint':
      return readSaved(context, query);
    case 'inventory':
      return takeInventory(context, query);
    case 'tips':
      return readTips(context);
    case 'pack':
      return packed(context, query);
    case 'unpack':
      return takeParcel(context, query);
    case 'expect':
      return expectWorker(context, query);
    case 'pack-conversation':
      return sendConversation(context, query);
    case 'place-conversation':
      return placeConversation(context, query);
    case 'leave-place':
      return leavePlace(context, query);
    case 'find-start':
      return startFrom(context, query);
    case 'read-main':
      return tellMain(context);
    case 'publish-for':
      return publishFor(context, query);
    case 'keep-content':
      return keepContentFor(context, query);
    case 'check-for':
      return checkFor(context, query);
    case 'settle-main':
      return settleMain(context);
    case 'run-base':
      return keepMain(context, query);
    case 'run-pin':
      return keepWork(context, query);
    case 'run-bring':
      return bringWork(context, query);
    case 'run-join':
      return joinWork(context, query);
    case 'run-check':
      return checkWork(context, query);
    case 'run-land':
      return landWork(context, query);
    case 'run-forget':
      return letGo(context, query);
    case 'locate-pane':
      return locatePane(context);
    case 'open-terminal':
      return context.terminals.open({ terminal: query.terminal, types: query.types, worker: context.settings });
    default:
      return query satisfies never;
  }
}

/** Finds on this machine the commit that `drover start --from` names. */
async function startFrom(
  context: CommandContext,
  { named }: Extract<Query, { kind: 'find-start' }>,
): Promise<QueryResult> {
  const { git, depot } = openPlaceOf(context);
  const found = await findStart(git, depot, named);
  if (found.kind !== 'found') return { kind: 'failed', code: `start-${found.kind}`, message: found.message };
  const { commit, name, ahead } = found;
  return { kind: 'start-found', commit, name, ahead };
}

function packed(context: CommandContext, query: Extract<Query, { kind: 'pack' }>): Promise<QueryResult> {
  switch (query.of) {
    case 'main':
      return sendMain(context, query);
    case 'work':
      return sendWork(context, query);
    case 'run':
      return sendOfRun(context, query);
    case undefined:
      return sendParcel(context, query);
    default:
      return query.of satisfies never;
  }
}

/** Files listed of one checkpoint. Source: the protocol's description of `queryResult`. */
const FILES_LISTED_MAX = 500;

/** Reads from the archive: the worktree may be gone. */
async function readSaved(
  context: CommandContext,
  { commit }: Extract<Query, { kind: 'read-checkpoint' }>,
): Promise<QueryResult> {
  const { git: guarded, archive: path } = placeOf(context);
  const git = unconfined(guarded);
  const verified = await verifyCheckpoint(git, { path, commit });
  if (verified.kind === 'damaged') {
    const nothing = { head: '', files: [], fileCount: 0, skipped: [], during: null };
    return { kind: 'checkpoint', damage: verified.why, ...nothing };
  }
  const { head, files, skipped, during } = await readCheckpoint(git, { path, commit });
  return {
    kind: 'checkpoint',
    damage: null,
    head,
    files: files.slice(0, FILES_LISTED_MAX).map(({ path: name, added = null, deleted = null }) => {
      return { path: name, added, deleted };
    }),
    fileCount: files.length,
    skipped: skipped.slice(0, FILES_LISTED_MAX),
    during: during?.kind ?? null,
  };
}

/** Reads the pane, with the status of git if asked for: a worker without a session has a worktree to show. */
async function readPane(context: CommandContext, query: Extract<Query, { kind: 'read-pane' }>): Promise<QueryResult> {
  const shown = await readTerminal(context, query);
  if (query.git !== true) return shown;
  const { git, worktree } = placeOf(context);
  const lines = await readStatusLines(git, worktree, STATUS_LINES_MAX).catch((error: unknown) => {
    const { message } = failedFrom(error);
    return [message];
  });
  const told = lines.map((line) => context.redactor.text(line));
  return { kind: 'pane', text: shown.kind === 'pane' ? shown.text : '', git: told };
}

async function readTerminal(
  { tmux, settings, redactor }: CommandContext,
  { lines }: Extract<Query, { kind: 'read-pane' }>,
): Promise<QueryResult> {
  const found = await tmux.find(settings.workerId);
  const history = Math.max(0, lines - (found?.pane.height ?? 0));
  const outcome = found && (await found.server.capture(found.pane.incarnation, { history }));
  if (outcome?.kind !== 'captured') {
    return { kind: 'failed', code: 'pane-gone', message: `"${settings.name}" has no session on this machine` };
  }
  const text = redactor
    .screen(outcome.capture.text, outcome.capture.facts.width)
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .join('\n');
  if (Buffer.byteLength(text) <= TEXT_BYTES_MAX) return { kind: 'pane', text };
  return { kind: 'pane', text: `[cut]\n${Buffer.from(text).subarray(-TEXT_BYTES_MAX).toString('utf8')}` };
}

async function locatePane({ tmux, settings }: CommandContext): Promise<QueryResult> {
  const found = await tmux.find(settings.workerId);
  if (found === undefined)
    return { kind: 'failed', code: 'pane-gone', message: `"${settings.name}" has no session on its machine` };
  return { kind: 'located', socket: found.server.socket, session: found.pane.sessionName };
}

/** Reads the screen as it is now, its state, and the reason for that. */
async function readScreen({ panes, settings, profiles, redactor }: CommandContext): Promise<QueryResult> {
  const pane = await panes.of(settings.workerId);
  const seen = await pane?.explain(profiles.of(settings).profile);
  if (seen == null) {
    return { kind: 'failed', code: 'pane-gone', message: `"${settings.name}" has no session on this machine` };
  }
  const { profile } = profiles.of(settings);
  const { capture, detection } = seen;
  const { state, confidence, rule, evidence, fingerprint } = detection;
  return {
    kind: 'screen',
    profile: profile.id,
    ansi: redactor.screen(capture.ansi ?? capture.text, capture.facts.width),
    facts: factsAsText(capture.facts),
    state,
    label: labelOf(state),
    confidence,
    rule,
    evidence: evidence.map(({ source, says, seen }) => ({ source, says, seen })),
    fingerprint,
  };
}
