/** Draws the end of a command: well, in each way in which it can go wrong, or as no machine should answer. */
import { VERDICTS } from '../machine/commands.ts';
import { MADE_WAY } from '../machine/ends.ts';
import type { Command, CommandResult, Verdict } from '../machine/commands.ts';
import type { DeliveryEvidence, Receipt } from '../machine/reading.ts';
import type { SetUpWanted } from '../machine/set-up.ts';
import type { Supplies } from '../machine/supplies.ts';
import type { Worker } from '../worker/worker.ts';
import type { Dice } from './dice.ts';
import { extended, extendedBadly } from './extended.ts';
import { favoured } from './mood.ts';
import type { Mood } from './mood.ts';
import { someGit, someReading } from './screens.ts';

/** Inputs of an answer beside the command. `now` is the machine's clock too. */
export interface Scene {
  readonly worker: Worker;
  readonly now: number;
  readonly dice: Dice;
  readonly mood: Mood;
}

type Many<T> = readonly [T, ...T[]];

const SUPPLIED: Supplies = {
  copied: { count: 1, bytes: 2 },
  unmatched: [],
  forbidden: [],
  refused: { count: 0, files: [] },
  pointers: null,
  filters: [],
  untrusted: [],
  submodules: { count: 0, lacking: [] },
};
const SET_UPS: Many<SetUpWanted | undefined> = [
  undefined,
  { key: 'a', fresh: false },
  { key: 'b', fresh: false },
  { key: 'a', fresh: true },
];
const SUPPLIES: Many<Supplies | undefined> = [undefined, SUPPLIED, { ...SUPPLIED, unmatched: ['.env'] }];

const RECEIPT: Receipt = { evidence: [], steps: [], method: 'profile', bytes: 1, enters: 1 };
const SAID: Many<string> = ["transcript: it holds the prompt's words", 'screen: working'];
const UNKNOWN: CommandResult = { kind: 'unknown', why: 'the machine agent died' };
const FAILED: CommandResult = { kind: 'failed', code: 'disk-full', message: 'no space left', retry: true };
const GONE: CommandResult = { kind: 'failed', code: 'worktree-missing', message: 'no such directory', retry: false };
const MADE_ROOM: CommandResult = { kind: 'failed', code: MADE_WAY, message: 'accepted work is first', retry: true };
const ALWAYS: Many<CommandResult> = [
  FAILED,
  { kind: 'failed', code: 'timed-out', message: 'took too long', retry: true },
  { kind: 'failed', code: 'expired', message: 'its machine was silent', retry: true },
  { kind: 'failed', code: 'program-missing', message: 'no such program', retry: false },
  UNKNOWN,
];
const EVIDENCE: Many<DeliveryEvidence | null> = [
  { kind: 'absent' },
  { kind: 'in-box-whole' },
  { kind: 'in-box-part' },
  { kind: 'unclear', why: '' },
  null,
];

/** Returns a real machine's answer to this command. */
export function someResult(command: Command, scene: Scene): CommandResult {
  const { dice, mood } = scene;
  const isOfSession = command.kind === 'prepare' || command.kind === 'open' || command.kind === 'respawn';
  // A session that never opens would hide everything that happens in it.
  if (!dice.chance(isOfSession ? mood.fault / 4 : mood.fault)) return wellDone(command, scene);
  return dice.chance(0.25) ? favoured(ALWAYS, mood, dice) : favoured(waysToEndBadly(command, scene), mood, dice);
}

