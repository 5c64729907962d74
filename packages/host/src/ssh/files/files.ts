/** Reads and writes the files of a machine with what every POSIX system has. Each operation is one line of a shell. */
import type { DirectoryEntry, Files, FileStat, PathStat } from '../../port/files.ts';
import { line, quote } from '../shell/quote.ts';
import { absent, type FileTools, operate, type Operation } from './operate.ts';
import { pieces } from './pieces.ts';
import { readStat, statCommand } from './stat-tool.ts';

/** The files of a machine that is reached by a connection. */
export function sshFiles(tools: FileTools): Files {
  const { bodies, newName } = tools;
  const act = (name: string, path: string, body: Buffer): Promise<Buffer> => operate(bodies, { name, path }, body);
  const write = async (operation: Operation, body: Buffer): Promise<void> =>
    void (await operate(bodies, operation, body));
  return {
    ...pieces(tools),
    async sha256(path) {
      const at = quote(path);
      const body = line`ls -dL ${at} >/dev/null && { sha256sum <${at} || shasum -a 256 <${at}; }`;
      const text = (await act('read', path, body)).toString();
      return /[0-9a-f]{64}/u.exec(text)?.[0] ?? '';
    },
    writeFile(path, content, { mode = 0o600, inPlace = false } = {}) {
      const at = quote(path);
      const operation = { name: 'write', path, input: content };
      const mask = Buffer.from((0o777 & ~mode).toString(8));
      if (inPlace) return write(operation, line`umask ${mask}; tee ${at} >/dev/null`);
      const draft = quote(`${path}.${newName()}.tmp`);
      const modeWord = Buffer.from(mode.toString(8));
      const body = line`umask 77; tee ${draft} >/dev/null && chmod ${modeWord} ${draft} && _dV ${draft} ${at} || { rm -f ${draft}; exit 1; }`;
      return write(operation, body);
    },
    appendFile(path, content, { mode = 0o600 } = {}) {
      const mask = Buffer.from((0o777 & ~mode).toString(8));
      return write({ name: 'append to', path, input: content }, line`umask ${mask}; tee -a ${quote(path)} >/dev/null`);
    },
    async truncate(path, size) {
      const at = quote(path);
      await act('cut', path, line`ls -dL ${at} >/dev/null && dd if=/dev/null of=${at} bs=1 seek=${size} count=0`);
    },
    stat: async (path) => {
      const found = await statOf(tools, path, 'follow');
      return found && { ...found, kind: asTarget(found.kind) };
    },
    lstat: (path) => statOf(tools, path, 'stay'),
    async realpath(path) {
      const at = quote(path);
      const body = line`ls -dL ${at} >/dev/null && { realpath ${at} || readlink -f ${at}; }`;
      return absent(act('resolve', path, body).then((text) => text.toString().replace(/\n$/u, '')));
    },
    async readdir(path) {
      const at = quote(path);
      const body = line`ls -d ${at}/. >/dev/null && { [ -r ${at} ] || ls ${at}; } && cd ${at} && ${Buffer.from(ENTRIES)}`;
      const text = await absent(act('list', path, body).then(String));
      return text?.split('\0').flatMap(entry);
    },
    async mkdir(path, { mode = 0o700 } = {}) {
      const mask = Buffer.from((0o777 & ~mode).toString(8));
      await act('make the directory', path, line`umask ${mask}; mkdir -p ${quote(path)}`);
    },
    async copy(from, to, { flush = false } = {}) {
      const at = quote(to);
      // `sync` may flush everything or refuse files if it takes none.
      const flushed = flush ? line` && { sync ${at} 2>/dev/null || sync; }` : line``;
      await act('copy', from, line`_dD ${at} && cp -pL ${quote(from)} ${at}${flushed}`);
    },
    async rename(from, to) {
      await act('rename', from, line`_dV ${quote(from)} ${quote(to)}`);
    },
    async removeFile(path) {
      await absent(act('remove', path, line`rm -f ${quote(path)}`));
    },
    async removeTree(path) {
      await absent(act('remove', path, line`rm -rf ${quote(path)}`));
    },
  };
}

/** Prints a letter and the name of each entry, with a NUL behind it. No process is started. */
const ENTRIES =
  'for f in * .*; do case $f in .|..) continue;; esac; if [ -L "$f" ]; then k=o; elif [ -d "$f" ]; then k=d; elif [ -f "$f" ]; then k=f; elif [ -e "$f" ]; then k=o; else continue; fi; printf "%s%s\\000" "$k" "$f"; done';

const ENTRY_KINDS: Readonly<Record<string, DirectoryEntry['kind']>> = { f: 'file', d: 'directory', o: 'other' };

function entry(text: string): DirectoryEntry[] {
  return text === '' ? [] : [{ name: text.slice(1), kind: ENTRY_KINDS[text.slice(0, 1)] ?? 'other' }];
}

async function statOf(
  { bodies, statTool }: FileTools,
  path: string,
  links: 'follow' | 'stay',
): Promise<PathStat | undefined> {
  const command = statCommand(await statTool(), links);
  const text = await absent(operate(bodies, { name: 'look at', path }, line`${command} ${quote(path)}`).then(String));
  return text === undefined ? undefined : readStat(text);
}

function asTarget(kind: PathStat['kind']): FileStat['kind'] {
  return kind === 'link' ? 'other' : kind;
}
