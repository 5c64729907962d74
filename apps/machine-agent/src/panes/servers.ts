/** Parts of tmux that commands and panes use. A simulation has its own servers, with its own programs in the panes. */
import type { Hands, PaneAddress, PaneState, TmuxServer } from '@drover/tmux';

/** Types into one pane, as its only sender. */
export type PaneHands = Pick<Hands, 'paste' | 'pasteEach' | 'typeText' | 'pressKeys'>;

/** Server whose panes can be seen and typed into. */
export interface PaneServer extends Pick<TmuxServer, 'capture' | 'watch'> {
  /** Runs `work` as the only sender to the pane. */
  withPane<T>(pane: PaneAddress, work: (hands: PaneHands) => Promise<T>): Promise<T>;
}

/** Server on which programs can be started and ended. */
export interface SessionServer
  extends PaneServer, Pick<TmuxServer, 'createSession' | 'respawn' | 'killSession' | 'socket'> {}

/** Pane and the server that holds it. */
export interface Placed<S extends PaneServer = PaneServer> {
  readonly server: S;
  readonly pane: PaneState;
}

/** All panes of this machine that Drover drives. */
export interface PaneServers<S extends PaneServer = PaneServer> {
  /** @param run Called for each server that is open, now and later. */
  forEach(run: (server: S) => void): void;
  /** Opens all. @throws when one cannot be opened. */
  servers(): Promise<readonly S[]>;
  /** Lists every managed pane. @throws when one server cannot be asked: its panes are not gone. */
  panes(): Promise<readonly Placed<S>[]>;
  /** Finds the pane of a worker. @throws when it was not found, and one server cannot be asked. */
  find(workerId: string): Promise<Placed<S> | undefined>;
  /** Finds the server of this life; undefined when that server has ended, and the life with it. */
  at(address: PaneAddress): Promise<S | undefined>;
}

/** Servers on which sessions can also be made. */
export interface Sessions extends PaneServers<SessionServer> {
  /** Runs `create` on a server with room. */
  place<T>(create: (server: SessionServer) => Promise<T>): Promise<T>;
}
