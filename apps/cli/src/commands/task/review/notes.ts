/** The notes of a review in words. */
import type { ReviewView } from '@drover/api';
import { many, plain, sizeText } from '../../../terminal/style.ts';
import { writtenPath } from './paths.ts';

/** A note; null: a note of a newer machine. */
export type Note = NonNullable<ReviewView['notes']>[number];
type Of<K extends NonNullable<Note>['kind']> = Extract<Note, { kind: K }>;

/** Formats a note in one line. */
export function noteText(note: Note): string {
  if (note === null) return 'a note that this version of drover cannot read: update it';
  switch (note.kind) {
    case 'hidden-characters':
      return `${writtenPath(note.path)}: ${hiddenText(note)}`;
    case 'mode':
      return `${writtenPath(note.path)}: ${modeText(note)}`;
    case 'symbolic-link':
      return `${writtenPath(note.path)}: symbolic link to ${writtenPath(note.target)}${LEADS[note.leads]}`;
    case 'submodule':
      return `${writtenPath(note.path)}: ${submoduleText(note)}`;
    case 'lfs-pointer':
      return `${writtenPath(note.path)}: pointer of Git LFS to a file of ${sizeText(note.bytes)}, ${pointerText(note)}`;
    case 'binary':
      return `${writtenPath(note.path)}: ${binaryText(note)}, which the diff does not show`;
    case 'more':
      return `and ${many(note.count, 'more note')} (${plain(note.of)})`;
    case 'searched-first':
      return `the change is larger than ${sizeText(note.bytes)}: Drover searched only the first part for hidden characters and LFS pointers`;
    default:
      return note satisfies never;
  }
}

/** Tells whether a note should be highlighted: its subject can mislead a reader of the diff, or reach beyond the repository. */
export function isLoud(note: Note): boolean {
  if (note === null) return true;
  const isLinkOut = note.kind === 'symbolic-link' && note.leads === 'outside';
  if (note.kind === 'lfs-pointer') return note.isHere === false;
  return isLinkOut || ['hidden-characters', 'submodule', 'searched-first'].includes(note.kind);
}

function hiddenText({ characters, bidirectional }: Of<'hidden-characters'>): string {
  const verb = bidirectional === 1 ? 'turns' : 'turn';
  const which = bidirectional === characters ? `which ${verb}` : `of which ${bidirectional} ${verb}`;
  const turning = bidirectional === 0 ? '' : `, ${which} the direction of the text`;
  return `${many(characters, 'hidden character')}${turning}; marked as ⟨U+…⟩`;
}

function pointerText({ isHere }: Of<'lfs-pointer'>): string {
  const missing = 'whose content is not on its machine: it cannot be merged unless the default branch has the content';
  return isHere === false ? missing : 'which the diff does not show';
}

function binaryText({ before, after }: Of<'binary'>): string {
  if (before === 0) return `new binary file of ${sizeText(after)}`;
  if (after === 0) return `binary file of ${sizeText(before)} removed`;
  return `binary file, ${sizeText(before)} → ${sizeText(after)}`;
}

const LEADS: Readonly<Record<Of<'symbolic-link'>['leads'], string>> = {
  inside: '',
  outside: ', outside the repository',
  nowhere: ', which is not there',
};

const EXECUTABLE = '100755';
const LINK = '120000';
const PLAIN = '100644';

function modeText({ before, after }: Of<'mode'>): string {
  if (before === null) return 'new and executable';
  if (before === PLAIN && after === EXECUTABLE) return 'is executable now';
  if (before === EXECUTABLE && after === PLAIN) return 'is no longer executable';
  return before === LINK ? 'a file now, was a symbolic link' : `mode ${before} → ${after}`;
}

function submoduleText({ commits: [was, is], urls: [from, to] }: Of<'submodule'>): string {
  if (was !== null && is === null)
    return `submodule removed${from === null ? '' : `, was fetched from ${plain(from)}`}`;
  const place =
    from === to || from === null ? placeText(to) : `fetched from ${addressOf(to)} instead of ${plain(from)}`;
  if (was === is || is === null) return `submodule ${place}`;
  const moved = was === null ? `new submodule at ${short(is)}` : `submodule ${short(was)} → ${short(is)}`;
  return `${moved}, ${place}`;
}

function placeText(url: string | null): string {
  return url === null ? '.gitmodules names no address for it' : `fetched from ${plain(url)}`;
}

function addressOf(url: string | null): string {
  return url === null ? 'no address' : plain(url);
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
