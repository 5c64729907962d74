// Checks that each dialog of each pinned program has somebody who answers it, that its drawing is read, and that the list is of these versions.
import { dialogTitlesIn, RELEASES } from '@drover/real-agents';
import { BUILT_IN_PROFILES, detect } from '@drover/screen';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { dialogClassOf } from './error-class.ts';
import document from './dialog-texts.json' with { type: 'json' };

const entry = z.strictObject({ version: z.string(), titles: z.record(z.string(), z.string()) });
const LIST = z.record(z.string(), entry).parse(document);

test('given the list of dialogs, when it is compared with the pinned versions, then it is of these', () => {
  const listed = Object.entries(LIST).map(([agent, { version }]) => [agent, version]);

  expect(listed).toEqual(Object.entries(RELEASES).map(([agent, { version }]) => [agent, version]));
});

/** Titles that are found at least. Pi asks for trust alone. */
const FOUND_MIN: Readonly<Record<string, number>> = { pi: 1 };
/** Programs whose package holds no readable strings. */
const PACKED: ReadonlySet<string> = new Set(['copilot']);

test('given a program whose package holds no readable strings, when its dialogs are listed, then there are none', () => {
  for (const agent of PACKED) expect(LIST[agent]?.titles).toEqual({});
});

test.each(Object.entries(LIST).filter(([agent]) => !PACKED.has(agent)))(
  'given the dialogs of %s, when its profile reads them, then each has its class',
  (agent, { titles }) => {
    const profile = BUILT_IN_PROFILES.get(agent);
    const read = Object.keys(titles).map((title) => [title, profile && dialogClassOf(profile, title)]);

    expect(Object.fromEntries(read)).toEqual(titles);
    expect(read.length).toBeGreaterThanOrEqual(FOUND_MIN[agent] ?? 5);
  },
);

test.each(Object.keys(LIST['claude']?.titles ?? {}))(
  'given the dialog of Claude Code "%s", when it is drawn, then it is read with its title and its options',
  (title) => {
    const profile = BUILT_IN_PROFILES.get('claude');
    if (profile === undefined) throw new Error('There is no profile "claude"');
    const rows = [
      `\u001b[38;5;220m${'─'.repeat(100)}\u001b[39m`,
      `  \u001b[1m${title}\u001b[0m`,
      '',
      '  \u001b[38;5;153m❯ 1. Yes\u001b[39m',
      '    2. No',
    ];
    const facts = { dead: false, deadStatus: null, deadSignal: null, command: 'claude', title: '✳ Claude Code' };

    const { state } = detect(profile, {
      facts: { ...facts, historySize: 0, alternate: false, cursorRow: 3 },
      capture: `${rows.join('\n')}\n`,
    });

    expect(state).toMatchObject({ dialog: { title, options: [{ label: 'Yes', highlighted: true }, { label: 'No' }] } });
  },
);

test('given code with dialogs and other titles, when it is read, then each dialog is found once', () => {
  const code =
    'a(D,{title:"Overwrite this file?",color:"warning"});b(D,{title:"Overwrite this file?",onCancel:x});' +
    'c(P,{title:"Stats",children:e});"Do you want to proceed?";1 hook is new.Hooks need reviewHooks can run' +
    'd(D,{title:n===1?"One tool is new":`${n} tools are new`,onCancel:f});e(D,{title:`${x}`,onCancel:f})';

  expect(dialogTitlesIn(code)).toEqual([
    'Do you want to proceed?',
    'Hooks need review',
    'One tool is new',
    'Overwrite this file?',
    '… tools are new',
  ]);
});
