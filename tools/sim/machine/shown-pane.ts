/** Shows and reads a simulated pane. The capture itself holds the state of its program. */
import type { AgentState } from '@drover/core';
import { OPTIONS } from '@drover/machine-agent/testing';
import type { Understand } from '@drover/machine-agent/testing';
import type { WorkerSettings } from '@drover/protocol';
import type { SimProgram } from '@drover/testkit';
import { parseIncarnation } from '@drover/tmux';
import type { Capture, ExitCause, PaneState } from '@drover/tmux';

/** A worker's pane: the program in it, and the settings of the worker whose session it is. */
export interface SimPane {
  readonly program: SimProgram;
  readonly settings: WorkerSettings;
}

/** Content of a screen, as its profile would read it. */
interface Shown {
  readonly state: AgentState;
  readonly fingerprint: string;
  readonly progress: string;
}

const NO_BYTES = new Uint8Array(0);
const SHOWN = new WeakMap<PaneState, Shown>();

/** The facts of a pane at this moment. */
export function factsOf({ program, settings: worker }: SimPane): PaneState {
  const { incarnation, conversation, end, screen } = program;
  return {
    ...PLAIN,
    incarnation: { ...parseIncarnation(incarnation), sessionCreated: 0 },
    sessionName: `drover-${worker.name}`,
    options: {
      [OPTIONS.worker]: worker.workerId,
      [OPTIONS.name]: worker.name,
      [OPTIONS.conversation]: conversation,
      [OPTIONS.profile]: worker.profile,
    },
    // A dialog has its cursor elsewhere than the box.
    cursor: { x: 0, y: 'dialog' in screen ? 1 : 0, visible: true },
    dead: end !== null,
    deadStatus: end?.status ?? undefined,
    deadSignal: end?.signal == null ? undefined : signalName(end.signal),
  };
}

/** The screen of this moment with its facts. */
export function captureOf(pane: SimPane): Capture {
  const { program } = pane;
  const facts = factsOf(pane);
  const { screen, end, fingerprint, progress } = program;
  const state: AgentState =
    end === null ? screen : { kind: 'exited', cause: 'unknown', status: end.status, signal: end.signal };
  SHOWN.set(facts, { state, fingerprint, progress: String(progress) });
  const capture = { facts, bytes: NO_BYTES, text: end?.lastLines.join('\n') ?? '', ansi: undefined };
  return capture;
}

/** Reads a screen: in the product the rules of a profile do. */
export const readShown: Understand = (_profile, { facts, text }, { at }) => {
  const shown = SHOWN.get(facts);
  if (shown === undefined) throw new Error('This is no screen of the simulation');
  return { reading: { at, ...shown, rule: 'simulated' }, facts, text, shown: shown.state.kind };
};

/** Describes how a program ended, in the words of tmux. */
export function causeOf({ end }: SimProgram): ExitCause {
  if (end === null) return { kind: 'gone' };
  if (end.signal !== null) return { kind: 'signalled', signal: signalName(end.signal) };
  return end.status === null ? { kind: 'unknown' } : { kind: 'exited', status: end.status };
}

const SIGNALS: Readonly<Record<number, string>> = { 9: 'SIGKILL', 11: 'SIGSEGV', 15: 'SIGTERM' };

function signalName(number: number): string {
  return SIGNALS[number] ?? `SIG${number}`;
}

const PLAIN: Omit<PaneState, 'incarnation' | 'sessionName' | 'options' | 'cursor' | 'dead'> = {
  deadStatus: undefined,
  deadSignal: undefined,
  diedAt: undefined,
  title: '',
  currentCommand: 'claude',
  width: 200,
  height: 50,
  alternate: false,
  inMode: false,
  historySize: 0,
  windowActivity: 0,
};
