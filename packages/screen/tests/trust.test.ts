/** Checks which dialogs ask for trust, and that words of a repository make no dialog ask for another trust. */
import type { TrustAsked } from '@drover/core';
import { expect, test } from 'vitest';
import { chooseOption, detect, profileNamed } from '../src/index.ts';
import type { Profile } from '../src/index.ts';
import { trustOf } from '../src/dialog/trust.ts';
import { captureOf, CAPTURES, inputOf, profileOf } from './captures.ts';

const IMPORTS = {
  kind: 'other',
  title: 'Allow external CLAUDE.md file imports?',
  body: "This project's CLAUDE.md imports files outside the current working directory.\n/tmp/ext.md",
  options: [
    { label: 'No, disable external imports', highlighted: true },
    { label: 'Yes, allow external imports', highlighted: false },
  ],
} as const;

function claude(): Profile {
  const profile = profileNamed('claude');
  if (profile === null) throw new Error('There is no profile "claude"');
  return profile;
}

test.each<[string, TrustAsked]>([
  ['claude/trust-dialog-80', { kind: 'folder', accept: 'Yes, I trust this folder', refuse: null }],
  ['claude/apikey-dialog-80', { kind: 'api-key', accept: 'Yes', refuse: 'No (recommended)' }],
  ['codex/trust-dialog-80', { kind: 'folder', accept: 'Trust and continue', refuse: null }],
  [
    'codex/after-trust-220',
    { kind: 'hooks', accept: 'Trust all and continue', refuse: "Continue without trusting (hooks won't run)" },
  ],
  ['claude/mcp-checklist-100', { kind: 'mcp', accept: 'Enable selected', refuse: 'Esc to reject all' }],
  ['claude/mcp-checklist-submit-100', { kind: 'mcp', accept: 'Enable selected', refuse: 'Esc to reject all' }],
  ['gemini/trust-dialog-80', { kind: 'folder', accept: 'Trust folder (gemini-80)', refuse: "Don't trust" }],
])('given the recorded dialog %s, when it is read, then it asks for trust with these options', (name, trust) => {
  const capture = captureOf(name);

  expect(detect(profileOf(capture), inputOf(capture)).state).toMatchObject({ kind: 'dialog', dialog: { trust } });
});

test('given every recorded dialog about a folder, a key or hooks, when it is read, then it asks for trust, and no other dialog does', () => {
  const dialogs = CAPTURES.flatMap((capture) => {
    const { state } = detect(profileOf(capture), inputOf(capture));
    if (!('dialog' in state)) return [];
    const { kind, title, trust } = state.dialog;
    const asks = kind === 'trust' || kind === 'api-key' || /^Hooks need review$|new MCP servers found/u.test(title);
    return asks === (trust !== undefined) ? [] : [capture.name];
  });

  expect(dialogs).toEqual([]);
});

test.each([['New MCP server found in .mcp.json: shop'], ['New MCP server found in this project: shop']])(
  'given the dialog "%s", when it is read, then trust is for this and all servers, and one server alone is neither',
  (title) => {
    const labels = [
      'Use this MCP server',
      'Use this and all future MCP servers in this project',
      'Continue without using this MCP server',
    ];
    const options = labels.map((label) => ({ label, highlighted: false }));

    expect(trustOf(claude(), { kind: 'other', title, body: '', options })).toEqual({
      kind: 'mcp',
      accept: labels[1],
      refuse: labels[2],
    });
  },
);

test('given the question about imports, when it is read, then it asks for that trust', () => {
  expect(trustOf(claude(), IMPORTS)).toEqual({
    kind: 'imports',
    accept: 'Yes, allow external imports',
    refuse: 'No, disable external imports',
  });
});

test.each([
  ['a file named like another question', { ...IMPORTS, body: 'Detected a custom API key in your environment?.md' }],
  ['a narrow pane that breaks the title', { ...IMPORTS, title: 'Allow external CLAUDE.md', body: 'file imports? x' }],
])('given the question about imports with %s, when it is read, then it asks for imports', (_, dialog) => {
  expect(trustOf(claude(), dialog)?.kind).toBe('imports');
});

test.each([
  // A server may have any name.
  ['the words of another question in front', { ...IMPORTS, title: 'Do you trust the files in this folder?' }],
  ['the words behind others', { ...IMPORTS, title: `Look: ${IMPORTS.title}` }],
  ['a label that only begins so', { ...IMPORTS, options: withLabel('Yes, allow external imports for ever') }],
  ['two options with that label', { ...IMPORTS, options: [...IMPORTS.options, ...IMPORTS.options] }],
  ['no option that refuses', { ...IMPORTS, options: IMPORTS.options.slice(1) }],
])('given a dialog with %s, when it is read, then it asks for no trust, so a person chooses this once', (_, dialog) => {
  expect(trustOf(claude(), dialog)).toBeNull();
});

test.each([
  ['the key', 'Do you want to use this API key?', 'Detected a custom API key in your environment'],
  ['the folder', 'Do you trust the files in this folder?', 'Yes, I trust this folder'],
])(
  'given a command that quotes the question about %s, when permission for it is asked, then it stays a question of permission',
  (_, ...words) => {
    const capture = captureOf('claude/permission-bash-long-80');
    for (const said of words) {
      const rows = capture.ansi.split('\n');
      const at = rows.findIndex((row) => row.includes('╌'));
      const { state } = detect(profileOf(capture), {
        ...inputOf(capture),
        capture: rows.with(at + 1, ` echo '${said}'`).join('\n'),
      });

      expect(state).toMatchObject({ kind: 'permission', command: expect.stringContaining(said) });
      expect('dialog' in state && state.dialog.trust).toBeUndefined();
    }
  },
);

test('given the checklist of MCP servers with one that is not ticked, when it is read, then it asks for no trust: its answer would refuse that one', () => {
  const capture = captureOf('claude/mcp-checklist-100');
  const { state } = detect(profileOf(capture), {
    ...inputOf(capture),
    capture: capture.ansi.replace('[✔]\u001b[39m beta', '[ ]\u001b[39m beta'),
  });

  expect(state).toMatchObject({
    kind: 'dialog',
    dialog: { options: expect.arrayContaining([{ label: '[ ] beta', highlighted: false }]) },
  });
  expect('dialog' in state && state.dialog.trust).toBeUndefined();
});

test.each([
  ['claude/mcp-checklist-100', 'Enable selected', ['Down', 'Down', 'Down'], 'Enter', 'Enable selected'],
  ['claude/mcp-checklist-submit-100', 'Enable selected', [], 'Enter', 'Enable selected'],
  ['claude/mcp-checklist-100', 'Esc to reject all', [], 'Escape', '[✔] alpha'],
])('given the checklist %s, when "%s" is chosen, then the keys lead to it', (name, label, keys, confirm, stands) => {
  const capture = captureOf(name);
  const { state } = detect(profileOf(capture), inputOf(capture));
  if (!('dialog' in state)) throw new Error(`${name} shows no dialog`);

  expect(chooseOption(profileOf(capture), state.dialog, label)).toEqual({ kind: 'keys', keys, confirm, label, stands });
});

function withLabel(label: string): readonly { readonly label: string; readonly highlighted: boolean }[] {
  return [
    { label: 'No, disable external imports', highlighted: true },
    { label, highlighted: false },
  ];
}
