// Applies each key to the prompt box. Dialogs get their keys first; the rest edit, submit, interrupt or leave.

import type { Agent } from '../agent.ts';
import { commandIn, menuFor } from './slash-commands.ts';
import * as box from './composer.ts';
import { afterRead, BURST_CHARS_MIN, judgeEnter, type EnterMemory } from './enter-policy.ts';
import type { Key, KeyName } from './keys.ts';
import type { PermissionMode } from '../screen/persona.ts';
import type { Session } from '../session.ts';
import type { Armed, View } from '../screen/view.ts';

/** A second Ctrl-C, Ctrl-D or Escape counts when it comes within this time, in milliseconds. */
const ARMED_MS = 2_000;
const MODE_CYCLE: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'auto'];

/** Turns keys into edits, submissions, interrupts and exits; remembers only what judging the next Enter needs. */
export class Keyboard {
  readonly #agent: Agent;
  readonly #session: Session;
  #memory: EnterMemory = { readySince: Number.POSITIVE_INFINITY, lastBurstAt: Number.NEGATIVE_INFINITY };
  #disarm: () => void = () => undefined;

  constructor(agent: Agent) {
    this.#agent = agent;
    this.#session = agent.session;
  }

  /** The prompt box is on the screen from now on; Enter is swallowed for a while. */
  ready(): void {
    this.#memory = { ...this.#memory, readySince: this.#now };
  }

  /** All keys of one read of the terminal. */
  read(keys: readonly Key[]): void {
    for (const [index, key] of keys.entries()) {
      if (!this.#session.dialogKey(key)) this.#key(key, keys.slice(0, index));
    }
    this.#memory = afterRead(this.#memory, keys, this.#now);
  }

  get #now(): number {
    return this.#session.world.clock.now();
  }

