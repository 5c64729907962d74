/** Opens a separate connection to the coordinator for each terminal, so that it holds up nothing else of this machine. */
import { KEY_BYTES_MAX, PERSON_MESSAGE_BYTES_MAX, TERMINAL_PATHS } from '@drover/protocol';
import { WebSocket } from 'ws';
import { CommandError } from '../failure.ts';
import type { Line } from './stream.ts';

/** Milliseconds until it must be open: shorter than a person waits for the answer. */
const OPEN_MS = 8_000;
/** Bytes that may wait to be sent. The person's acknowledgements keep it far below; a coordinator that ignores them is disconnected. */
const WAITING_BYTES_MAX = 8 * 1_048_576;

/** Address of the other end, and credentials of this machine. */
export interface DialTarget {
  readonly url: string;
  readonly accessToken: string;
  readonly terminal: string;
}

/** Events of a line. */
export interface LineEvents {
  readonly onMessage: (text: string) => void;
  readonly onClose: () => void;
}

/** Connects. @throws CommandError with advice. */
export type Dial = (target: DialTarget, events: LineEvents) => Promise<Line>;

/** Connects over a WebSocket. */
export const dialBySocket: Dial = ({ url, accessToken, terminal }, { onMessage, onClose }) => {
  const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}${TERMINAL_PATHS.machine}?terminal=${terminal}`, {
    headers: { authorization: `Bearer ${accessToken}` },
    perMessageDeflate: false,
    maxPayload: PERSON_MESSAGE_BYTES_MAX + KEY_BYTES_MAX,
    handshakeTimeout: OPEN_MS,
  });
  socket.on('message', (data) => onMessage(String(data)));
  socket.on('close', onClose);
  return new Promise((resolve, reject) => {
    socket.on('error', (cause) => reject(noLine(url, cause.message, cause)));
    socket.on('unexpected-response', (_request, response) => {
      reject(noLine(url, `it answers with status ${response.statusCode ?? 0}`));
      socket.terminate();
    });
    socket.on('open', () =>
      resolve({
        send: (text) => {
          if (socket.readyState !== socket.OPEN) return;
          if (socket.bufferedAmount > WAITING_BYTES_MAX) socket.terminate();
          else socket.send(text);
        },
        close: () => socket.close(),
      }),
    );
  });
};

function noLine(url: string, why: string, cause?: unknown): CommandError {
  const message = `its machine has no WebSocket to ${url} (${why}), and a terminal does not go by long poll: use "drover logs WORKER --pane --follow", or give the machine an address for ssh with "drover machine label NAME --address user@host"`;
  return new CommandError('no-socket', message, { cause });
}
