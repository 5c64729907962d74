/**
 * Reports each ended pane exactly once.
 *
 * E1 Every life of a pane that was seen ends in exactly one exit.
 * E2 A death without a cause is cured and checked again before it is reported.
 * E3 An earlier answer never overrules a later one.
 */
import { areSameIncarnation, type Incarnation } from './incarnation.ts';
import type { PaneState } from './facts.ts';

export type ExitCause =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  /** Ended for an unknown reason: tmux never learned it. tmux 3.2 says this of every death by signal. */
  | { readonly kind: 'unknown' }
  /** Gone with its session, by a forced respawn of the pane, or with the server. */
  | { readonly kind: 'gone' };

export interface PaneExit {
  readonly incarnation: Incarnation;
  readonly sessionName: string;
  readonly options: Readonly<Record<string, string>>;
  readonly cause: ExitCause;
}

/** News of one look at the panes. */
export interface ExitNews {
  readonly exits: readonly PaneExit[];
  /** True when tmux should be nudged to collect a child whose end it missed. */
  readonly needsCure: boolean;
}

/**
 * Checks of a death without a cause, each after a cure, before it is reported as `unknown`. Measured: the first cure worked 18 times of 18
 * (docs/mechanics.md).
 */
const CURES_MAX = 4;

interface Watched {
  readonly facts: PaneState;
  readonly asked: number;
  readonly reported: boolean;
  readonly cures: number;
}

/** Remembers the panes that were seen. */
export class ExitTracker {
  readonly #panes = new Map<string, Watched>();

  /**
   * Takes a list of all panes of the server; previous panes that are missing are gone.
   *
   * @param asked A number that grew when this list was asked for: answers may overtake each other.
   */
  seenAll(panes: readonly PaneState[], asked: number): ExitNews {
    const present = new Set(panes.map(({ incarnation }) => incarnation.paneId));
    const exits: PaneExit[] = [];
    for (const [paneId, life] of this.#panes) {
      if (present.has(paneId) || life.asked > asked) continue;
      this.#panes.delete(paneId);
      if (!life.reported) {
        exits.push(exitOf(life.facts, { kind: life.facts.dead ? 'unknown' : 'gone' }));
      }
    }
    const seen = panes.map((pane) => this.seen(pane, asked));
    return {
      exits: [...exits, ...seen.flatMap((news) => news.exits)],
      needsCure: seen.some((news) => news.needsCure),
    };
  }

  /** Takes the facts of one pane. For `asked` see {@link seenAll}. */
  seen(facts: PaneState, asked: number): ExitNews {
    const { paneId } = facts.incarnation;
    const before = this.#panes.get(paneId);
    if (before !== undefined && before.asked > asked) return { exits: [], needsCure: false };
    const sameLife = before !== undefined && areSameIncarnation(before.facts.incarnation, facts.incarnation);
    const exits: PaneExit[] = [];
    if (before !== undefined && !sameLife && !before.reported) {
      exits.push(exitOf(before.facts, { kind: before.facts.dead ? 'unknown' : 'gone' }));
    }
    const life = sameLife ? before : { reported: false, cures: 0 };
    const cause = facts.dead && !life.reported ? causeOf(facts, life.cures) : undefined;
    const needsCure = cause === 'cure';
    if (cause !== undefined && cause !== 'cure') exits.push(exitOf(facts, cause));
    this.#panes.set(paneId, {
      facts,
      asked,
      reported: life.reported || (cause !== undefined && cause !== 'cure'),
      cures: life.cures + (needsCure ? 1 : 0),
    });
    return { exits, needsCure };
  }
}

function causeOf(facts: PaneState, cures: number): ExitCause | 'cure' {
  if (facts.deadSignal !== undefined) return { kind: 'signalled', signal: facts.deadSignal };
  if (facts.deadStatus !== undefined) return { kind: 'exited', status: facts.deadStatus };
  return cures < CURES_MAX ? 'cure' : { kind: 'unknown' };
}

function exitOf({ incarnation, sessionName, options }: PaneState, cause: ExitCause): PaneExit {
  return { incarnation, sessionName, options, cause };
}
