/** Answers that belong to another command. */
import type { Command, CommandResult } from '../machine/commands.ts';
import { someResult } from './results.ts';
import type { Scene } from './results.ts';

const KINDS: readonly [Command, ...Command[]] = [
  { kind: 'prepare', reset: true, saveAs: 's' },
  { kind: 'open', launch: { kind: 'fresh', conversation: 'c' } },
  { kind: 'close' },
  {
    kind: 'deliver',
    incarnation: 'x',
    text: '',
    method: 'profile',
    settleMs: 0,
    mayQueue: true,
    clearFirst: false,
    enterOnly: false,
  },
  { kind: 'look', base: null, delivery: 1 },
  { kind: 'answer', incarnation: 'x', fingerprint: 'x', choice: { kind: 'label', label: 'Yes' } },
  { kind: 'checkpoint', id: 'c', type: 'manual', why: '' },
  { kind: 'restore', id: 'c', commit: 'c', saveAs: 's' },
  { kind: 'rebase', at: null, began: null },
  { kind: 'resolution', onto: 'a', orig: 'b' },
  { kind: 'extend', onto: 'a', items: [] },
  { kind: 'validate', at: { head: 'h', tree: 't' } },
  { kind: 'candidate', at: { head: 'h', tree: 't' }, began: null },
  { kind: 'publish', base: 'a', commit: 'b' },
  { kind: 'prove', commit: 'b' },
  { kind: 'recycle', commit: 'b', head: 'h' },
  { kind: 'remove', force: false },
  { kind: 'freeze', move: 'm', id: 'm', mustSave: true },
  { kind: 'interrupt', incarnation: 'x', standsMs: 0 },
  { kind: 'let-in', move: 'm' },
];

/** The answer to another command, as only a machine with a fault would give it. */
export function misplacedResult(scene: Scene): CommandResult {
  return someResult(scene.dice.pick(KINDS), scene);
}
