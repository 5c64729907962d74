/** Does everything that reaches out of the pages: clock, timers, network, storage. */

export function now(): number {
  return Date.now();
}

/** @returns a function that ends it. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

/** @returns a function that prevents it. */
export function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const BEAT_MS = 250;
let atBeat: (() => void)[] = [];

/** Runs later, with everything else that waits for the same beat, so that the page is drawn once for all of it. Keeps the order. */
export function atNextBeat(run: () => void): void {
  atBeat.push(run);
  if (atBeat.length > 1) return;
  later(BEAT_MS, () => {
    const due = atBeat;
    atBeat = [];
    for (const each of due) each();
  });
}

/** Calls back when an element has another size. @returns a function that ends it. */
export function onResize(element: Element, run: () => void): () => void {
  const observer = new ResizeObserver(run);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Calls back when the page may have slept: it is shown again, or the network is back. @returns a function that ends it. */
export function onWake(run: () => void): () => void {
  const shown = (): void => (document.visibilityState === 'visible' ? run() : undefined);
  document.addEventListener('visibilitychange', shown);
  window.addEventListener('pageshow', run);
  window.addEventListener('online', run);
  return () => {
    document.removeEventListener('visibilitychange', shown);
    window.removeEventListener('pageshow', run);
    window.removeEventListener('online', run);
  };
}

/** Aborts after a time. */
export function within(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void later(ms, resolve));
}

export function newId(): string {
  // Browsers have `randomUUID` only where the page came by TLS or from this computer; a laptop in a network has neither.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

/** Answer to a request for a session. */
export interface Answered {
  readonly ok: boolean;
  readonly body: unknown;
}

/** Reads the first page as the coordinator serves it now; null: it did not answer. */
export async function servedPage(): Promise<string | null> {
  try {
    const response = await fetch('/sign-in', { cache: 'no-cache' });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** Address of the script by which this page began. */
export function ownScript(): string | null {
  return document.querySelector('script[src^="/assets/"]')?.getAttribute('src') ?? null;
}

export function reload(): void {
  location.reload();
}

/** Asks for a session, or for its end. Never rejects. */
export async function askSession(method: 'POST' | 'DELETE', body: unknown): Promise<Answered> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/session', { method, headers, body: JSON.stringify(body) });
    return { ok: response.ok, body: (await response.json().catch(() => null)) as unknown };
  } catch {
    return { ok: false, body: { message: 'The coordinator does not answer: is it running?' } };
  }
}

/** Events of a WebSocket. */
export interface Line {
  readonly onMessage: (message: unknown) => void;
  readonly onOpen?: () => void;
  readonly onClose: () => void;
}

/** A WebSocket of this coordinator. */
export interface Socket {
  send(message: object): void;
  close(): void;
}

/** Opens a WebSocket. Ignores a message that is not JSON. */
export function openSocket(path: string, { onMessage, onOpen, onClose }: Line): Socket {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  socket.addEventListener('message', ({ data }) => {
    const message = parsed(String(data));
    if (message !== undefined) onMessage(message);
  });
  socket.addEventListener('open', () => onOpen?.());
  socket.addEventListener('close', () => onClose());
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => socket.close(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a kept text; a browser that keeps nothing has none. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(`drover ${key}`);
  } catch {
    return null;
  }
}

/** Keeps a text for the next visit; null forgets it. */
export function keep(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(`drover ${key}`);
    else localStorage.setItem(`drover ${key}`, text);
  } catch {
    // A browser that keeps nothing loses drafts at a reload, and nothing else.
  }
}
