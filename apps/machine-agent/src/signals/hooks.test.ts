import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createLocalHost, type Host } from '@drover/host';
import { BUILT_IN_PROFILES, type Profile } from '@drover/screen';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookFiles, hookOfPrompt, installHooks, prunePayloads, removeHooks, settingsGiven } from './hooks.ts';
import { recordsFile } from './results.ts';
import { sizeOf } from './transcript.ts';

const host = createLocalHost({ env: {} });
let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "drover's hooks-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function profileOf(name: string): Profile {
  const profile = BUILT_IN_PROFILES.get(name);
  if (profile === undefined) throw new Error(`There is no profile "${name}"`);
  return profile;
}

type Files = ReturnType<typeof hookFiles>;

/** Installs the hooks of a worker, and returns a function that runs one with a payload as the program does. */
async function installed(disk: Host = host): Promise<{ files: Files; fire: (payload: object) => Promise<void> }> {
  const files = hookFiles(dataDir, 'w', profileOf('claude'));
  await installHooks(disk, files, {
    profile: profileOf('claude'),
    version: null,
    inner: 'subagents',
    answer: null,
    home: dataDir,
  });
  const settings = JSON.parse(readFileSync(files.settings ?? '', 'utf8')) as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>;
  };
  const command = settings.hooks['UserPromptSubmit']?.[0].hooks[0].command ?? '';
  const fire = async (payload: object): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = execFile('sh', ['-c', command], (error) => (error === null ? resolve() : reject(error)));
      child.stdin?.on('error', () => {}); // it may end without reading
      child.stdin?.end(JSON.stringify(payload));
    });
  return { files, fire };
}

function nameOf(at: number): string {
  return `payload${String(at).padStart(3, '0')}`;
}

function prompt(words: string): object {
  return { hook_event_name: 'UserPromptSubmit', prompt: words };
}

test.each([
  [60, 20_000],
  [10, 200_000],
])(
  'given %i hooks of %i bytes at the same time, when they write while nothing listens, then each is told once and read whole later',
  async (count, bytes) => {
    const { files, fire } = await installed();
    const texts = Array.from({ length: count }, (_, at) => `number ${at} of many: ${'x'.repeat(bytes)} end ${at}`);

    await Promise.all(texts.map(async (text) => fire(prompt(text))));

    for (const words of texts)
      expect(await hookOfPrompt(host, files.news, { offset: 0, profile: profileOf('claude'), words })).not.toBeNull();
    expect(readFileSync(files.news, 'utf8').trim().split('\n').toSorted()).toEqual(
      readdirSync(files.payloads).toSorted(),
    );
    expect(readdirSync(files.payloads)).toHaveLength(count);
  },
);

test('given a hook before a mark and one after it, when the words of each are looked for, then only the later counts', async () => {
  const { files, fire } = await installed();
  await fire(prompt('say it once, please'));
  const mark = (await sizeOf(host, files.news)) ?? 0;
  await fire(prompt('and now the other thing'));

  expect(
    await hookOfPrompt(host, files.news, { offset: mark, profile: profileOf('claude'), words: 'say it once, please' }),
  ).toBeNull();
  expect(
    await hookOfPrompt(host, files.news, {
      offset: mark,
      profile: profileOf('claude'),
      words: 'and now the other thing',
    }),
  ).toMatchObject({ conversation: null });
});

test('given a machine that hears of no file by itself, when hooks of a worker fire, then each names the worker where the machine listens', async () => {
  const { files, fire } = await installed({ ...host, hintsByNews: true });

  await Promise.all(['one', 'two'].map(async (words) => fire(prompt(`${words} of the many words of a prompt`))));

  expect(readFileSync(files.hints, 'utf8')).toBe('w\nw\n');
});

