/** WebSockets by the library `ws`. */
import { messageOf } from '@drover/base';
import { WebSocket } from 'ws';
import type { OpenSocket } from './ports.ts';

/** Timeout of opening, in milliseconds. */
const OPEN_MS = 15_000;
/** Largest message of a chat service, in bytes. */
const BYTES_MAX = 4 * 1024 ** 2;

/** Opens a WebSocket by `ws`. */
export const systemSocket: OpenSocket = (url, { message, closed }) => {
  const socket = new WebSocket(url, { handshakeTimeout: OPEN_MS, maxPayload: BYTES_MAX });
  let problem = '';
  socket.on('message', (data: Buffer) => {
    try {
      message(data.toString('utf8'));
    } catch (error) {
      // An unreadable message ends this connection, not the process.
      problem = messageOf(error);
      socket.terminate();
    }
  });
  socket.on('error', (error) => {
    problem = error.message;
  });
  socket.on('close', (code, reason) => closed({ code, reason: problem === '' ? reason.toString('utf8') : problem }));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code = 1000) => {
      if (socket.readyState === WebSocket.CONNECTING) socket.terminate();
      else socket.close(code);
    },
    terminate: () => socket.terminate(),
  };
};
