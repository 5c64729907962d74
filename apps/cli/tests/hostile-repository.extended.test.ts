/** Tests on a real terminal that a hostile repository, agent or machine reaches a person as text only. */
// oxlint-disable no-control-regex -- controls are what must not be there
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DROVER } from '../../../tools/fleet/program.ts';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';
import { until } from '../../../tools/fleet/wait.ts';

/** Sequences that a terminal would execute, or not show. */
const PAYLOAD = [
  '\u001b]52;c;c3RvbGVu\u0007', // the clipboard
  '\u001b]0;stolen\u0007', // the title
  '\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\',
  '\u001bP+q544e\u001b\\',
  '\u001b_Gi=1\u001b\\',
  '\u009b2J',
  '\u001b[8mhidden\u001b[0m',
  '\u001b[31mred',
  'a\rb\b\u0000\u007f',
  '\u202ereversed\u202c\u2066\u2069\u061c',
  '\u200b\u200d\ufeff\u00ad\u{e0041}\u2028',
].join('|');

/** The payload as far as an argument of a program can hold it. */
const SAID = PAYLOAD.replaceAll('\0', '');

/** Printable text, line feeds and tabs, and the sequences of Drover's own styles. */
const OWN_STYLE = /\u001b\[(?:[1237]|22|27|3[1-69])m/g;
const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

let sandbox: Sandbox;
let worktree: string;
beforeAll(async () => {
  sandbox = await Sandbox.withRoot();
  await sandbox.up();
  await sandbox.drover(['add', 'adam', '--wait']);
  worktree = path.join(sandbox.root, '.worktrees', 'adam');
  await sandbox.drover(['start', '--prompt', `WRITE a.md one\nCOMMIT Add ${SAID}`]);
  await sandbox.until('adam', 'needs_review');
  await writeHostileFiles();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function writeHostileFiles(): Promise<void> {
  const files = {
    '.gitattributes': '*.ts -diff\n* binary\n*.md diff=evil filter=evil export-subst\n',
    'code.ts': `const a = 1;\n// ${PAYLOAD}\nconst evil = 2;\n`,
    [`name\u001b]0;stolen\u0007\u202e.ts`]: 'x\n',
    'long.txt': `${'x'.repeat(5_000)}\n`,
    'lines.txt': 'line\n'.repeat(100),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(worktree, name), text);
  await symlink('/etc/passwd', path.join(worktree, 'link.ts'));
  await chmod(path.join(worktree, 'lines.txt'), 0o755);
  const git = async (...args: string[]) => sandbox.git('-C', worktree, ...args);
  await git('add', '--all');
  await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  await git('commit', '--quiet', '--message', `Hostile ${SAID}`);
  const info = path.join(worktree, '.git', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(path.join(info, 'attributes'), '* binary\n');
  await git('config', 'diff.evil.textconv', 'echo hidden #');
  await git('config', 'diff.external', 'echo hidden #');
}

test.each([
  ['review', 'adam'],
  ['logs', 'adam', '--pane'],
  ['why', 'adam', '--all'],
  [`unknown${SAID}`],
  ['message', `adam${SAID}`, '--json'],
])(
  'given a hostile fleet, when drover prints with colours, then only text and its own styles come out: %j',
  async (...args) => {
    const { stdout, stderr } = await sandbox.drover(args, { env: { FORCE_COLOR: '1' } });

    for (const text of [stdout, stderr]) expect(FORBIDDEN.exec(text.replaceAll(OWN_STYLE, ''))?.[0]).toBeUndefined();
  },
);

test('given a hostile repository, when its work is reviewed, then all of it is shown, marked and counted', async () => {
  const { stdout, stderr } = await sandbox.drover(['review', 'adam']);
  expect(stderr).toContain('Next: drover accept adam');
  const stat = await sandbox.drover(['review', 'adam', '--interface', 'stat']);
  const json = await sandbox.drover(['review', 'adam', '--json']);

  expect(stdout).toMatch(/\d+ hidden characters in the commits; marked as ⟨U\+…⟩/);
  expect(stdout).toMatch(/code\.ts: \d+ hidden characters, of which 5 turn the direction of the text; marked as/);
  expect(stdout).toContain(String.raw`"name\u001b]0;stolen\u0007\u202e.ts": 3 hidden characters, of which 1 turns`);
  expect(stdout).toContain('link.ts: symbolic link to /etc/passwd, outside the repository');
  expect(stdout).toContain('sub: new submodule at 111111111111, .gitmodules names no address for it');
  expect(stdout).toContain('lines.txt: new and executable');
  expect(stdout).toContain('+const evil = 2;');
  expect(stdout).toContain('⟨U+001B⟩]52;c;c3RvbGVu⟨U+0007⟩');
  expect(stdout).toContain('⟨U+202E⟩reversed');
  expect(stdout).toContain('+/etc/passwd');
  expect(stdout).not.toContain('Binary');
  expect(stat.stdout).toContain('code.ts | +3 -0, new');
  expect(stat.stdout).toContain('link.ts | +1 -0, new, symbolic link');
  expect(stat.stdout).toContain('sub | +1 -0, new, submodule');
  expect(JSON.parse(json.stdout).diff).toContain(PAYLOAD.replaceAll('\0', '⟨U+0000⟩'));
  expect(json.stdout).not.toMatch(FORBIDDEN);
});

test('given programs of other makers, when they show a hostile repository, then they get its files, and nothing of it runs or is printed', async () => {
  const bin = path.join(sandbox.directory, 'viewers');
  const told = path.join(sandbox.directory, 'viewers.log');
  await mkdir(bin);
  const tell = `for word; do printf '%s\\0' "$word"; done >> '${told}'; printf '\\n' >> '${told}'`;
  const programs = { code: tell, difft: `${tell}; printf '%s\\n' "$1"; cat "$5"` };
  for (const [name, text] of Object.entries(programs))
    await writeFile(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, FORCE_COLOR: '1', TMPDIR: sandbox.directory };

  const editor = await sandbox.drover(['review', 'adam', '--interface', 'vscode'], { env });
  const difft = await sandbox.drover(['review', 'adam', '--interface', 'difftastic'], { env });

  const styles = /\u001b\[(?:[0-47]|2[2-47]|3[1-69]|9[1-6])m/g;
  for (const { stdout } of [editor, difft]) expect(FORBIDDEN.exec(stdout.replaceAll(styles, ''))?.[0]).toBeUndefined();
  expect(editor.stdout).toContain('VS Code shows 8 files');
  expect(difft.stdout).toContain('⟨U+202E⟩reversed');
  const calls = (await readFile(told, 'utf8')).split('\n').map((line) => line.split('\0'));
  const opened = calls.filter((words) => words[1] === '--diff');
  expect(opened).toHaveLength(8);
  const after = opened.find((words) => words[3]?.endsWith('/after/code.ts'))?.[3] ?? '';
  expect(await readFile(after, 'utf8')).toBe(`const a = 1;\n// ${PAYLOAD}\nconst evil = 2;\n`);
  const link = opened.find((words) => words[3]?.endsWith('/after/link.ts'))?.[3] ?? '';
  expect((await lstat(link)).isFile()).toBe(true);
  expect(await readFile(link, 'utf8')).toBe('/etc/passwd');
});

test('given a machine without the program, when the work is to be shown by it, then it is said how to get it', async () => {
  const { status, stderr } = await sandbox.drover(['review', 'adam', '--interface', 'vscode']);

  expect(status).toBe(7);
  expect(stderr).toContain('The program "code" cannot be run here: install VS Code');
  expect(stderr).toContain('or use --interface diff');
});

test('given an error that was not caught, when it ends Drover, then its words are text', async () => {
  const thrown = encodeURIComponent(`process.once('beforeExit', () => { throw new Error(${JSON.stringify(SAID)}); })`);

  const ended = await sandbox.drover(['help', 'exit-codes'], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${thrown}` },
  });

  expect(ended).toMatchObject({ status: 70, stderr: expect.stringContaining('This is a bug in Drover: ⟨U+001B⟩]52;') });
  expect(ended.stderr).not.toMatch(FORBIDDEN);
});

test('given a real terminal, when the work is reviewed there, then clipboard, title and bell are as they were', async () => {
  await using terminal = await openTerminal(12);
  await terminal.type(`'${DROVER}' review adam`);
  await until(`less\n${await terminal.screen()}`, async () => /adam is/.test(await terminal.screen()));
  for (const key of ['Space', 'Space', 'G', 'q']) await terminal.press(key);
  await terminal.type(`PAGER=cat '${DROVER}' review adam`);
  const screen = await until('the whole review', async () => {
    const text = await terminal.history();
    return text.includes('Next: drover accept adam') && text.includes('+const evil = 2;') ? text : undefined;
  });

  expect(screen).toContain('⟨U+009B⟩2J');
  expect(await terminal.tell('#{pane_title}|#{window_bell_flag}|#{alternate_on}')).toBe('untouched|0|0');
  expect(await terminal.buffers()).toBe('');
});

test('given a hostile repository, when its lines are commented on in a file, then the agent gets each comment with its line as text', async () => {
  const file = path.join(sandbox.directory, 'comments.txt');
  const written = await sandbox.drover(['review', 'adam', '--comments', file]);
  expect(written.status).toBe(0);
  const template = await readFile(file, 'utf8');
  expect(template).not.toMatch(FORBIDDEN);
  const odd = String.raw`"name\u001b]0;stolen\u0007\u202e.ts":1: `;
  const noted = template.split('\n').filter((line) => line.startsWith(`#: ${odd}`));
  expect(noted).toEqual([`#: ${odd}+x`]);
  await writeFile(
    file,
    `${template}Two things.\n${odd}rename this\ncode.ts:2: take this out\n  and this\ncode.ts:77: no\n`,
  );

  const refused = await sandbox.drover(['reject', 'adam', '--file', file]);
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('code.ts:77 (no such line)') });
  const words = (await readFile(file, 'utf8')).replace('code.ts:77: no\n', '');
  await writeFile(file, words);
  const rejected = await sandbox.drover(['reject', 'adam', '--file', file]);

  expect(rejected.status).toBe(0);
  const pane = await until('the comments in its pane', async () => {
    const { stdout } = await sandbox.drover(['logs', 'adam', '--pane']);
    return stdout.includes('and this') ? stdout : undefined;
  });
  expect(pane).toContain('name⟨U+001B⟩]0;stolen⟨U+0007⟩⟨U+202E⟩.ts:1: x');
  expect(pane).toContain('code.ts:2: // ⟨U+001B⟩]52;c;c3RvbGVu⟨U+0007⟩');
});

test.each([
  ['a file of 10 MB', 'x'.repeat(10_000_000), 'The feedback has 10000000 bytes, and at most 1048576'],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xfe]), 'is not text in UTF-8'],
  ['a zero byte', 'a\0b', 'holds a zero byte'],
  ['notes alone', '#: nothing\n\n', 'contains only notes'],
  ['a bad line', 'fine\nsrc/a.ts:12\n', ':2: "src/a.ts:12" is not a comment: expected "PATH:LINE: text"'],
])(
  'given feedback that is %s, when work is rejected with it, then it is refused and said what is wrong',
  async (_, words, says) => {
    const file = path.join(sandbox.directory, 'feedback.txt');
    await writeFile(file, words);

    const { status, stderr } = await sandbox.drover(['reject', 'adam', '--file', file]);

    expect(stderr).toContain(says);
    expect(status).toBe(2);
  },
);

const run = promisify(execFile);

/** Opens a shell in a tmux of its own, which would take over a clipboard or a title. */
async function openTerminal(rows: number) {
  const socket = path.join(sandbox.directory, 'run', 'person.sock');
  const tmux = async (...args: string[]) =>
    (await run('tmux', ['-S', socket, '-f', '/dev/null', ...args])).stdout.trimEnd();
  const env = Object.entries(sandbox.env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const shell = ['env', '-i', ...env, 'TERM=tmux-256color', 'PS1=$ ', 'sh'];
  await tmux('-u', 'new-session', '-d', '-x', '100', '-y', String(rows), '-c', sandbox.root, ...shell);
  for (const [name, value] of [
    ['set-clipboard', 'on'],
    ['history-limit', '50000'],
    ['monitor-bell', 'on'],
  ] as const)
    await tmux('set-option', '-g', name, value);
  await tmux('select-pane', '-T', 'untouched');
  return {
    type: async (line: string) => void (await tmux('send-keys', line, 'Enter')),
    press: async (key: string) => void (await tmux('send-keys', key)),
    screen: () => tmux('capture-pane', '-p'),
    history: () => tmux('capture-pane', '-p', '-S', '-', '-J'),
    tell: (format: string) => tmux('display-message', '-p', format),
    buffers: () => tmux('list-buffers'),
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server').catch(() => '')),
  };
}