  get #view(): View {
    return this.#session.view;
  }

  #edit(composer: box.Composer): void {
    this.#session.patch({ composer, armed: undefined, killed: false, menuIndex: 0 });
  }

  #key(key: Key, before: readonly Key[]): void {
    const { composer } = this.#view;
    if (key.kind === 'text') this.#edit(box.insertText(composer, this.#arriving(key.text)));
    else if (key.kind === 'paste') this.#edit(box.insertPaste(composer, this.#arriving(key.text)));
    else if (key.name === 'enter') this.#enter(before);
    else this.#named(key.name);
  }

  #named(name: Exclude<KeyName, 'enter'>): void {
    const { composer } = this.#view;
    switch (name) {
      case 'newline':
        return this.#edit(box.insertText(composer, '\n'));
      case 'backspace':
        return this.#edit(box.backspace(composer));
      case 'delete':
        return this.#edit(box.deleteForward(composer));
      case 'left':
      case 'right':
      case 'home':
      case 'end':
        return this.#edit(box.move(composer, name));
      case 'ctrl-u':
        this.#edit(box.killLine(composer));
        return this.#session.patch({ killed: true });
      case 'ctrl-w':
        return this.#edit(box.killWord(composer));
      case 'up':
      case 'down':
        return this.#upOrDown(name);
      case 'escape':
        return this.#escape();
      case 'ctrl-c':
        return this.#controlC();
      case 'ctrl-d':
        return this.#controlD();
      case 'shift-tab':
        return this.#cycleMode();
      case 'tab':
        return undefined;
      default:
        return name satisfies never;
    }
  }

  /** Returns the part of a text that reaches the box: all of it, unless a script requested a mishap. Single keys always reach it. */
  #arriving(text: string): string {
    const { home, witness } = this.#session.world;
    if (text.length < BURST_CHARS_MIN) return text;
    if (home.spend('lose-text')) {
      witness({ event: 'text-lost', text });
      return '';
    }
    if (!home.spend('cut-text')) return text;
    witness({ event: 'text-cut', text });
    return text.slice(0, Math.ceil(text.length / 2));
  }

  #enter(before: readonly Key[]): void {
    const { world, options } = this.#session;
    const verdict = judgeEnter(before, { memory: this.#memory, limits: options, now: this.#now });
    if (verdict === 'swallow-start') return world.witness({ event: 'enter-swallowed', why: 'start' });
    if (verdict !== 'submit') {
      world.witness({ event: 'enter-swallowed', why: 'burst' });
      if (verdict === 'newline') this.#edit(box.insertText(this.#view.composer, '\n'));
      return undefined;
    }
    if (this.#session.ignoreEnters > 0 && !this.#view.busy) {
      this.#session.ignoreEnters -= 1;
      return world.witness({ event: 'enter-swallowed', why: 'requested' });
    }
    return this.#submit();
  }

  #submit(): void {
    const { composer } = this.#view;
    const shown = box.displayed(composer);
    if (shown.text.slice(0, shown.cursor).endsWith('\\')) {
      return this.#edit(box.insertText(box.backspace(composer), '\n'));
    }
    const wrap = (paste: box.CollapsedPaste): string =>
      this.#session.options.wrapPastes
        ? `<pasted_content id="${paste.id}">\n${paste.text}\n</pasted_content>`
        : paste.text;
    // Line breaks at the very end are what a swallowed Enter left behind; the program drops them.
    const text = box.submitted(composer, wrap).replace(/\n+$/, '');
    if (text.trim() === '') return undefined;
    const command = menuFor(composer)[this.#view.menuIndex]?.name ?? commandIn(shown.text);
    this.#edit(box.clear(composer));
    if (shown.text.startsWith('!')) return this.#shell(text.slice(1));
    if (command !== undefined && (!this.#view.busy || command === '/exit')) return void this.#agent.command(command);
    return this.#agent.submit({ text, shown: shown.text.trimEnd(), pastes: box.collapsedCount(composer) });
  }

  /** A shell command is recorded, never run: what is tested is that it was not meant as a prompt. */
  #shell(command: string): void {
    this.#session.world.witness({ event: 'shell', text: command });
    this.#session.push(
      { kind: 'prompt', text: `! ${command}` },
      { kind: 'detail', text: '(recorded, not run)', tone: 'muted' },
    );
  }

  #upOrDown(name: 'up' | 'down'): void {
    const menu = menuFor(this.#view.composer).length;
    if (menu > 0) {
      const step = name === 'up' ? menu - 1 : 1;
      this.#session.patch({ menuIndex: (this.#view.menuIndex + step) % menu });
    } else if (name === 'up' && box.isEmpty(this.#view.composer) && this.#agent.hasQueued) this.#agent.editQueued();
  }

  #escape(): void {
    const { busy, armed, composer } = this.#view;
    if (busy) return this.#agent.interrupt();
    if (box.isEmpty(composer)) return undefined;
    if (armed !== 'clear') return this.#arm('clear');
    this.#edit(box.clear(composer));
    return this.#session.patch({ killed: true });
  }

  #controlC(): void {
    if (this.#agent.isDeaf) return undefined;
    if (this.#view.armed === 'exit-c') return void this.#agent.leave(0, 'prompt_input_exit');
    if (this.#view.busy) return this.#agent.interrupt();
    this.#edit(box.clear(this.#view.composer));
    return this.#arm('exit-c');
  }

  #controlD(): void {
    if (this.#agent.isDeaf) return undefined;
    if (!box.isEmpty(this.#view.composer)) return this.#edit(box.deleteForward(this.#view.composer));
    if (this.#view.armed === 'exit-d') return void this.#agent.leave(0, 'prompt_input_exit');
    return this.#arm('exit-d');
  }

  #arm(what: Armed): void {
    this.#disarm();
    this.#session.patch({ armed: what });
    this.#disarm = this.#session.world.clock.after(ARMED_MS, () => {
      if (this.#view.armed === what) this.#session.patch({ armed: undefined });
    });
  }

  #cycleMode(): void {
    const next = MODE_CYCLE[(MODE_CYCLE.indexOf(this.#view.mode) + 1) % MODE_CYCLE.length];
    if (next !== undefined) this.#session.patch({ mode: next });
  }
}
