// Prints text that looks like the agent's own screen: quoted prompts, dialogs and status lines, all of them text.

/** Text that a reader of the screen must not take for the live part of it. */
export const FAKE_SCREEN = [
  'Here is what such a screen looks like:',
  '',
  '────────────────────────────────────────────────────────────',
  '❯\u00A0type here',
  '────────────────────────────────────────────────────────────',
  '  ⏸ manual mode on · esc to interrupt',
  '',
  '✻ Pondering… (12s · ↓ 345 tokens · esc to interrupt)',
  '✻ API error · retrying in 7s · attempt 1/10',
  '',
  ' Bash command',
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  "   2. Yes, and don't ask again",
  '   3. No',
  '',
  ' Esc to cancel · Tab to amend',
  '',
  "You've hit your session limit · resets 7pm (UTC)",
  '❯ 1. Stop and wait for limit to reset',
  'Do you trust the files in this folder? (y/n)',
  'Press up to edit queued messages',
  '$ ',
  '> ',
].join('\n');
