/**
 * Differences between tmux versions. Every choice that depends on the version is made here and nowhere else. Measured on 3.2a, 3.3a, 3.4,
 * 3.5a, 3.6b, 3.7c and 3.8: docs/mechanics.md.
 */
import { TmuxError } from '../errors.ts';

/** Way in which the news of a death reaches the driver besides polling. */
export type ExitNews = 'message' | 'rename' | 'none';

export interface Abilities {
  /** Version as tmux prints it, for example `3.3a`. */
  readonly version: string;
  /**
   * `message`: a hook may send `%message` to one client (3.4). `rename`: a hook may rename the hub's
   * window, which a control client is told (3.3). `none`: polling only (3.2).
   */
  readonly exitNews: ExitNews;
  /** `pane_dead_signal` exists (3.3); before, death by signal shows no cause at all. */
  readonly tellsSignal: boolean;
  /** `show-buffer` escapes what it prints to a control client (until 3.3a). */
  readonly bufferIsEscaped: boolean;
  /** `capture-pane -p` over a control client does not leak its reply in the server (3.6). */
  readonly capturePrints: boolean;
  /** `paste-buffer` rewrites control characters unless told not to with `-S` (3.7). */
  readonly pasteNeedsRaw: boolean;
}

/** Least version: the first with `-f no-output` and `new-session -e`. */
export const TMUX_VERSION_MIN = '3.2a';

/** @throws TmuxError `tmux-too-old` when below {@link TMUX_VERSION_MIN}; an unknown form counts as new. */
export function abilitiesOf(version: string): Abilities {
  const rank = rankOf(version);
  if (rank < rankOf(TMUX_VERSION_MIN)) {
    const message = `tmux ${version} is too old: Drover needs ${TMUX_VERSION_MIN} or newer`;
    throw new TmuxError('tmux-too-old', message);
  }
  const since = (least: string): boolean => rank >= rankOf(least);
  return {
    version,
    exitNews: since('3.4') ? 'message' : since('3.3') ? 'rename' : 'none',
    tellsSignal: since('3.3'),
    bufferIsEscaped: !since('3.4'),
    capturePrints: since('3.6'),
    pasteNeedsRaw: since('3.7'),
  };
}

/** Turns `3.3a` into 30301; `next-3.5` counts as 3.5; a version without a number (`master`) counts as newest. */
function rankOf(version: string): number {
  const match = /(?<!\d)(\d+)\.(\d+)([a-z]?)/.exec(version);
  if (match === null) return Number.POSITIVE_INFINITY;
  const [, major = '0', minor = '0', letter = ''] = match;
  const patch = letter === '' ? 0 : letter.charCodeAt(0) - 96;
  return Number(major) * 10_000 + Number(minor) * 100 + patch;
}
