/** Carries out keys on the page: they move the focus between items and press what a person could press. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { later, readKept } from '../client/browser-adapter.ts';
import { commandOf } from './keys.ts';
import type { Command } from './keys.ts';

/** Milliseconds within which the second key of two is pressed. */
const PREFIX_MS = 1_500;

/** Dialogs that keys open. */
export interface KeyDialogs {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

export function useKeys({ openPalette, openHelp }: KeyDialogs): void {
  const navigate = useNavigate();
  const isAfterG = useRef(false);
  useEffect(() => {
    const act = (command: Command): void => {
      switch (command.kind) {
        case 'palette':
          return openPalette();
        case 'help':
          return openHelp();
        case 'filter':
          return document.querySelector<HTMLElement>('[data-filter]')?.focus();
        case 'next':
          return isReview() ? moveTo('[data-change]', 1) : moveTo('[data-card]', 1);
        case 'previous':
          return isReview() ? moveTo('[data-change]', -1) : undefined;
        case 'file':
          return moveTo('[data-file-head]', command.by);
        case 'comment':
          return comment();
        case 'press':
          return press(command.key);
        case 'move':
          return moveTo('[data-item]', command.by);
        case 'option':
          return pressOption(command.number);
        case 'go':
          return void navigate({ to: command.to });
        case 'prefix':
          isAfterG.current = true;
          later(PREFIX_MS, () => (isAfterG.current = false));
          return undefined;
        default:
          return command satisfies never;
      }
    };
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isInField = isField(event.target) || document.querySelector('[role="dialog"]') !== null;
      const pressed = { key, ctrlKey, metaKey, altKey, shiftKey, isInField };
      const singleKeys = readKept('single keys') !== 'off';
      const command = commandOf(pressed, { isAfterG: isAfterG.current, singleKeys });
      isAfterG.current = false;
      if (command === null) return;
      event.preventDefault();
      act(command);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, openPalette, openHelp]);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Moves to the next one of the page: cards, rows, files or changes, in the order in which they stand. */
function moveTo(selector: string, by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>(selector)];
  const { activeElement } = document;
  const at = items.findIndex((item) => item.contains(activeElement));
  // From anywhere else on the page, the next one below or above.
  const isAfter = (item: HTMLElement): boolean =>
    activeElement !== null && (activeElement.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const below = items.findIndex(isAfter);
  const beside = by === 1 ? below : (below === -1 ? items.length : below) - 1;
  const next = items[at === -1 ? beside : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function isReview(): boolean {
  return document.querySelector('[data-change]') !== null;
}

/** Comments on the line that has the focus, or on the first change. */
function comment(): void {
  const { activeElement } = document;
  const line =
    activeElement instanceof HTMLElement && activeElement.dataset['line'] !== undefined ? activeElement : null;
  (line ?? document.querySelector<HTMLElement>('[data-change]'))?.click();
}

/** Presses what has this key: in the card or file that has the focus, else the first one of the page. */
function press(key: string): void {
  const own = document.activeElement?.closest('[data-card], [data-file]');
  const wanted = `[data-key="${key}"]`;
  const found = own?.querySelector<HTMLElement>(wanted) ?? document.querySelector<HTMLElement>(wanted);
  if (found instanceof HTMLTextAreaElement) found.focus();
  else found?.click();
}

/** Presses an option of the card that has the focus, or of the first card. */
function pressOption(number: number): void {
  const card = document.activeElement?.closest('[data-card]') ?? document.querySelector('[data-card]');
  card?.querySelectorAll<HTMLElement>('[data-option]')[number - 1]?.click();
}
