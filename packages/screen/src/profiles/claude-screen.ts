/** Describes how Claude Code draws its screen. */
import type { ProfileDocument } from '../profile/schema.ts';

/** The characters of the spinner. A finished turn keeps one of them, without `…`. */
const SPINNER = '[·✢✳✶✻✽*]';
/** Words of an answer that is an error; drawn in the colour of their own marker, which an answer never is. */
const ERROR_WORDS =
  'API Error|/login|[Ll]imit|[Uu]sage|[Cc]redits|[Cc]ould not process|issue with the selected model|[Oo]verloaded|[Uu]navailable|[Ee]xpired|[Bb]alance|[Ii]nvalid|[Rr]equest';

/** Rules for reading the screen of Claude Code. */
export const CLAUDE_SCREEN = {
  composer: {
    kind: 'between-rules',
    rule: '^───.*─$|^───+',
    // The rule's colour is the theme's; the cursor between the rules tells it from a printed one.
    ruleStyle: {},
    // Glyph with a no-break space: menus and dialogs use an ordinary one.
    glyph: '^(?:❯|(?<lead>[!#&]))\u00a0',
    scrolled: '^─+ [↑↓] \\d+ more',
    indent: 2,
  },
  placeholder: { style: { dim: true } },
  // Put back by Esc it has a new number (measured: `#2 +5 lines` for `#1 +5 lines`), and so cannot be told from a person's: it is a draft.
  paste: '\\[Pasted text #\\d+(?: \\+\\d+ lines?)?\\]|\\[\\.{3}Truncated text #\\d+',
  attachment: '\\[Image #\\d+\\]',
  // Text is indented; whatever starts in the first column starts a block.
  block: '^[^\\s─▔▝▗▐▘▛▜╭╰│┃╌]',
  prompt: { matches: '^❯ ', text: { bg: 'coloured' } },
  dialog: {
    option: '^\\s{0,4}(?<mark>❯) (?<label>\\S.*)$',
    mark: { fg: 'coloured', bg: 'default' },
    selected: null,
    top: '^(?:─{3,}|▔{3,})',
    topStyle: { fg: 'coloured' },
    topIsTitle: false,
    heading: '^(?:← +)?[☐☒✔] ',
    cursorInside: true,
    submit: '^\\s{0,4}(?:(?<mark>❯) |\\s{2})\\s+(?<label>Enable selected)$',
    dismissed: '^ Space to select · (?<label>Esc to reject all)$',
    frame: '^[\\s│]*',
    bare: [
      { kind: 'other', matches: '^\\s*Showing detailed transcript' },
      // The footer was chosen with Down: Enter would open what runs there.
      { kind: 'other', matches: '· enter to view tasks$', style: { fg: 'coloured' } },
      // A panel that a person opened with a command, such as /cost.
      { kind: 'other', matches: '^\\s*(?:←/→ to switch · )?Esc to close$', style: { fg: 'coloured' } },
      { kind: 'other', matches: '^\\s*Press Ctrl-C again to exit', style: { fg: 'coloured' } },
      // A server of tools asks (elicitation): a form with buttons in one row, and the cursor behind it. Words of 2.1.330.
      {
        kind: 'question',
        matches: '^ {2}(?<label>Esc to cancel) · (?:↑/↓ to navigate|←/→ to switch)',
        style: { fg: 'coloured' },
      },
    ],
    across: null,
    kinds: [
      { id: 'dialog-trust', kind: 'trust', matches: '^ ?(?:Accessing workspace:|Do you trust the files)' },
      { id: 'dialog-bypass', kind: 'bypass', matches: 'Bypass Permissions mode' },
      { id: 'dialog-api-key', kind: 'api-key', matches: '^ ?Detected a custom API key' },
      // At the start, and when a text is sent after hours without one. Words of 2.1.330.
      {
        id: 'dialog-resume',
        kind: 'resume',
        matches: '^ ?(?:This session is [^\\n]{1,20} old and [^\\n]{1,20} tokens\\.|Resume this conversation\\?)',
      },
      { id: 'dialog-limit', kind: 'limit', matches: 'wait for limit to reset' },
      {
        id: 'dialog-question',
        kind: 'question',
        matches: 'Enter to select ·|^Review your answers|\\d\\. Submit answers',
      },
      {
        id: 'dialog-permission',
        kind: 'permission',
        matches:
          'Esc to cancel · Tab to amend|Do you want to (?:proceed|create|make|allow|overwrite|delete|edit|run)|Would you like to proceed|shift\\+tab to approve',
      },
    ],
    tool: '^(?<tool>.+)',
    toolNames: { 'Bash command': 'Bash', 'Create file': 'Write', 'Edit file': 'Edit', Fetch: 'WebFetch' },
    // Command between dashed lines; before 2.1.330 above a description and the question.
    command:
      '(?<![^\\n])╌{3,}\\n(?<command>[\\s\\S]*?)\\n╌{3,}|^(?![\\s\\S]*╌{3,})[^\\n]+\\n(?<command>[\\s\\S]*?)\\n[^\\n]*\\nDo you want',
    keys: { next: 'Down', previous: 'Up', confirm: 'Enter', dismiss: 'Escape' },
    keysFor: {},
  },
  ownTitle: '^\\S Claude Code|^[✳◐◓◑◒⠀-⣿] ',
  without: 'unknown',
  asking: [],
  panels: [],
  idleTitle: null,
  busy: [
    { id: 'busy-glyph', in: 'glyph', text: { fg: 'coloured' } },
    { id: 'busy-glyph-dim', in: 'glyph', text: { dim: true } },
    // The prompt character may be scrolled away, be part of the text or have no colour (NO_COLOR).
    { id: 'interrupt-hint', in: 'footer', matches: '\\besc to in' },
  ],
  starting: [],
  retrying: [
    // A program that waits for its limit goes on by itself, until somebody presses Esc.
    {
      id: 'continues-by-itself',
      in: 'footer',
      matches: '^\\s*(?<words>(?:Usage limit reached.* · )?Continuing automatically at \\S.*?)(?: · Esc to cancel)?$',
      marker: { fg: 'coloured' },
    },
    {
      id: 'retrying',
      in: 'last',
      matches: `^${SPINNER} (?<at>\\S.*retrying in \\d)`,
      marker: { fg: 'coloured' },
      text: { fg: 'coloured' },
    },
  ],
  failed: [
    { id: 'api-error', in: 'last', head: '^●', matches: `^● (?<at>.*(?:${ERROR_WORDS}))`, text: { fg: 'marker' } },
    {
      id: 'prompt-error',
      in: 'last',
      head: '^❯ (?!/)',
      matches: '^\\s+⎿\\s+(?<at>\\S.*)$',
      text: { fg: 'accent', dim: false },
    },
    { id: 'refusal', in: 'turn', matches: '^● (?<at>.*safeguards stopped)', text: { fg: 'marker' } },
  ],
  queued: [{ id: 'queued', in: 'box', matches: 'to edit queued messages' }],
  // Names of what runs in the background, in the colour of their own in a row of the footer.
  background: [
    {
      id: 'background',
      in: 'footer',
      matches:
        '(?<at>\\d{1,3} (?:shells?|monitors?|MCP tasks?|background (?:agents?|tasks?|dynamic workflows?)|scheduled tasks?|cloud sessions?))(?:,| ·|$|…)',
      text: { fg: 'accent' },
    },
  ],
  interrupted: [{ id: 'interrupted', in: 'last', matches: '^\\s+⎿\\s+(?<at>Interrupted\\b)', text: { fg: 'marker' } }],
  answer: '^● ',
  aside: '(?<!\\s)\\s{2,}│.*',
  // The spinner's row with its clock and its count of tokens, and the hint below it; clocks elsewhere.
  noise: [
    `^${SPINNER} \\S.*…(?: \\(.*|$)`,
    `^${SPINNER} \\S.*retrying in \\d.*`,
    '^\\s*⎿\\s+Tip: .*$',
    '\\b(?:\\d+[hms] ?)+\\b',
    `^${SPINNER}`,
  ],
} as const satisfies ProfileDocument['screen'];
