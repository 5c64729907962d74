/** Describes how to start, read and talk to GitHub Copilot CLI. Measured on 1.0.102. */
import type { ProfileDocument } from '../profile/schema.ts';
import { COMMON_ERRORS } from './errors.ts';

const NEVER = '^(?!)';

const SCREEN = {
  composer: {
    kind: 'between-rules',
    rule: '^─{8,}$',
    ruleStyle: { dim: true },
    glyph: '^❯(?: |$)',
    scrolled: NEVER,
    indent: 2,
  },
  placeholder: { style: { dim: true } },
  paste: '\\[Pasted Content \\d+ chars\\]',
  block: '^ [●✗✓!❯$◎○◉] ',
  prompt: { matches: '^ ❯ ' },
  dialog: {
    option: '^[\\s│]*(?<mark>❯) (?<label>\\S.*)$',
    mark: { fg: 'coloured' },
    selected: null,
    // A box, or the rule above a form.
    top: '^(?:╭─|─{8,}$)',
    topIsTitle: false,
    heading: '^Copilot needs information\\.$',
    cursorInside: false,
    frame: '^[\\s│]*',
    // Forms of the agent, and of servers of tools (elicitation): a text, a choice of several, a page to visit.
    bare: [
      {
        kind: 'question',
        matches: '^ (?:enter (?:accept|open)|↑/↓ select · space toggle) · (?:[^·]{1,20} · ){0,5}(?<label>esc cancel)$',
        style: { bold: true },
      },
    ],
    dismissed: '(?:^| ·) (?<label>esc cancel)$',
    across: null,
    kinds: [
      // First: the words of a question may be those of another kind.
      { id: 'dialog-question', kind: 'question', matches: '^ ?\\S{1,80} needs information\\.' },
      { id: 'dialog-trust', kind: 'trust', matches: 'Confirm folder trust' },
      { id: 'dialog-permission', kind: 'permission', matches: 'Do you want to (?:run|allow|use|edit|create|make)' },
    ],
    tool: '^(?<tool>.+)',
    // The command stands in a frame of its own.
    command: '╭[─╮ ]{0,600}\\n(?<command>[^╰╭]{1,4000})\\n╰',
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: {},
  },
  ownTitle: 'GitHub Copilot',
  without: 'unknown',
  asking: [],
  // Another tab of the program: its lists open and begin conversations by one letter.
  panels: [
    {
      id: 'other-tab',
      in: 'above',
      matches: '^ *Current\\b.*(?<at>\\[(?:Sessions|Agents|Issues|Pull requests|Gists)\\])',
      text: { bold: true, bg: 'coloured' },
    },
  ],
  idleTitle: null,
  busy: [
    {
      id: 'working',
      in: 'footer',
      matches: '^ (?<at>[◉◎○●]) (?:Working|Thinking|Cancelling|Loading)',
      text: { fg: 'coloured' },
    },
    { id: 'interrupt-hint', in: 'footer', matches: '(?<at>\\besc) interrupt', text: { bold: true } },
  ],
  starting: [],
  retrying: [],
  failed: [{ id: 'error-block', in: 'last', matches: '^ ✗ (?<at>\\S.*)$', marker: { fg: 'coloured' } }],
  queued: [{ id: 'queued', in: 'above', matches: '^\\s+└ \\[pending' }],
  interrupted: [{ id: 'cancelled', in: 'last', matches: '^ ● Operation cancelled' }],
  answer: '^ ● ',
  // A bar for scrolling stands at the right edge.
  aside: '(?<!\\s)\\s+┃$',
  // Its sessions, by the Left arrow in an empty composer; a second one gives them the keys. Its plugins cannot turn it off.
  sidebar: '[│┃]',
  noise: ['^ [◉◎○●] (?:Working|Thinking|Cancelling).*'],
} as const satisfies ProfileDocument['screen'];

/** The profile document of GitHub Copilot CLI. */
export const COPILOT = {
  format: 1,
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  revision: 4,
  versions: ['1.0.89', '1.0.102'],
  commands: ['copilot'],
  launch: {
    program: 'copilot',
    args: ['--no-auto-update'],
    session: ['--session-id', '{session}'],
    resume: ['--resume', '{session}'],
    resumeLast: ['--continue'],
    model: ['--model', '{model}'],
    permissions: { ask: [], auto: [], skip: ['--allow-all-tools'] },
    allowedTools: null,
    systemPrompt: null,
    // A plugin adds hooks to those of the user; the other places belong to all sessions, or to the repository.
    settings: ['--plugin-dir', '{file}'],
    plugin: true,
    prompt: ['-i', '{prompt}'],
    env: { set: {}, unset: ['NO_COLOR', 'COPILOT_ALLOW_ALL'] },
  },
  typing: {
    method: 'paste',
    settleMs: 0,
    startupMs: 600,
    collapse: { lines: 1_000, chars: 1_000, verbatim: true },
    chunks: null,
    leading: [
      { char: '!', means: 'runs a shell command', spaceHelps: true },
      { char: '/', means: 'command', spaceHelps: true },
    ],
    newline: 'C-j',
    submit: 'Enter',
    clear: ['C-u'],
    interrupt: ['Escape', 'Escape'],
    exit: ['C-c', 'C-c'],
    queues: true,
  },
  signals: {
    title: false,
    transcript: '{home}/.copilot/session-state/',
    structured: null,
    // The oldest version that was tried; older ones get them, too.
    hooks: [{ since: '1.0.89', names: ['UserPromptSubmit', 'Stop'] }],
    hookMeaning: { UserPromptSubmit: 'turn-began', Stop: 'turn-ended' },
  },
  screen: SCREEN,
  errors: [
    { id: 'provider-auth', error: 'auth', matches: 'Authentication failed|not logged in|No authentication' },
    ...COMMON_ERRORS,
  ],
  answers: [],
  trust: [{ kind: 'folder', begins: 'Confirm folder trust', accept: 'Yes', refuse: 'No \\(Esc\\)' }],
} as const satisfies ProfileDocument;
