/** Describes how to start, read and talk to Codex CLI. Measured on 0.169.0. */
import type { ProfileDocument } from '../profile/schema.ts';
import { COMMON_ERRORS } from './errors.ts';

const SCREEN = {
  composer: {
    kind: 'prompt-row',
    // In shell mode `!` stands in its place.
    glyph: '^(?:›|(?<lead>!))(?: |$)',
    // Prompts that were sent are dim on a background; a highlighted option is reversed.
    glyphStyle: { bold: true, dim: false, reverse: false, bg: 'default' },
    above: null,
    ends: 'last-blank',
    indent: 2,
  },
  placeholder: { style: { dim: true }, matches: '^Ask Codex to do anything$' },
  paste: '\\[Pasted Content \\d+ chars\\]',
  attachment: '\\[Image #\\d+\\]',
  block: '^(?:[•◦■✔✗⚠]|› )|^ {2}Worked for',
  prompt: { matches: '^› ', text: { bg: 'coloured' } },
  dialog: {
    option: '^\\s{0,4}(?<mark>›) (?<label>\\S.*)$',
    mark: { reverse: true },
    selected: null,
    // A dialog has no top line: it starts with its title, which is bold.
    top: '^ {2}\\S',
    topStyle: { bold: true, reverse: false, fg: 'default' },
    topIsTitle: true,
    subject: { of: '^Implement this plan\\?', from: '^• Proposed Plan', ends: '^\\s*Worked for ' },
    heading: '^(?:Question|(?<first>Field)) \\d+/\\d+',
    formHint: 'enter to submit \\| esc to cancel$',
    cursorInside: false,
    frame: '^\\s*',
    bare: [],
    across: null,
    kinds: [
      { id: 'dialog-trust', kind: 'trust', matches: 'Trust this folder\\?' },
      {
        id: 'dialog-question',
        kind: 'question',
        // The agent asks, or a server of tools: for consent first, then field by field, or for a visit to a page.
        matches:
          'Question \\d+/\\d+|enter to submit answer|enter to submit \\| esc to cancel ?$|^ ?\\S{1,80} needs your approval\\. Server: |^Action required Server: ',
      },
      {
        id: 'dialog-permission',
        kind: 'permission',
        matches: 'to confirm or esc to cancel|Would you like to (?:run|make|grant|allow)',
      },
      { id: 'dialog-limit', kind: 'limit', matches: 'usage limit' },
    ],
    tool: 'Would you like to (?<tool>[^?]{1,300})\\?',
    command: '\\$ (?<command>[\\s\\S]+)$',
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: {},
  },
  // The idle title is the name of the directory: nothing tells that the program set it.
  ownTitle: '^[⠀-⣿] |Action Required',
  without: 'unknown',
  asking: [{ id: 'title-action-required', in: 'title', matches: 'Action Required' }],
  panels: [{ id: 'shortcuts-panel', in: 'footer', matches: '(?<at>esc) close$', text: { bold: true } }],
  idleTitle: null,
  busy: [
    { id: 'busy-title', in: 'title', matches: '^[⠀-⣿] ' },
    {
      id: 'busy-status',
      in: 'last',
      matches: '^[•◦] (?<at>\\S.*) \\((?:\\d+[hms] ?)+ • esc to interrupt',
      text: { dim: true },
    },
  ],
  // Keys are lost until the status row with model and directory is drawn.
  starting: [{ id: 'no-status-row', in: 'footer', matches: '^ {2}\\? for shortcuts' }],
  retrying: [
    {
      id: 'reconnecting',
      in: 'last',
      // A narrow pane breaks the row after the count.
      matches: '^[•◦] (?<at>.{0,120}(?:[Rr]econnecting|[Rr]etrying).{0,200}(?:esc to interrupt|\\d/\\d))',
      text: { dim: true },
    },
  ],
  failed: [
    { id: 'error-block', in: 'last', matches: '^■ (?<at>\\S.*)$', marker: { fg: 'coloured' }, text: { fg: 'marker' } },
  ],
  queued: [{ id: 'queued', in: 'above', matches: '^• (?<at>Queued)', text: { plain: false } }],
  background: [
    {
      id: 'background',
      in: 'above',
      matches: '^ {2}(?<at>\\d+ background terminals?) running · /ps to view',
      text: { dim: true },
    },
  ],
  interrupted: [{ id: 'interrupted', in: 'last', matches: '^■ Conversation interrupted' }],
  answer: '^• ',
  aside: null,
  noise: ['^[•◦] .*esc to interrupt.*', '^ {2}└ Tip:.*$'],
} as const satisfies ProfileDocument['screen'];

