/**
 * Reports changes in the panes as they happen.
 *
 * W1 At most one round of looking, and beside it one look for exits and one at each pane in the news, are under way.
 * W2 A pane that falls quiet is captured after the second of its last output is over.
 */
import type { Clock } from '@drover/base';
import type { Capture, CaptureOptions, CaptureOutcome } from './capture.ts';
import { ExitTracker, type PaneExit } from './exits.ts';
import type { PaneAddress } from './incarnation.ts';
import type { PaneList } from './list.ts';
import type { PaneState } from './facts.ts';
import { ScreenMemory } from './screen-memory.ts';

/** Part of a pane that its watcher needs: its screen with its colours, or no screen at all. */
type Interest = 'facts' | 'colours';

/** Listeners, and the pace of looking at the panes. */
export interface WatchOptions {
  /** Called when a pane is first seen and whenever its facts or its screen changed, with the screen if that is of interest. */
  readonly onPane?: (facts: PaneState, capture: Capture | undefined) => void;
  /** Called once for the end of each life of a pane. */
  readonly onExit?: (exit: PaneExit) => void;
  /** Called when a look failed; the watch goes on. */
  readonly onTrouble?: (error: unknown) => void;
  /** Asked before each pause: tells whether somebody waits for a change. */
  readonly awaited?: () => boolean;
  /** Default `colours`. */
  readonly interest?: (facts: PaneState) => Interest;
  /** Milliseconds between looks while something is awaited. Default 250. */
  readonly awaitedEveryMs?: number;
  /** Milliseconds between looks otherwise. Default 1,000. */
  readonly calmEveryMs?: number;
}

/** Parts of its server that a watch uses. */
export interface WatchTools {
  readonly clock: Clock;
  /** Lists all panes, or the named one, and the server's clock in epoch seconds just before the list. */
  readonly list: (only?: string) => Promise<PaneList>;
  /** Outcomes in the order of the panes. */
  readonly capture: (panes: readonly PaneAddress[], options: CaptureOptions) => Promise<readonly CaptureOutcome[]>;
  /** Makes tmux collect children whose end it missed. */
  readonly cure: () => Promise<void>;
  /** Milliseconds of a round trip. */
  readonly roundTripMs: () => number;
}

/** Captures sent together. Between two groups, news of exits and deliveries get their turn. */
const CAPTURES_AT_ONCE = 8;
/** Milliseconds of tmux's time that such a group takes. */
const GROUP_MS = 5;
/** Groups under way at once at most, however far away the machine is. */
const GROUPS_MAX = 32;
/** Milliseconds between a cure and the check of its effect. */
const CURE_MS = 25;
const AWAITED_EVERY_MS = 250;
const CALM_EVERY_MS = 1_000;

/** Running watch. Closing it stops the looking. */
export class Watch implements AsyncDisposable {
  readonly #tools: WatchTools;
  readonly #options: WatchOptions;
  readonly #exits = new ExitTracker();
  readonly #screens = new ScreenMemory();
  #round: Promise<void> | undefined;
  #listing: Promise<void> | undefined;
  #listAgain = false;
  readonly #asking = new Map<string, Promise<void>>();
  #asked = 0;
  #cancelNext: (() => void) | undefined;
  #cancelCure: (() => void) | undefined;
  #closed = false;

  constructor(tools: WatchTools, options: WatchOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#startRound();
  }

