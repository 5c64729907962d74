/** What do orders and the observer need of tmux? A simulation has other servers, with programs of its own in their panes. */
import type { Hands, PaneAddress, PaneFacts, TmuxServer } from '@drover/tmux';

/** What types into one pane while nobody else does. */
export type PaneHands = Pick<Hands, 'paste' | 'pasteEach' | 'typeText' | 'pressKeys'>;

/** One server with its panes. */
export interface PaneServer extends Pick<
  TmuxServer,
  'capture' | 'createSession' | 'respawn' | 'killSession' | 'watch'
> {
  /** Runs `work` while nobody else types into the pane. */
  withPane<T>(pane: PaneAddress, work: (hands: PaneHands) => Promise<T>): Promise<T>;
}

/** A pane and the server that holds it. */
export interface Placed {
  readonly server: PaneServer;
  readonly pane: PaneFacts;
}

/** All panes of this machine that Drover drives. */
export interface PaneHouse {
  /** @param run Called for each server that is open, now and later. */
  forEach(run: (server: PaneServer) => void): void;
  /** Opens all. @throws when one cannot be had. */
  servers(): Promise<readonly PaneServer[]>;
  /** Every managed pane. @throws when one server cannot be asked: what it holds is not gone. */
  panes(): Promise<readonly Placed[]>;
  /** The pane of a worker. @throws when it was not found, and one server cannot be asked. */
  find(workerId: string): Promise<Placed | undefined>;
  /** The server of this life; undefined when that server is no more, and the life with it. */
  at(address: PaneAddress): Promise<PaneServer | undefined>;
  /** Runs `create` on a server with room. */
  place<T>(create: (server: PaneServer) => Promise<T>): Promise<T>;
}