/** The profile document of Codex. */
export const CODEX = {
  format: 1,
  id: 'codex',
  name: 'Codex CLI',
  revision: 6,
  versions: ['0.169.0', '0.171.0'],
  // A shell waits for the app-server before it becomes Codex.
  commands: ['codex', 'sh'],
  launch: {
    program: 'codex',
    // A shared daemon keeps the first start's environment and goes on after its screen is killed.
    // On the day of a release its first screen would be a menu whose highlighted entry runs an installation.
    args: ['--no-daemon', '-c', 'check_for_update_on_startup=false'],
    session: null,
    resume: ['resume', '{session}'],
    resumeLast: ['resume', '--last'],
    model: ['--model', '{model}'],
    permissions: {
      ask: ['--ask-for-approval', 'on-request', '--sandbox', 'workspace-write'],
      auto: ['--ask-for-approval', 'on-failure', '--sandbox', 'workspace-write'],
      skip: ['--dangerously-bypass-approvals-and-sandbox'],
    },
    allowedTools: null,
    systemPrompt: null,
    settings: null,
    results: { args: ['--add-dir', '{directory}'], allow: [] },
    channel: {
      kind: 'codex',
      since: '0.145.0',
      without: ['--no-daemon'],
      server: ['app-server', '--listen', 'unix://{socket}'],
      client: ['--remote', 'unix://{socket}'],
      model: ['-c', 'model="{model}"'],
      // The screen refuses permissions of its own when it takes up a conversation of a server.
      permissions: {
        ask: ['-c', 'approval_policy="on-request"', '-c', 'sandbox_mode="workspace-write"'],
        auto: ['-c', 'approval_policy="on-failure"', '-c', 'sandbox_mode="workspace-write"'],
        skip: ['-c', 'approval_policy="never"', '-c', 'sandbox_mode="danger-full-access"'],
      },
      // The screen of a server refuses to start with `--add-dir`.
      results: ['-c', 'sandbox_workspace_write.writable_roots=["{directory}"]'],
      decisions: [
        { label: '^Yes, proceed', decision: 'accept' },
        { label: '^No, and tell Codex', decision: 'cancel' },
      ],
    },
    prompt: ['{prompt}'],
    env: { set: {}, unset: ['NO_COLOR'] },
  },
  typing: {
    method: 'paste',
    settleMs: 0,
    startupMs: 600,
    // The placeholder is for the eye alone: the model receives the text as it was pasted.
    collapse: { lines: 1_000, chars: 1_000, verbatim: true },
    chunks: null,
    leading: [
      { char: '!', means: 'runs a shell command', spaceHelps: true },
      { char: '/', means: 'command', spaceHelps: true },
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
    // Codex names its conversations itself, so the file of one is not known beforehand.
    transcript: '{home}/.codex/sessions/',
    structured: null,
    quota: { kind: 'conversation' },
    hooks: [
      {
        since: '0.169.0',
        names: [
          'SessionStart',
          'UserPromptSubmit',
          'PreToolUse',
          'PostToolUse',
          'PermissionRequest',
          'Stop',
          'Interrupt',
          'SessionEnd',
        ],
      },
    ],
    hookMeaning: {
      SessionStart: 'started',
      UserPromptSubmit: 'turn-began',
      Stop: 'turn-ended',
      Interrupt: 'turn-ended',
      PermissionRequest: 'permission',
      SessionEnd: 'ended',
    },
  },
  screen: SCREEN,
  errors: [...COMMON_ERRORS],
  answers: [],
  trust: [
    { kind: 'folder', begins: 'Folder access ', accept: 'Trust and continue', refuse: null },
    {
      kind: 'hooks',
      begins: 'Hooks need review ',
      accept: 'Trust all and continue',
      refuse: "Continue without trusting \\(hooks won't run\\)",
    },
  ],
} as const satisfies ProfileDocument;
