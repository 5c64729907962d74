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
          return document.querySelector<HTMLElement>('[data-card]')?.focus();
        case 'move':
          return moveFocus(command.by);
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
      const { key, ctrlKey, metaKey, altKey } = event;
      const isInField = isField(event.target) || document.querySelector('[role="dialog"]') !== null;
      const pressed = { key, ctrlKey, metaKey, altKey, isInField };
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

/** Moves to the next item of the page: cards and rows of its lists, in the order in which they stand. */
function moveFocus(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[at === -1 ? (by === 1 ? 0 : items.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Presses an option of the card that has the focus, or of the first card. */
function pressOption(number: number): void {
  const card = document.activeElement?.closest('[data-card]') ?? document.querySelector('[data-card]');
  card?.querySelectorAll<HTMLElement>('[data-option]')[number - 1]?.click();
}
