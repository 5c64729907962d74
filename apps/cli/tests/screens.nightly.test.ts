/** Tests `drover debug screen test` on captures that are right, wrong or broken. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CAPTURE_LABELS } from '@drover/screen';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Sandbox } from '../../../tools/fleet/sandbox.ts';

let sandbox: Sandbox;
let directory = '';
let count = 0;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(async () => {
  count += 1;
  directory = path.join(sandbox.directory, `screens-${count}`);
  await mkdir(path.join(directory, 'claude'), { recursive: true });
});

const SHELL = { program: 'claude', label: 'exited_shell', pane_current_command: 'bash' };

test('given captures judged right and wrong, when they are tested, then the wrong are named with the rule, and it exits with 1', async () => {
  await keep('claude/a', SHELL);
  await keep('claude/b', { ...SHELL, label: 'ready' });

  const when = await sandbox.drover(['debug', 'screen', 'test', directory]);

  expect(when).toMatchObject({
    status: 1,
    stdout: 'claude/b: exited_shell, not ready (by the rule claude/shell-in-pane)\n1 right, 1 wrong\n',
    stderr: '',
  });
});

test('given the same in JSON, when they are tested, then stdout is one document of the shape that the help tells', async () => {
  await keep('claude/a', SHELL);
  await keep('claude/b', { ...SHELL, label: 'ready' });

  const when = await sandbox.drover(['debug', 'screen', 'test', directory, '--json']);

  expect(JSON.parse(when.stdout)).toEqual({
    right: 1,
    wrong: 1,
    misjudged: [
      { name: 'claude/b', right: false, expected: 'ready', got: 'exited_shell', rule: 'claude/shell-in-pane' },
    ],
    broken: [],
  });
  expect(when.status).toBe(1);
});

test.each([
  ['broken JSON', '{ "program": ', /broken\.json: it is not JSON: /],
  ['no JSON', null, /broken\.json: it is missing: each NAME\.ansi needs a NAME\.json/],
  ['an empty JSON file', '', /broken\.json: it is not JSON: /],
  ['an empty object', '{}', /broken\.json: "program" is missing: .*"label" is missing: expected one of starting, /],
  ['a list', '[]', /broken\.json: it is no object: expected one with "program" and "label"/],
  [
    'an unknown label',
    JSON.stringify({ ...SHELL, label: 'redy' }),
    /broken\.json: "label" is "redy": expected one of starting, dialog_trust/,
  ],
  ['no label', JSON.stringify({ program: 'claude' }), /broken\.json: "label" is missing: expected one of starting/],
  [
    'an unknown program',
    JSON.stringify({ ...SHELL, program: 'vim' }),
    /broken\.json: "program" is "vim": expected one of claude, /,
  ],
])(
  'given a capture with %s among others, when they are tested, then the file is named and the others judged',
  async (_, json, says) => {
    await keep('claude/a', SHELL);
    await writeFile(path.join(directory, 'claude/broken.ansi'), '$ \n');
    if (json !== null) await writeFile(path.join(directory, 'claude/broken.json'), json);

    const when = await sandbox.drover(['debug', 'screen', 'test', directory]);

    expect(when).toMatchObject({ status: 2, stdout: '1 right, 0 wrong\n', stderr: expect.stringMatching(says) });
    expect(when.stderr).toContain(path.join(directory, 'claude/broken.json'));
  },
);

test('given broken captures and JSON wanted, when they are tested, then the document lists each with its reason', async () => {
  await keep('claude/a', SHELL);
  await writeFile(path.join(directory, 'b.ansi'), '');
  await writeFile(path.join(directory, 'c.ansi'), '');

  const when = await sandbox.drover(['debug', 'screen', 'test', directory, '--json']);

  expect(JSON.parse(when.stdout)).toMatchObject({ right: 1, wrong: 0, broken: [{ why: expect.any(String) }, {}] });
  expect(when).toMatchObject({ status: 2, stderr: expect.stringContaining('2 captures cannot be judged') });
});

test.each([
  ['no captures', [], /There are no captures \(NAME\.ansi with NAME\.json\) below /],
  ['nothing', ['missing'], /Cannot read .*missing/],
])('given a directory with %s, when it is tested, then it is said', async (_, below, says) => {
  const when = await sandbox.drover(['debug', 'screen', 'test', path.join(directory, ...below)]);

  expect(when).toMatchObject({ status: 4, stdout: '', stderr: expect.stringMatching(says) });
});

test('given its help, when it is read, then it tells every label and the shape of the JSON', async () => {
  const { stdout } = await sandbox.drover(['debug', 'screen', 'test', '--help']);

  expect(CAPTURE_LABELS.filter((label) => !stdout.includes(label))).toEqual([]);
  expect(stdout).toContain('"misjudged"');
  expect(stdout).toContain('"broken"');
});

async function keep(name: string, json: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(path.join(directory, `${name}.ansi`), '$ \n');
  await writeFile(path.join(directory, `${name}.json`), JSON.stringify(json));
}
