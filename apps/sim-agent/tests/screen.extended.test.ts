// Checks that the screen looks like the real program's. Rows as captured from Claude Code 2.1.330 by `capture-pane -e`.

import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { Terminal, waitFor } from './harness.ts';

const terminal = new Terminal();
afterAll(() => terminal[Symbol.asyncDispose]());

const RULE = (width: number): string => `␛[38;5;244m${'─'.repeat(width)}`;
/** tmux ends a row's style in the next row when it can; that part says nothing. */
const bare = (row: string | undefined): string =>
  (row ?? '').replace(/^(␛\[[0-9;]*m)+(?=␛\[38;5;244m─)/, '').replace(/(␛\[(0|39|49)m| )+$/, '');

test.each([80, 220, 500])(
  'given a pane of %i columns, when the program is ready, then its last four rows are the captured ones',
  async (width) => {
    const pane = await terminal.open({ width });

    await pane.ready();

    const rows = await pane.colours();
    expect(bare(rows[20])).toBe(RULE(width));
    expect(rows[21]).toMatch(/^(␛\[39m)?❯\u00A0␛\[7m ?$/u);
    expect(bare(rows[22]).replace(/^(␛\[[0-9;]*m)+/, '')).toBe('─'.repeat(width));
    expect(bare(rows[23])).toBe('␛[39m  ␛[38;5;246m⏸ manual mode on · ? for shortcuts');
    expect(
      await pane.fact('#{cursor_x},#{cursor_y} #{cursor_flag} #{alternate_on} #{mouse_any_flag} #{pane_title}'),
    ).toBe('2,21 0 1 1 ✳ Claude Code');
  },
);

test('given a turn that works, when it runs, then the glyph is grey and the footer offers to interrupt; when it ends, the glyph is plain', async () => {
  const pane = await terminal.open({ args: [`WAITFILE go; SAY the answer`] });

  await pane.until('the footer', (screen) => screen.includes('esc to interrupt'));
  const busy = await pane.colours();
  writeFileSync(`${pane.repo}/go`, '');
  await pane.ready();
  const idle = await pane.colours();

  expect(busy[21]).toMatch(/^␛\[38;5;246m❯\u00A0␛\[7m/u);
  expect(busy.join('\n')).toContain('␛[38;5;246m  ⎿ \u00A0Tip: ');
  expect(idle.join('\n')).toContain('␛[38;5;231m␛[49m●␛[39m the answer');
  expect(idle.join('\n')).toMatch(/␛\[38;5;246m✻ \w+ for \d+s · done \d+:\d\d [AP]M/);
});

test('given an echoed prompt, when it is captured, then it stands on the captured colours with an ordinary space', async () => {
  const pane = await terminal.open({ args: ['SAY hello'] });

  await pane.until('the answer', (screen) => screen.includes('● hello'));

  expect((await pane.colours()).join('\n')).toContain('␛[48;5;237m❯ ␛[38;5;231mSAY hello');
});

test('given three typed lines, when they stand in the box, then only the first row has the glyph', async () => {
  const pane = await terminal.open();
  await pane.ready();

  await pane.paste('first line\nsecond line\nthird line');
  await pane.until('the lines', (screen) => screen.includes('  third line'));

  const rows = await pane.colours();
  expect(rows.slice(19, 22).map(bare)).toEqual(['␛[39m❯\u00A0first line', '  second line', '  third line␛[7m']);
  expect(bare(rows[23])).toBe('␛[39m  ␛[38;5;246m⏸ manual mode on');
});

test('given more lines than fit, when they stand in the box, then it scrolls and shows no glyph', async () => {
  const pane = await terminal.open();
  await pane.ready();

  for (let line = 1; line <= 13; line += 1) await pane.paste(`line ${line}\n`);
  const screen = await pane.until('the last line', (text) => text.includes('  line 13'));

  expect(screen).toMatch(/^─── ↑ 5 more ─+$/m);
  expect(screen).not.toContain('❯\u00A0');
});

test('given text typed after an exclamation mark, when it stands in the box, then the box is in shell mode', async () => {
  const pane = await terminal.open();
  await pane.ready();

  await pane.type('!ls');
  await pane.until('shell mode', (screen) => screen.includes('! for shell mode'));

  expect((await pane.colours()).join('\n')).toMatch(/␛\[38;5;211m─{80}\n!\u00A0␛\[39mls␛\[7m/u);
});

test('given a running screen, when the pane is resized, then the box keeps its place at the bottom', async () => {
  const pane = await terminal.open({ args: ['SAY hello'] });
  await pane.until('the answer', (screen) => screen.includes('● hello'));

  await pane.resize(30, 10);

  await waitFor(async () => {
    const rows = await pane.rows();
    expect(rows[6]).toBe('─'.repeat(30));
    expect(rows[7]).toMatch(/^❯\u00A0 *$/);
    expect(rows[9]).toMatch(/^ {2}⏸ manual mode on · \? for.*…$/);
  });
});

test('given text that quotes whole screens, when it is said, then the live box is still the last between two rules', async () => {
  const pane = await terminal.open({ args: ['FAKE'] });

  await pane.until('the quotation', (screen) => screen.includes('Esc to cancel'));
  await pane.ready();

  expect((await pane.rows())[21]).toMatch(/^❯\u00A0 *$/);
});
