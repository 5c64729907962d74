// Holds the whole visible state of the program, as one value for the painter.

import type { Composer } from '../keyboard/composer.ts';
import type { Entry } from './conversation.ts';
import type { Dialog } from '../dialog/dialog.ts';
import type { PermissionMode, Persona } from './persona.ts';

/** Content of the line above the prompt box while a turn runs. */
export interface Spinner {
  readonly kind: 'working' | 'thinking' | 'retrying' | 'silent';
  /** A verb without its ellipsis, or the error that is retried. */
  readonly text: string;
  /** Text after the error of `retrying`, such as `retrying in 2s · attempt 1/10`. */
  readonly detail: string;
  /** Beginning of the turn, in milliseconds since the epoch. */
  readonly since: number;
}

/** A short-lived word in the footer: a second press of the same key within its time does something. */
export type Armed = 'exit-c' | 'exit-d' | 'clear';

/** Everything that is on the screen. */
export interface View {
  readonly persona: Persona;
  readonly model: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly entries: readonly Entry[];
  readonly composer: Composer;
  /** Dim words in the empty box, with the first letter under the cursor. */
  readonly placeholder: string;
  /** A turn runs: the prompt's glyph is grey. */
  readonly busy: boolean;
  readonly spinner: Spinner | undefined;
  readonly dialog: Dialog | undefined;
  readonly queued: readonly string[];
  readonly armed: Armed | undefined;
  /** Tells whether something was just deleted and can be pasted back. */
  readonly killed: boolean;
  /** Index of the chosen row in the menu of commands. */
  readonly menuIndex: number;
}

/** The size of the screen in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
