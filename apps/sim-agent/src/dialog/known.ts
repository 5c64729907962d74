// Dialogs that the program knows, word for word. Texts as captured from Claude Code 2.1.330.

import type { Dialog, Option } from './dialog.ts';

const CONFIRM = 'Enter to confirm · Esc to cancel';
const AUTO_MODE: Option = { label: 'Yes, and switch to auto mode', hint: ' · auto mode handles these prompts for you' };

/** Labels that the program acts on. */
export const LABELS = {
  no: 'No',
  noExit: 'No, exit',
  autoMode: AUTO_MODE.label,
  acceptEdits:
    'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)',
  exitAndFix: 'Exit and fix manually',
  typeSomething: 'Type something.',
  chat: 'Chat about this',
  waitForReset: 'Stop and wait for limit to reset',
} as const;

/** The chip above every question; the real program lets the model choose the word. */
export const QUESTION_HEADER = 'Choice';

/** Asks whether a tool may run. "No" is the third option, or the fourth where a rule can be remembered (git commands). */
export function permissionDialog(tool: string, subject: string): Dialog {
  const file = tool === 'Write' || tool === 'Edit';
  const rule = /^git \w+/.exec(subject)?.[0];
  const remember: Option[] = rule === undefined ? [] : [{ label: `Yes, and don’t ask again for: ${rule} *` }];
  const options: Option[] = file
    ? [{ label: 'Yes' }, { label: LABELS.acceptEdits }, { label: LABELS.no }]
    : [{ label: 'Yes' }, ...remember, AUTO_MODE, { label: LABELS.no }];
  const verb = tool === 'Write' ? 'create' : 'make this edit to';
  return dialog('permission', {
    title: file ? { Write: 'Create file', Edit: 'Edit file' }[tool] : `${tool} command`,
    ...(file ? {} : { note: 'This command requires approval' }),
    body: subject.split('\n'),
    question: file ? `Do you want to ${verb} ${subject}?` : 'Do you want to proceed?',
    options,
    numbered: true,
    footer: 'Esc to cancel · Tab to amend',
  });
}

/** Asks to choose between answers, with the two that are always there. */
export function questionDialog(question: string, answers: readonly string[]): Dialog {
  return dialog('question', {
    title: QUESTION_HEADER,
    question,
    options: [
      ...answers.map((label) => ({ label })),
      { label: LABELS.typeSomething, writes: true },
      { label: LABELS.chat },
    ],
    numbered: true,
    footer: 'Enter to select · ↑/↓ to navigate · Esc to cancel',
  });
}

/** Opens when a usage limit is reached. */
export function limitDialog(): Dialog {
  return dialog('limit', {
    title: 'What do you want to do?',
    question: '',
    options: [{ label: LABELS.waitForReset }, { label: 'Upgrade your plan' }],
    numbered: true,
    footer: CONFIRM,
  });
}

/** Asks at start whether the directory is trusted; the answer offered first is to leave. */
export function trustDialog(cwd: string): Dialog {
  return dialog('trust', {
    title: 'Accessing workspace:',
    note: cwd,
    body: [
      "Quick safety check: Is this a project you created or one you trust? (Like your own code, a well-known open source project, or work from your team). If not, take a moment to review what's in this folder first.",
      '',
      "Claude Code'll be able to read, edit, and execute files here.",
      '',
      'Security guide',
    ],
    options: [{ label: LABELS.noExit }, { label: 'Yes, I trust this folder' }],
    footer: CONFIRM,
  });
}

/** Warns at start that nothing will be asked; the answer offered first is to leave. */
export function bypassDialog(): Dialog {
  return dialog('bypass', {
    title: 'WARNING: Claude Code running in Bypass Permissions mode',
    body: [
      'In Bypass Permissions mode, Claude Code will not ask for your approval before running potentially dangerous commands.',
      'This mode should only be used in a sandboxed container/VM that has restricted internet access and can easily be restored if damaged.',
      '',
      'By proceeding, you accept all responsibility for actions taken while running in Bypass Permissions mode.',
      '',
      'https://code.claude.com/docs/en/security',
    ],
    options: [{ label: LABELS.noExit }, { label: 'Yes, I accept' }],
    footer: CONFIRM,
  });
}

/** Asks at start whether the key in the environment may be used; "No" is highlighted. */
export function apiKeyDialog(): Dialog {
  return {
    ...dialog('api-key', {
      title: 'Detected a custom API key in your environment',
      body: ['ANTHROPIC_API_KEY: sk-ant-...sk-ant-test-dummy', '', 'Do you want to use this API key?'],
      options: [{ label: 'Yes' }, { label: LABELS.no, hint: ' (recommended)' }],
      footer: CONFIRM,
    }),
    highlighted: 1,
  };
}

/** Asks at start whether files outside of the directory may be read, as CLAUDE.md says; "No" is highlighted, and Escape means it. */
export function importsDialog(): Dialog {
  return dialog('imports', {
    title: 'Allow external CLAUDE.md file imports?',
    body: [
      "This project's CLAUDE.md or .claude/rules imports files outside the current working directory. Never allow this for third-party repositories.",
      '',
      'External imports:',
      '  /tmp/ext.md',
    ],
    options: [{ label: 'No, disable external imports' }, { label: 'Yes, allow external imports' }],
    footer: CONFIRM,
  });
}

/** Warns at start about hook names in the settings that this version does not know. */
export function settingsDialog(file: string, unknown: readonly string[], known: readonly string[]): Dialog {
  return dialog('settings', {
    title: 'Settings Warning',
    body: [
      file,
      ...unknown.map(
        (name) => `└ hooks.${name}: Unknown hook event "${name}" was ignored. Valid events: ${known.join(', ')}`,
      ),
      '',
      'Learn more: https://code.claude.com/docs/en/hooks',
      '',
      'The values listed above were skipped; the rest of the file is in effect.',
    ],
    options: [{ label: 'Continue' }, { label: 'Fix with Claude' }, { label: LABELS.exitAndFix }],
    numbered: true,
    footer: CONFIRM,
  });
}

function dialog(kind: Dialog['kind'], given: Partial<Dialog> & Pick<Dialog, 'title' | 'options' | 'footer'>): Dialog {
  return { kind, body: [], question: '', highlighted: 0, numbered: false, typed: '', ...given };
}
