/** Describes how to start, read and talk to Gemini CLI. Measured on 0.61.0. */
import type { ProfileDocument } from '../profile/schema.ts';
import { COMMON_ERRORS } from './errors.ts';

const SCREEN = {
  composer: {
    kind: 'prompt-row',
    glyph: '^ (?:[>*]|(?<lead>!))(?: |$)',
    glyphStyle: { fg: 'coloured' },
    // Prompts that were sent look the same; only the composer stands under a line.
    above: '^─{8,}$',
    ends: 'first-blank',
    indent: 3,
  },
  placeholder: { matches: '^(?:Type your message|Press Esc again)' },
  paste: '\\[Pasted Text: \\d+ (?:lines|chars)[^\\[\\]]{0,80}\\]',
  attachment: '\\[Image [^[\\]]{1,80}\\]',
  block: '^(?:[✦✕ℹ⚠╭]| > |─{8,})|^ .*(?:\\? for shortcuts|Executing Hooks?:|\\(esc to cancel)',
  prompt: { matches: '^ [>*!] ', text: { bg: 'coloured' } },
  dialog: {
    option: '^[\\s│]*(?<mark>●) (?<label>\\d+\\.\\s+\\S.*)$',
    mark: { fg: 'coloured' },
    selected: null,
    top: '^ ?╭─',
    topIsTitle: false,
    heading: '^Answer Questions$',
    cursorInside: false,
    frame: '^[\\s│]*',
    bare: [],
    across: null,
    kinds: [
      { id: 'dialog-trust', kind: 'trust', matches: 'Do you trust the files' },
      { id: 'dialog-question', kind: 'question', matches: 'Enter to select ·' },
      { id: 'dialog-permission', kind: 'permission', matches: 'Allow once|suggest changes' },
      { id: 'dialog-limit', kind: 'limit', matches: '[Uu]sage limit|quota' },
    ],
    tool: '(?:^|\\n)\\?\\s+(?<tool>\\S+)',
    command: '(?:^|\\n)\\?\\s+\\S+\\s+(?<command>.+)',
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: {},
  },
  ownTitle: '^[◇✦✋] ',
  without: 'unknown',
  asking: [{ id: 'title-action-required', in: 'title', matches: '^✋|Action Required' }],
  panels: [],
  idleTitle: '^◇',
  busy: [
    { id: 'busy-title', in: 'title', matches: '^✦' },
    { id: 'cancel-hint', in: 'last', matches: '(?<at>\\(esc to cancel, \\d)', text: { fg: 'coloured' } },
  ],
  starting: [],
  // Retries look like thinking: nothing on the screen tells them.
  retrying: [],
  failed: [
    { id: 'error-block', in: 'turn', matches: '^✕ (?<at>\\S.*)$', marker: { fg: 'coloured' }, text: { fg: 'marker' } },
  ],
  queued: [{ id: 'queued', in: 'above', matches: '^\\s+(?<at>Queued \\(press)', text: { dim: true } }],
  interrupted: [
    { id: 'interrupted', in: 'turn', matches: '^ℹ (?<at>Request cancelled)', text: { fg: 'marker' } },
    { id: 'exit-armed', in: 'turn', matches: '^ (?<at>Press Ctrl\\+C again to exit)', text: { fg: 'coloured' } },
  ],
  answer: '^✦ ',
  aside: null,
  // The words in the spinner's row take turns by the clock.
  noise: [
    '^\\s*[⠀-⣿]\\s.*\\(esc to cancel.*',
    '\\(esc to cancel.*',
    '^\\s*[⠀-⣿]\\s',
    'Executing Hooks?:.*',
    'Thinking\\.\\.\\.',
  ],
} as const satisfies ProfileDocument['screen'];

/** The profile document of Gemini CLI. */
export const GEMINI = {
  format: 1,
  id: 'gemini',
  name: 'Gemini CLI',
  revision: 3,
  versions: ['0.59.0', '0.60.0', '0.61.0'],
  commands: ['node', 'gemini'],
  launch: {
    program: 'gemini',
    args: [],
    // Since 0.42.
    session: ['--session-id', '{session}'],
    resume: ['--resume', '{session}'],
    resumeLast: ['--resume', 'latest'],
    model: ['--model', '{model}'],
    permissions: {
      ask: ['--approval-mode', 'default'],
      auto: ['--approval-mode', 'auto_edit'],
      skip: ['--approval-mode', 'yolo'],
    },
    allowedTools: ['--allowed-tools', '{tools}'],
    systemPrompt: null,
    settings: null,
    prompt: ['--prompt-interactive', '{prompt}'],
    // The program's trust dialog opens over a box that has looked ready for half a second. A worktree that Drover made is trusted anyway.
    env: { set: { GEMINI_CLI_TRUST_WORKSPACE: 'true' }, unset: ['NO_COLOR'] },
  },
  typing: {
    method: 'paste',
    // Enter within 100 ms of a paste is taken as part of it.
    settleMs: 160,
    startupMs: 600,
    collapse: { lines: 6, chars: 500, verbatim: true },
    chunks: null,
    leading: [
      { char: '!', means: 'switches to shell mode', spaceHelps: true },
      { char: '/', means: 'command', spaceHelps: true },
      { char: '@', means: 'reads a file', spaceHelps: false },
    ],
    newline: 'C-j',
    submit: 'Enter',
    clear: ['C-c'],
    interrupt: ['Escape'],
    exit: ['C-c', 'C-c'],
    queues: true,
  },
  signals: {
    title: true,
    // Names of its files begin with the time.
    transcript: '{home}/.gemini/tmp/',
    structured: null,
    hooks: [
      {
        since: '0.61.0',
        names: [
          'SessionStart',
          'BeforeAgent',
          'AfterAgent',
          'BeforeTool',
          'AfterTool',
          'Notification',
          'PreCompress',
          'SessionEnd',
        ],
      },
    ],
    hookMeaning: { SessionStart: 'started', BeforeAgent: 'turn-began', AfterAgent: 'turn-ended', SessionEnd: 'ended' },
  },
  screen: SCREEN,
  errors: [...COMMON_ERRORS],
  answers: [],
  trust: [
    {
      kind: 'folder',
      begins: 'Do you trust the files in this folder\\?',
      accept: '^Trust folder \\(.*\\)$',
      refuse: "Don't trust",
    },
  ],
} as const satisfies ProfileDocument;