test('given Qwen Code, which takes its settings by a variable, when its hooks are installed, then the end of a turn asks Drover, and no other session reaches it', async () => {
  const files = hookFiles(dataDir, 'w', profileOf('qwen'));

  await installHooks(host, files, {
    profile: profileOf('qwen'),
    version: null,
    inner: 'subagents',
    answer: ['drover-hook'],
    home: dataDir,
  });

  const settings: unknown = JSON.parse(readFileSync(files.settings ?? '', 'utf8'));
  expect(settings).toEqual({
    agents: { crossSessionMessaging: false, crossSessionInbound: 'refuse' },
    hooks: { UserPromptSubmit: expect.anything(), Stop: expect.anything() },
  });
  expect(JSON.stringify(settings)).toContain('drover-hook');
});

test('given Copilot CLI, which takes hooks from a plugin alone, when they are installed and removed, then it is given the directory of one, and nothing stays', async () => {
  const profile = profileOf('copilot');
  const files = hookFiles(dataDir, 'w', profile);

  await installHooks(host, files, {
    profile,
    version: null,
    inner: 'subagents',
    answer: ['drover-hook'],
    home: dataDir,
  });

  const given = (await settingsGiven(host, files, profile)) ?? '';
  expect(readdirSync(given).toSorted()).toEqual(['hooks.json', 'plugin.json']);
  expect(JSON.parse(readFileSync(join(given, 'plugin.json'), 'utf8'))).toMatchObject({ name: 'drover' });
  expect(readFileSync(join(given, 'hooks.json'), 'utf8')).toMatch(/"Stop": [^]*drover-hook/u);
  writeFileSync(recordsFile(files.results), 'a task');
  await removeHooks(host, files);
  expect(readdirSync(dirname(given))).toEqual([]);
});

test('given hooks whose directory is gone, when one fires, then it ends well and says nothing', async () => {
  const { files, fire } = await installed();
  rmSync(files.payloads, { recursive: true });

  await expect(fire(prompt('into the void'))).resolves.toBeUndefined();
  expect(readdirSync(dirname(files.hints))).not.toContain(basename(files.hints));
});

test('given many payloads and a clock that was set back, when they are pruned, then the two hundred that were named last stay', async () => {
  const { files } = await installed();
  for (let at = 0; at < 401; at += 1) {
    writeFileSync(join(files.payloads, nameOf(at)), '{}');
    appendFileSync(files.news, `${nameOf(at)}\n`);
    const seconds = at < 300 ? 10_000 + at : at;
    utimesSync(join(files.payloads, nameOf(at)), seconds, seconds);
  }

  await prunePayloads(host, files);

  expect(readdirSync(files.payloads).toSorted()).toEqual(Array.from({ length: 200 }, (_, at) => nameOf(201 + at)));
});

test('given payloads that no line names, when they are pruned, then the newest few stay, for one may be on its way', async () => {
  const { files } = await installed();
  for (let at = 0; at < 401; at += 1) {
    writeFileSync(join(files.payloads, nameOf(at)), '{}');
    utimesSync(join(files.payloads, nameOf(at)), at, at);
  }

  await prunePayloads(host, files);

  expect(readdirSync(files.payloads).toSorted()).toEqual(Array.from({ length: 50 }, (_, at) => nameOf(351 + at)));
});

test.each([
  ['off', ['Agent', 'Task', 'ListAgents', 'SendMessage'], 'refuse'],
  ['subagents', ['ListAgents'], 'refuse'],
  ['all', undefined, undefined],
] as const)(
  'given inner agents "%s", when the settings are written, then its side doors are as wanted',
  async (inner, denied, inbound) => {
    const files = hookFiles(dataDir, 'w', profileOf('claude'));
    await installHooks(host, files, {
      profile: profileOf('claude'),
      version: null,
      inner,
      answer: null,
      home: dataDir,
    });

    const settings: unknown = JSON.parse(readFileSync(files.settings ?? '', 'utf8'));

    expect(settings).toMatchObject({ hooks: { Stop: expect.anything() } });
    expect((settings as { crossSessionInbound?: string }).crossSessionInbound).toBe(inbound);
    expect((settings as { permissions?: { deny: string[] } }).permissions?.deny).toEqual(denied);
    expect(settings).toMatchObject({ permissions: { allow: ['Bash(drover result:*)', 'Bash(drover tell:*)'] } });
  },
);