/** Draws a successful result of the command. */
export function wellDone(command: Command, scene: Scene): CommandResult {
  const { now, dice } = scene;
  switch (command.kind) {
    case 'prepare':
      return {
        kind: 'prepared',
        base: 'aaaa',
        head: 'aaaa',
        saved: null,
        supplies: dice.pick(SUPPLIES),
        setUp: dice.pick(SET_UPS),
      };
    case 'set-up':
      return { kind: 'set-up', said: 'added 3 packages' };
    case 'open':
    case 'respawn':
      return { kind: 'opened', incarnation: `incarnation-${now}` };
    case 'close':
      return { kind: 'closed' };
    case 'deliver':
      return {
        kind: command.mayQueue && dice.chance(0.3) ? 'queued' : 'delivered',
        at: now,
        receipt: { ...RECEIPT, evidence: [dice.pick(SAID)] },
      };
    case 'observe':
      return check(command, scene, { kind: 'taken', by: 'hook' });
    case 'answer':
      return { kind: 'answered', label: 'Yes' };
    case 'rebase':
      return scene.worker.merge.step.kind === 'reviewing' && dice.chance(0.8)
        ? conflict(command)
        : rebased(command, scene);
    case 'resolution':
      return judged(scene, dice.chance(0.4) ? 'resolved' : dice.pick(VERDICTS));
    case 'candidate':
      return dice.chance(0.15) ? clash(candidate(command, scene)) : candidate(command, scene);
    case 'extend':
      return extended(command);
    case 'validate':
      return { kind: 'valid', head: command.at.head, tree: command.at.tree ?? treeOf(command.at.head), checks: 'make' };
    case 'publish':
      return { kind: 'published', commit: command.commit };
    case 'prove':
      return { kind: 'proven', commit: command.commit };
    case 'recycle':
      return { kind: 'recycled', base: 'dddd' };
    case 'remove':
      return { kind: 'removed', kept: null };
    case 'checkpoint':
      return { kind: 'checkpointed', commit: `saved-${now}`, head: 'aaaa', dirty: 1 };
    case 'freeze':
      return { kind: 'frozen', commit: `frozen-${now}` };
    case 'interrupt':
      return { kind: 'at-rest', pressed: 1 };
    case 'let-in':
      return { kind: 'let-in' };
    case 'restore':
      return { kind: 'restored', head: 'aaaa', saved: null, setUp: dice.pick(SET_UPS) };
    default:
      return command satisfies never;
  }
}

/** Fails a rebase with conflicts. */
function conflict({ at }: Extract<Command, { kind: 'rebase' }>): CommandResult {
  return { kind: 'conflict', files: ['a'], prompt: 'resolve', onto: 'dddd', orig: at?.head ?? 'aaaa' };
}

function judged({ worker, now }: Scene, verdict: Verdict): CommandResult {
  const head = verdict === 'aborted' ? (worker.merge.conflicts?.orig ?? 'aaaa') : `resolved-${now}`;
  const isTold = !['aborted', 'contained', 'resolved'].includes(verdict);
  return { kind: 'judged', verdict, head, why: `was ${verdict}`, prompt: isTold ? 'mend it' : '', notes: [] };
}

function treeOf(head: string): string {
  return `tree of ${head}`;
}

function rebased(
  { at }: Extract<Command, { kind: 'rebase' }>,
  { worker, now, dice }: Scene,
): Extract<CommandResult, { kind: 'rebased' }> {
  const from = at?.head ?? worker.worktree.git?.head ?? 'aaaa';
  const head = dice.chance(0.3) ? from : `rebased-${now}`;
  return { kind: 'rebased', base: 'aaaa', from, head, moved: head !== from };
}

/** Makes a candidate: the same HEAD on the same base gives the same one; now and then the default branch, or the checks, are others. */
function candidate(
  { at }: Extract<Command, { kind: 'candidate' }>,
  { worker, dice }: Scene,
): Extract<CommandResult, { kind: 'candidate' }> {
  const head = at?.head ?? worker.worktree.git?.head ?? 'aaaa';
  const base = dice.chance(0.8) ? 'aaaa' : 'dddd';
  const commit = `${head} on ${base}`;
  const checks = dice.chance(0.9) ? 'make' : 'make test';
  return { kind: 'candidate', head, headTree: treeOf(head), base, commit, tree: treeOf(commit), checks, notes: [] };
}

function clash({ head, base }: Extract<CommandResult, { kind: 'candidate' }>): CommandResult {
  return { kind: 'clash', head, base, files: ['a'] };
}

