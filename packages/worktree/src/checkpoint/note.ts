/** Writes the note beside saved work, in the message of its commit, and reads it again. Pure. */
import { quote } from '../names.ts';
import { OPERATIONS, type Operation } from '../rebase/operation.ts';

/** A changed file that a checkpoint does not hold. */
export interface SkippedFile {
  readonly path: string;
  /** Larger than the limits of one checkpoint, or git could not read it. */
  readonly why: 'too-large' | 'unreadable';
}

/** Note of a checkpoint. */
interface CheckpointNote {
  /** Reason for people to read. */
  readonly why: string;
  readonly skipped: readonly SkippedFile[];
  /** The operation that git was in the middle of. */
  readonly during: Operation | undefined;
}

/** Skipped files that are named; the others are counted. */
const SKIPPED_NAMED_MAX = 1_000;

/** The message of a commit that keeps work: the reason as its subject, then lines that {@link readNote} reads. */
export function writeNote(reason: string, { why, skipped, during }: CheckpointNote): string {
  const lines = skipped.slice(0, SKIPPED_NAMED_MAX).map((file) => `Skipped: ${file.why} ${quote(file.path)}`);
  if (during !== undefined)
    lines.push(`During: ${during.kind}${during.before === undefined ? '' : ` ${during.before}`}`);
  return [reason, '', `Why: ${why.replace(/\s+/g, ' ').trim()}`, ...lines, ''].join('\n');
}

/** Reads a message of {@link writeNote}; of any other message, a note that says nothing. */
export function readNote(message: string): CheckpointNote {
  const valuesOf = (name: string): string[] =>
    message
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2));
  return {
    why: valuesOf('Why')[0] ?? '',
    skipped: valuesOf('Skipped').flatMap(skippedFile),
    during: valuesOf('During').flatMap(operation)[0],
  };
}

function skippedFile(text: string): SkippedFile[] {
  const [why = '', ...rest] = text.split(' ');
  const path: unknown = JSON.parse(rest.join(' '));
  if (typeof path !== 'string' || (why !== 'too-large' && why !== 'unreadable')) return [];
  return [{ path, why }];
}

function operation(text: string): Operation[] {
  const [name, before] = text.split(' ');
  return OPERATIONS.filter((kind) => kind === name).map((kind) => ({ kind, before }));
}
