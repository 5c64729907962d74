/** Jumps to pages and workers by a few letters. */
import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useFleet } from '../client/hooks.ts';
import { rowsOf } from '../fleet/table.ts';
import { STATUS_WORDS } from '../fleet/text.ts';
import { Text } from '../parts/text.tsx';
import { Dialog } from './dialog.tsx';
import css from './shell.module.css';

/** Workers that are offered at most: a person types on rather than scrolls. */
const WORKERS_MAX = 12;

interface Choice {
  readonly label: string;
  readonly hint: string;
  readonly act: () => void;
}

export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }) {
  const { workers } = useFleet();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const pages: readonly Choice[] = [
    { label: 'Inbox and fleet', hint: 'g i', act: () => void navigate({ to: '/' }) },
    { label: 'Review', hint: 'g r', act: () => void navigate({ to: '/review' }) },
    { label: 'Runs', hint: 'g u', act: () => void navigate({ to: '/runs' }) },
    { label: 'Machines', hint: 'g m', act: () => void navigate({ to: '/machines' }) },
    { label: 'Keys and settings', hint: '?', act: onHelp },
  ];
  const found: readonly Choice[] = [
    ...pages.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
    ...rowsOf(workers.values(), { q: typed })
      .slice(0, WORKERS_MAX)
      .map(({ name, project, status }) => ({
        label: name,
        hint: `${STATUS_WORDS[status]} · ${project}`,
        act: () => {
          const params = { project, name };
          void navigate(
            status === 'needs_review'
              ? { to: '/review/$project/$name', params }
              : { to: '/workers/$project/$name', params },
          );
        },
      })),
  ];
  return (
    <Dialog title="Jump to" onClose={onClose}>
      <ComboboxProvider setValue={setTyped}>
        <Combobox autoFocus autoSelect="always" placeholder="A page or a worker" aria-label="A page or a worker" />
        <ComboboxList alwaysVisible className={css.choices} aria-label="Pages and workers">
          {found.map(({ label, hint, act }) => (
            <ComboboxItem
              key={`${label} ${hint}`}
              className={css.choice}
              onClick={() => {
                onClose();
                act();
              }}
            >
              <span>
                <Text of={label} />
              </span>
              <span className={css.hint}>
                <Text of={hint} />
              </span>
            </ComboboxItem>
          ))}
          {found.length === 0 ? <p className={css.hint}>No page and no worker is called so.</p> : null}
        </ComboboxList>
      </ComboboxProvider>
    </Dialog>
  );
}
