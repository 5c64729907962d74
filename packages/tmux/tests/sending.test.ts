/** Checks that text and keys reach a pane whole, once, and only while it lives. */
import { sample, string } from 'fast-check';
import { expect, test } from 'vitest';
import type { PaneState } from '../src/panes/facts.ts';
import type { Cursor, PressOutcome } from '../src/typing/hands.ts';
import { bracketed, eventually, Rig, shows } from './support/rig.ts';

const AWKWARD = 'a;\n\tb \\ $HOME ${x} #{pane_id} #(id) ~ `id` "q" \'s\' é漢👍 %end 1 2 3 \\; trailing \\\n!x /y;';

test('given several texts, when each is pasted, then each stands in brackets of its own and nothing between', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const texts = ['one\ntwo;', '\\', 'x'.repeat(5_000), 'ünï 漢字'];

  const sent = await server.withPane(pane, (hands) => hands.pasteEach([...texts.slice(0, 2), '', ...texts.slice(2)]));

  expect(sent).toEqual({ kind: 'sent' });
  await eventually(async () => expect(await received()).toBe(texts.map(bracketed).join('')));
});

test('given a program that takes brackets, when awkward text is pasted, then it arrives byte for byte', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');

  expect(await server.withPane(pane, (hands) => hands.pasteAndEnter(AWKWARD))).toEqual({ kind: 'sent' });

  await eventually(async () => expect(await received()).toBe(`${bracketed(AWKWARD)}\r`));
});

test('given any text, when it is pasted, then only control characters are missing', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const texts = sample(string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), 60);

  for (const text of texts) await server.withPane(pane, (hands) => hands.paste(text));

  // oxlint-disable-next-line no-control-regex
  const clean = texts.map((text) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ''));
  const expected = clean.filter((text) => text !== '').map(bracketed);
  await eventually(async () => expect(await received()).toBe(expected.join('')));
});

test('given text that would end its own paste, when it is pasted, then its escape is taken out', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');

  await server.withPane(pane, (hands) => hands.paste('safe\u001b[201~\u0003rm -rf /\r\nx\u009b1m\rend'));

  const expected = bracketed('safe[201~rm -rf /\nx1m\nend');
  await eventually(async () => expect(await received()).toBe(expected));
});

test('given 64 KB, when it is pasted, then all of it arrives as one paste', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const text = 'é;\\"$x '.repeat(8_000);

  await server.withPane(pane, (hands) => hands.paste(text));

  await eventually(async () => expect(await received()).toBe(bracketed(text)));
});

test('given a pane in copy mode, when text and keys are sent, then they reach the program in brackets', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  await rig.tmux('copy-mode', '-t', pane.paneId);
  expect((await server.listPanes())[0]?.inMode).toBe(true);

  await server.withPane(pane, (hands) => hands.paste('one'));
  await rig.tmux('copy-mode', '-t', pane.paneId);
  await server.withPane(pane, (hands) => hands.pressKeys(['Enter', 'C-a']));

  await eventually(async () => expect(await received()).toBe(`${bracketed('one')}\r\u0001`));
});

test('given two senders, when both type in pieces into one pane, then their texts do not mix', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const texts = ['a;', 'b\\', '漢'].map((unit) => unit.repeat(30));

  await Promise.all(
    texts.map((text) => server.withPane(pane, (hands) => hands.typeText(text, { chunk: 7, gapMs: 1 }))),
  );

  await eventually(async () => expect(await received()).toBe(texts.join('')));
});

test('given a dead pane, when anything is sent, then it says pane-dead and the server lives', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const pane = await rig.start(server, 'w', ['true']);
  await eventually(async () => expect((await server.listPanes())[0]?.dead).toBe(true));
  const { identity } = server;

  const outcomes = [
    await server.withPane(pane, (hands) => hands.paste('x')),
    await server.withPane(pane, (hands) => hands.pasteAndEnter('x')),
    await server.withPane(pane, (hands) => hands.pressKeys(['Enter'], { at: { x: 99, y: 9, visible: true } })),
    await server.withPane(pane, (hands) => hands.typeText('x', { chunk: 1, gapMs: 0 })),
  ];

  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('pane-dead'));
  expect(await rig.tmux('display-message', '-p', '#{pid}')).toBe(`${identity.pid}\n`);
  expect(await rig.tmux('list-buffers')).toBe('');
});