  /**
   * Looks for exits now, because there is news; calls that come together become one look. The pane in the news is read first: a list of 200
   * panes takes some ten milliseconds. News may name the wrong pane, so the list follows.
   */
  checkForExits(paneId?: string): void {
    if (this.#closed) return;
    if (paneId !== undefined && !this.#asking.has(paneId)) this.#asking.set(paneId, this.#ask(paneId));
    if (this.#listing !== undefined) {
      this.#listAgain = true;
      return;
    }
    this.#listing = this.#listForNews();
  }

  /** Looks at everything now rather than after the pause, for example because a wait began. */
  checkNow(): void {
    if (this.#closed || this.#round !== undefined) return;
    this.#cancelNext?.();
    this.#startRound();
  }

  /** Takes facts that a command returned, so that no life of a pane begins or ends unseen. */
  noticed(facts: PaneState): void {
    this.#report(this.#exits.seen(facts, (this.#asked += 1)).exits);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#cancelNext?.();
    this.#cancelCure?.();
    await this.#round;
    await this.#listing;
    await Promise.all(this.#asking.values());
  }

  async #ask(paneId: string): Promise<void> {
    const asked = (this.#asked += 1);
    try {
      const { panes } = await this.#tools.list(paneId);
      const news = panes.map((facts) => this.#exits.seen(facts, asked));
      this.#report(news.flatMap(({ exits }) => exits));
      if (news.some(({ needsCure }) => needsCure)) await this.#cure();
    } catch (error) {
      this.#options.onTrouble?.(error);
    } finally {
      this.#asking.delete(paneId);
    }
  }

  async #listForNews(): Promise<void> {
    do {
      this.#listAgain = false;
      // tmux answers only after it has carried out a whole request, so the long list waits.
      if (this.#asking.size > 0) await Promise.all(this.#asking.values());
      await this.#list().catch((error: unknown) => this.#options.onTrouble?.(error));
    } while (this.#listAgain && !this.#closed);
    this.#listing = undefined;
  }

  #startRound(): void {
    const startedAt = this.#tools.clock.now();
    this.#round = this.#seeAll()
      .catch((error: unknown) => this.#options.onTrouble?.(error))
      .finally(() => {
        this.#round = undefined;
        if (this.#closed) return;
        const spentMs = this.#tools.clock.now() - startedAt;
        const delayMs = Math.max(0, this.#everyMs() - spentMs);
        this.#cancelNext = this.#tools.clock.after(delayMs, () => this.#startRound());
      });
  }

  #everyMs(): number {
    const { awaited, awaitedEveryMs, calmEveryMs } = this.#options;
    return awaited?.() === true ? (awaitedEveryMs ?? AWAITED_EVERY_MS) : (calmEveryMs ?? CALM_EVERY_MS);
  }

  async #list(): Promise<PaneList> {
    const asked = (this.#asked += 1);
    const listed = await this.#tools.list();
    const news = this.#exits.seenAll(listed.panes, asked);
    this.#report(news.exits);
    if (news.needsCure) await this.#cure();
    return listed;
  }

  #report(exits: readonly PaneExit[]): void {
    for (const exit of exits) {
      try {
        this.#options.onExit?.(exit);
      } catch (error) {
        this.#options.onTrouble?.(error); // the other exits are reported all the same
      }
    }
  }

  async #cure(): Promise<void> {
    await this.#tools.cure();
    if (this.#closed || this.#cancelCure !== undefined) return;
    this.#cancelCure = this.#tools.clock.after(CURE_MS, () => {
      this.#cancelCure = undefined;
      this.checkForExits();
    });
  }

  async #seeAll(): Promise<void> {
    const { second, panes } = await this.#list();
    this.#screens.keepOnly(panes);
    const { onPane } = this.#options;
    if (onPane === undefined) return;
    const wanted = panes.filter((facts) => this.#isWanted(facts, onPane)).map(({ incarnation }) => incarnation);
    const take = async (): Promise<void> => {
      for (let group = wanted.splice(0, CAPTURES_AT_ONCE); group.length > 0 && !this.#closed;) {
        const outcomes = await this.#tools.capture(group, { colours: true });
        for (const outcome of this.#closed ? [] : outcomes) {
          if (outcome.kind !== 'captured') continue;
          const { capture } = outcome;
          if (this.#screens.isNewCapture(capture, second)) onPane(capture.facts, capture);
        }
        group = wanted.splice(0, CAPTURES_AT_ONCE);
      }
    };
    // On a remote machine one group at a time would leave tmux idle: the watch sends as many as tmux carries out during a round trip.
    const atOnce = Math.min(GROUPS_MAX, 1 + Math.ceil(this.#tools.roundTripMs() / GROUP_MS));
    const taken = await Promise.allSettled(Array.from({ length: atOnce }, take));
    const failed = taken.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Tells whether to capture a pane; reports new facts of a pane whose screen is of no interest. */
  #isWanted(facts: PaneState, onPane: NonNullable<WatchOptions['onPane']>): boolean {
    if ((this.#options.interest?.(facts) ?? 'colours') === 'colours') return this.#screens.mayHaveChanged(facts);
    if (this.#screens.isNewFacts(facts)) onPane(facts, undefined);
    return false;
  }
}
