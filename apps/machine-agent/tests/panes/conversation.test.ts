/** Checks that the conversation of a real pane is told, redacted, and only from the program's own directory. */
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectKind, TestMachine } from '../support/machine.ts';

test('given an agent that has worked, when its conversation is read, then prompt, call, result and answer are there, without a secret', async () => {
  await using machine = await TestMachine.start();
  const place = await machine.openWorker();
  await machine.turn(place, 'WRITE a.txt token ghp_0123456789abcdefghij0123; SAY done here');
  const ask = (more: object) =>
    expectKind(
      machine.coordinator.ask(place.settings, {
        kind: 'read-conversation',
        before: null,
        find: null,
        limit: 50,
        ...more,
      }),
      'conversation',
    );

  const page = await ask({});
  const found = await ask({ find: 'DONE HERE' });

  const kinds = page.entries.map(({ kind }) => kind);
  expect(kinds[0]).toBe('prompt');
  expect(new Set(kinds)).toEqual(new Set(['prompt', 'call', 'result', 'answer']));
  expect(page.entries[0]?.text).toContain('token [redacted]');
  expect(JSON.stringify(page)).not.toContain('ghp_');
  expect(page).toMatchObject({ before: null, lacks: null });
  expect(found.entries.at(-1)).toMatchObject({ kind: 'answer', text: expect.stringContaining('done here') as string });
});

test('given a hook that names a file outside of the program’s directory, or a link out of it, when the conversation is read, then that file is not', async () => {
  await using machine = await TestMachine.start();
  const { settings } = await machine.openWorker();
  const outside = join(machine.dir, 'outside.jsonl');
  writeFileSync(outside, `${JSON.stringify({ type: 'user', message: { content: 'a private word' } })}\n`);
  const projects = join(machine.dir, 'home', '.sim-agent', 'projects');
  symlinkSync(outside, join(projects, 'link.jsonl'));
  const hooks = join(machine.dir, 'data', 'hooks');
  const payloads = readdirSync(hooks).find((name) => name.endsWith('.payloads')) ?? '';
  const query = { kind: 'read-conversation', before: null, find: null, limit: 50 } as const;

  for (const [at, named] of [outside, join(projects, 'link.jsonl'), `${projects}/../../../outside.jsonl`].entries()) {
    const name = `hostile00${at}`;
    writeFileSync(join(hooks, payloads, name), JSON.stringify({ hook_event_name: 'Stop', transcript_path: named }));
    writeFileSync(join(hooks, payloads.replace('.payloads', '.news')), `${name}\n`, { flag: 'a' });
    const page = await expectKind(machine.coordinator.ask(settings, query), 'conversation');
    expect(JSON.stringify(page)).not.toContain('private');
  }
});
