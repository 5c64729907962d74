/** Reads what a file is by `stat` of the machine, in the way of GNU, BusyBox or BSD. */
import type { PathStat } from '../../port/files.ts';

/** `gnu` can also read a file without following a link or waiting at a pipe. */
export type StatTool = 'gnu' | 'busybox' | 'bsd';

/** Tries one after another what each of them understands. */
export const WHICH_STAT = Buffer.from(
  'if stat -c %.3Y / && dd if=/dev/null iflag=nofollow,nonblock,skip_bytes,count_bytes; then echo gnu; elif stat -c %Y /; then echo busybox; else echo bsd; fi',
);

/** @param text What {@link WHICH_STAT} printed. */
export function whichStat(text: string): StatTool {
  const last = text.trim().split('\n').at(-1);
  if (last === 'gnu' || last === 'busybox') return last;
  return 'bsd';
}

const FORMATS: Readonly<Record<StatTool, string>> = {
  gnu: "stat -c '%f %s %.3Y %h %i'",
  busybox: "stat -c '%f %s %Y %h %i'",
  bsd: "stat -f '%Xp %z %Fm %l %i'",
};

/** The command that prints the facts of the path behind it. */
export function statCommand(tool: StatTool, links: 'follow' | 'stay'): Buffer {
  return Buffer.from(`${FORMATS[tool]}${links === 'follow' ? ' -L' : ''}`);
}

const KIND_BITS = 0o170000;
const KINDS = new Map<number, PathStat['kind']>([
  [0o100000, 'file'],
  [0o040000, 'directory'],
  [0o120000, 'link'],
]);

/** @returns undefined when the line is not one of {@link statCommand}. */
export function readStat(text: string): PathStat | undefined {
  const [mode = '', size, modified, links, inode] = text.trim().split(' ');
  if (inode === undefined) return undefined;
  return {
    kind: KINDS.get(Number.parseInt(mode, 16) & KIND_BITS) ?? 'other',
    size: Number(size),
    modifiedAt: Math.round(Number(modified) * 1000),
    links: Number(links),
    inode: Number(inode),
  };
}
