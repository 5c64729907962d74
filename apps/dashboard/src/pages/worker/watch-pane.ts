/** Watches the pane of a worker: acknowledges each frame when it is drawn, so that no more is on its way than a person sees. */
import type { PersonMessage, ScreenMessage } from '@drover/protocol';
import { useEffect, useState } from 'react';
import { api, failureOf } from '../../client/api.ts';
import { atNextBeat, every, later, openSocket } from '../../client/browser-adapter.ts';
import type { Socket } from '../../client/browser-adapter.ts';
import { useOpened } from '../../client/hooks.ts';
import { takeScreen } from './screen.ts';
import type { Screen } from './screen.ts';

/** Milliseconds between two signs of life, as the protocol wants them. */
const ALIVE_EVERY_MS = 3_000;

interface Watching {
  /** Starts anew when it changes. */
  readonly round?: number;
  /** Draws it together with the other tiles of the page, four times a second. */
  readonly isTile?: boolean;
}

/** Milliseconds until a tile has seen a frame: its machine draws at most four frames in this time. */
const TILE_SEEN_MS = 1_000;

/** Follows the screen of a worker. */
export function useScreen(ref: string, { round = 0, isTile = false }: Watching = {}): Screen {
  const [screen, setScreen] = useState<Screen>({ kind: 'connecting' });
  const opened = useOpened();
  useEffect(() => {
    let isOver = false;
    let socket: Socket | null = null;
    const say = (message: PersonMessage): void => socket?.send(message);
    const draw = (next: (now: Screen) => Screen): void => {
      const apply = (): void => (isOver ? undefined : setScreen(next));
      if (isTile) atNextBeat(apply);
      else apply();
    };
    const end = (code: string, message: string): void =>
      draw((now) => (now.kind === 'ended' ? now : { kind: 'ended', code, message }));
    setScreen({ kind: 'connecting' });
    const stop = every(ALIVE_EVERY_MS, () => say({ kind: 'alive' }));
    const open = async (): Promise<void> => {
      const { ticket } = await api.terminals.watch.mutate({ name: ref });
      if (isOver) return;
      socket = openSocket(`/terminal?ticket=${encodeURIComponent(ticket)}`, {
        onMessage: (given) => {
          const message = given as ScreenMessage;
          draw((now) => takeScreen(now, message));
          if (message.kind !== 'frame') return;
          const tellSeen = (): void => say({ kind: 'seen', frame: message.frame });
          if (isTile) later(TILE_SEEN_MS, tellSeen);
          else requestAnimationFrame(tellSeen);
        },
        onClose: () => end('lost', 'the line to the pane was cut'),
      });
    };
    open().catch((error: unknown) => end(failureOf(error).code ?? 'lost', failureOf(error).message));
    return () => {
      isOver = true;
      stop();
      socket?.close();
    };
  }, [ref, round, isTile, opened]);
  return screen;
}