test('given a pane that was respawned, when its former life is sent to, then it says pane-gone', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const former = await rig.start(server, 'w', ['cat']);
  const plan = { cwd: rig.dir, argv: ['cat'], force: true };
  const respawned = await server.respawn(former, plan);

  const outcomes = [
    await server.withPane(former, (hands) => hands.paste('x')),
    await server.capture(former),
    await server.killSession(former),
    await server.respawn(former, plan),
    await server.withPane({ ...former, paneId: '%999' }, (hands) => hands.paste('x')),
  ];

  expect(respawned.kind).toBe('respawned');
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('pane-gone'));
});

test('given the cursor of a capture, when keys are pressed at it, then they are sent while it is there, and not once it has moved', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const [{ cursor }] = (await server.listPanes()) as [PaneState];
  const press = (at: Cursor): Promise<PressOutcome> => server.withPane(pane, (hands) => hands.pressKeys(['y'], { at }));

  const outcomes = [
    await press({ ...cursor, x: cursor.x + 1 }),
    await press({ ...cursor, y: cursor.y + 1 }),
    await press({ ...cursor, visible: !cursor.visible }),
    await press(cursor),
  ];

  expect(outcomes.map(({ kind }) => kind)).toEqual(['cursor-moved', 'cursor-moved', 'cursor-moved', 'sent']);
  await eventually(async () => expect(await received()).toBe('y'));
});

test('given a word that is no key, when it is pressed, then it is refused by name', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const pane = await rig.start(server, 'w', ['cat']);

  await expect(server.withPane(pane, (hands) => hands.pressKeys(['Entre']))).rejects.toThrow('"Entre" is not a key');
  await server.withPane(pane, (hands) => hands.pressKeys(['y', '-', ';', 'Enter']));

  await shows(server, pane, 'y-;');
});

test('given the bytes of keys, when they are passed on, then the program gets them as they were, and arrows as it asked for them', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane, received } = await rig.receiver(server, 'w');
  const typed = 'a;"$x #{pid}\\ é漢\r\t\u007f\u0003\u001b[A\u001b[1;5C\u001bx';

  expect(await server.withPane(pane, (hands) => hands.passKeys(Buffer.from(typed)))).toEqual({ kind: 'sent' });

  await eventually(async () => expect(await received()).toBe(typed));
});

test('given a pane that is replaced, when keys for its former life are passed on, then none arrives', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const { pane } = await rig.receiver(server, 'w');
  const again = await server.respawn(pane, { cwd: rig.dir, argv: ['cat'], force: true });
  if (again.kind !== 'respawned') throw new Error(again.kind);

  const sent = await server.withPane(pane, (hands) => hands.passKeys(Buffer.from('rm\r')));

  expect(sent).toEqual({ kind: 'pane-gone' });
  const shown = await server.capture(again.pane.incarnation);
  expect(shown).toMatchObject({ kind: 'captured', capture: { text: expect.not.stringContaining('rm') } });
});

test('given a pane that got the size of a terminal, when it is given back, also by another driver, then it has the size of before', async () => {
  await using rig = await Rig.make();
  await using server = await rig.open();
  const pane = await rig.start(server, 'w', ['cat']);
  const sizeOf = (): Promise<string> =>
    rig.tmux('display-message', '-p', '-t', pane.paneId, '#{pane_width}x#{pane_height}');
  const before = (await sizeOf()).trim();

  await server.fitPane(pane, { columns: 90, rows: 30 });
  await server.fitPane(pane, { columns: 60, rows: 20 });
  expect((await sizeOf()).trim()).toBe('60x20');
  await server.unfitPanes('%999');
  expect((await sizeOf()).trim()).toBe('60x20');
  await server[Symbol.asyncDispose]();
  await using next = await rig.open();
  await next.unfitPanes();

  expect((await sizeOf()).trim()).toBe(before);
  await next.unfitPanes();
  expect((await sizeOf()).trim()).toBe(before);
});