function candidateBadly(command: Extract<Command, { kind: 'candidate' }>, scene: Scene): Many<CommandResult> {
  const made = candidate(command, scene);
  const { head, base } = made;
  return [
    clash(made),
    { kind: 'contained', head, base },
    { kind: 'rewritten', head, base, dropped: 'gone' },
    changed(scene),
    // Faulty answers: a result of another commit, and of other files.
    { ...made, head: `another-${scene.now}` },
    { ...made, headTree: 'other files' },
    FAILED,
  ];
}

function changed(scene: Scene): Extract<CommandResult, { kind: 'changed' }> {
  return { kind: 'changed', head: `changed-${scene.now}`, why: 'a commit came after it' };
}

/** Draws one of the command's bad ends. */
export function badly(command: Command, scene: Scene): CommandResult {
  return scene.dice.pick(waysToEndBadly(command, scene));
}

function waysToEndBadly(command: Command, scene: Scene): Many<CommandResult> {
  const { now } = scene;
  switch (command.kind) {
    case 'open':
    case 'respawn':
      return [{ kind: 'pane-gone' }, FAILED, GONE];
    case 'deliver':
      return [
        { kind: 'lost', receipt: RECEIPT },
        { kind: 'partial', receipt: RECEIPT },
        { kind: 'refused', why: 'dialog', detail: '' },
        UNKNOWN,
        { kind: 'lost', receipt: RECEIPT },
      ];
    case 'observe':
      return checkBadly(command, scene);
    case 'answer':
      return [{ kind: 'stale', why: '' }, FAILED];
    case 'rebase':
      return [conflict(command), changed(scene), FAILED, GONE];
    case 'candidate':
      return candidateBadly(command, scene);
    case 'extend':
      return [...extendedBadly(command, scene.dice), FAILED, UNKNOWN];
    case 'validate':
      return [{ kind: 'invalid', command: 'make', output: 'no' }, MADE_ROOM, changed(scene), UNKNOWN];
    case 'publish':
      return [
        { kind: 'moved', now: 'eeee' },
        { kind: 'offered', commit: command.commit, branch: 'drover/adam-1', why: '' },
        { kind: 'offered', commit: `another-${now}`, branch: 'drover/adam-1', why: '' },
        { kind: 'blocked', why: 'dirty' },
        { kind: 'rejected', words: 'protected branch' },
        UNKNOWN,
      ];
    case 'prove':
      return [{ kind: 'unproven', now: 'eeee' }, FAILED, UNKNOWN];
    case 'remove':
      return [{ kind: 'not-removed', why: 'unmerged' }, FAILED];
    case 'checkpoint':
      return [{ kind: 'checkpointed', commit: null, head: `h${now}`, dirty: 0 }, FAILED];
    case 'recycle':
      return [changed(scene), FAILED, UNKNOWN];
    case 'freeze':
      return [{ kind: 'frozen', commit: null }, FAILED, GONE, UNKNOWN];
    case 'interrupt':
      return [{ kind: 'not-interrupted', why: 'it goes on' }, { kind: 'pane-gone' }, FAILED, GONE, UNKNOWN];
    case 'prepare':
    case 'set-up':
    case 'close':
    case 'let-in':
    case 'restore':
    case 'resolution':
      return [FAILED, UNKNOWN];
    default:
      return command satisfies never;
  }
}

type CheckCommand = Extract<Command, { kind: 'observe' }>;

function check(
  command: CheckCommand,
  scene: Scene,
  evidence: DeliveryEvidence | null,
): Extract<CommandResult, { kind: 'observed' }> {
  const { worker, now, dice } = scene;
  const incarnation = worker.session.pane.kind === 'absent' ? null : worker.session.pane.incarnation;
  return {
    kind: 'observed',
    incarnation,
    screen: incarnation === null ? null : someReading(worker, now, scene),
    git: someGit(dice),
    delivery: command.delivery === null ? null : evidence,
  };
}

function checkBadly(command: CheckCommand, scene: Scene): Many<CommandResult> {
  const found = check(command, scene, favoured(EVIDENCE, scene.mood, scene.dice));
  return [
    found,
    { ...found, screen: null },
    { ...found, git: null },
    { ...found, incarnation: null, screen: null },
    { ...found, incarnation: 'another incarnation' },
  ];
}
