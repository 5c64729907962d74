/** Parts that a transport gets to run one connection. */
import type { LocalClock } from '@drover/base';
import type { SyncAnswer } from '@drover/protocol';
import type { CoordinatorApi } from './api.ts';
import type { Exchange } from './exchange.ts';

/** Connection to one coordinator, after its hello. */
export interface Link {
  readonly url: string;
  readonly token: string;
  readonly api: CoordinatorApi;
  readonly exchange: Exchange;
  readonly clock: LocalClock;
  /** Milliseconds between signs of life until the coordinator says otherwise. */
  readonly intervalMs: number;
  /** Ends the connection quietly: the agent stops, or its access token must be renewed. */
  readonly signal: AbortSignal;
  /** Called with every answer: the connection works. */
  readonly onHeard: (answer: SyncAnswer) => void;
}