test.each([
  ['nothing of an administrator', {}, [], '/w.json'],
  ['a variable of the one who started it', { QWEN_CODE_SYSTEM_DEFAULTS_PATH: '/own' }, [], null],
  ['a file of the administrator', {}, ['/etc/qwen-code/system-defaults.json'], null],
] as const)(
  'given Qwen Code and %s, when it is started, then Drover replaces none of its defaults',
  async (_what, environment, present, given) => {
    const stat = { kind: 'file', inode: 1, links: 1, size: 1, modifiedAt: 1 } as const;
    const host = {
      environment: () => Promise.resolve(environment),
      stat: (path: string) =>
        path.startsWith('/Library')
          ? Promise.reject(new Error('EACCES'))
          : Promise.resolve(present.some((one) => one === path) ? stat : undefined),
    };

    const file = { settings: '/w.json', plugin: null };
    expect(await settingsGiven(host, file, profileOf('qwen'))).toBe(given);
    expect(await settingsGiven(host, file, profileOf('claude'))).toBe('/w.json');
  },
);

test.each([
  ['has none', undefined, ''],
  ['has one', { type: 'command', command: 'wc -c # bytes', padding: 2 }, '12\n'],
  ['keeps it behind a link', { type: 'command', command: 'wc -c' }, '12\n', 'dot'],
])(
  'given a user of Claude Code who %s, when the program tells its status line, then Drover has the JSON and the user sees their own',
  async (_, own, shown, directory = '.claude') => {
    for (const made of new Set(['.claude', directory])) mkdirSync(join(dataDir, made));
    writeFileSync(join(dataDir, directory, 'settings.json'), JSON.stringify({ statusLine: own }));
    if (directory !== '.claude') symlinkSync('../dot/settings.json', join(dataDir, '.claude/settings.json'));
    const { files } = await installed();
    const { statusLine } = JSON.parse(readFileSync(files.settings ?? '', 'utf8')) as {
      statusLine: { type: string; command: string; padding?: number };
    };

    const printed = execFileSync('sh', ['-c', statusLine.command], { input: '{"model":{}}', encoding: 'utf8' });

    expect(readFileSync(files.status ?? '', 'utf8')).toBe('{"model":{}}');
    expect(printed.trimStart()).toBe(shown);
    expect(statusLine).toMatchObject({ ...own, type: 'command', command: statusLine.command });
  },
);

test('given a status line that is over before it is told anything, when the program tells it, then Drover has the JSON all the same', async () => {
  mkdirSync(join(dataDir, '.claude'));
  const command = 'echo mine; exec <&-; touch "$OVER"';
  writeFileSync(join(dataDir, '.claude/settings.json'), JSON.stringify({ statusLine: { type: 'command', command } }));
  const { files } = await installed();
  const { statusLine } = JSON.parse(readFileSync(files.settings ?? '', 'utf8')) as { statusLine: { command: string } };

  const program = `(until [ -e "$OVER" ]; do :; done; printf '{}') | (${statusLine.command})`;

  expect(
    execFileSync('sh', ['-c', program], { encoding: 'utf8', env: { ...process.env, OVER: join(dataDir, 'over') } }),
  ).toBe('mine\n');
  expect(readFileSync(files.status ?? '', 'utf8')).toBe('{}');
});

test('given a disk that takes no status, when the program tells its status line, then the user sees their own', async () => {
  mkdirSync(join(dataDir, '.claude'));
  writeFileSync(join(dataDir, '.claude/settings.json'), '{"statusLine":{"type":"command","command":"cat"}}');
  const { files } = await installed();
  const { statusLine } = JSON.parse(readFileSync(files.settings ?? '', 'utf8')) as { statusLine: { command: string } };
  rmSync(dirname(files.status ?? ''), { recursive: true });

  expect(execFileSync('sh', ['-c', statusLine.command], { input: '{}', encoding: 'utf8' })).toBe('{}');
});
