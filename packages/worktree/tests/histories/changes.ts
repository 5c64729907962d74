/** Random changes in a working tree, each of them committed: what people and agents do to files. */
import { chmod, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chance } from '../chance.ts';
import type { Yard } from '../support.ts';

/** Few, so that two sides meet in one file often enough. Two differ in their case alone; one has a space and a letter of another script. */
const PATHS = [
  'a.txt',
  'dir/b.txt',
  'dir/c.txt',
  'dir/d.txt',
  'Dir.md',
  'dir.md',
  'deep/er/e f é.txt',
  'x.bin',
  'tool.sh',
  'crlf.txt',
] as const;

const LINES = 12;
/** An id that no repository here has, as a submodule's commit is. */
const ELSEWHERE = '1234567890123456789012345678901234567890';

/**
 * Draws what a repository says of line ends, from its first commit on. No history changes it: git itself then calls
 * files changed that nobody touched, once it reads them again, after a merge of its own too.
 */
export function drawLineEnds(chance: Chance): string {
  return chance.pick(['\n', '*.txt text=auto\n', '*.txt eol=crlf\n', '* -text\n']);
}

/** Makes one commit of one to three random changes. */
export async function commitChanges(yard: Yard, at: string, chance: Chance): Promise<void> {
  for (let left = 1 + chance.below(3); left > 0; left -= 1) await change(at, chance);
  await yard.sh(at, 'add', '-A');
  if (chance.happens(0.1)) {
    await mkdir(join(at, 'sub'), { recursive: true });
    const id = chance.happens(0.5) ? ELSEWHERE : ELSEWHERE.replaceAll('1', 'a');
    await yard.sh(at, 'update-index', '--add', '--cacheinfo', `160000,${id},sub`);
  }
  await yard.sh(at, 'commit', '-q', '--allow-empty', '-m', `change ${chance.below(1_000_000)}`);
  if (chance.happens(0.1)) await yard.sh(at, 'commit', '-q', '--allow-empty', '--amend', '-m', 'amended');
}

async function change(at: string, chance: Chance): Promise<void> {
  const path = join(at, chance.pick(PATHS));
  switch (chance.below(8)) {
    case 0:
      return rm(path, { recursive: true, force: true });
    case 1: {
      await rm(path, { recursive: true, force: true });
      await mkdir(dirname(path), { recursive: true });
      return symlink(chance.pick(['a.txt', '../../outside', '/etc/hostname']), path);
    }
    case 2: {
      await writeText(path, chance);
      return chmod(path, chance.happens(0.5) ? 0o755 : 0o644);
    }
    case 3:
      return moveFile(at, chance);
    case 4: {
      const attributes = ['* merge=union\n', '*.txt -merge\n', '*.txt -diff\n', '\n'] as const;
      await mkdir(join(at, 'dir'), { recursive: true });
      return writeFile(join(at, 'dir/.gitattributes'), chance.pick(attributes));
    }
    default:
      return writeText(path, chance);
  }
}

/** Changes one line of many, so that changes of two sides often go together. */
async function writeText(path: string, chance: Chance): Promise<void> {
  const end = path.endsWith('crlf.txt') ? '\r\n' : '\n';
  const changed = chance.below(LINES);
  const lines = Array.from({ length: LINES }, (_, line) =>
    line === changed ? `line ${line} is ${chance.below(1000)} now` : `line ${line}`,
  );
  const text = path.endsWith('.bin') ? `\u0000${chance.below(1000)}` : lines.join(end) + end;
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function moveFile(at: string, chance: Chance): Promise<void> {
  const entries = await readdir(at, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted();
  const [first, ...others] = names;
  if (first === undefined) return;
  const from = chance.pick([first, ...others]);
  await rename(join(at, from), join(at, `moved-${chance.below(5)}.txt`));
}
