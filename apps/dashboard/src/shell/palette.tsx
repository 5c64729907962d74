/** Jumps to pages and workers and opens every form, by a few letters. */
import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useFleet } from '../client/hooks.ts';
import { rowsOf } from '../fleet/table.ts';
import { STATUS_WORDS } from '../fleet/text.ts';
import parts from '../parts/parts.module.css';
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

/** Dialogs that lie over any page. */
export type Opened = 'palette' | 'help' | 'task' | 'worker' | 'run' | 'invitation';

interface Props {
  readonly onClose: () => void;
  readonly onOpen: (dialog: Opened) => void;
}

export function Palette({ onClose, onOpen }: Props) {
  const { workers } = useFleet();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const pages: readonly Choice[] = [
    { label: 'Inbox and fleet', hint: 'g i', act: () => void navigate({ to: '/' }) },
    { label: 'Review', hint: 'g r', act: () => void navigate({ to: '/review' }) },
    { label: 'Panes', hint: 'g p', act: () => void navigate({ to: '/panes' }) },
    { label: 'Runs', hint: 'g u', act: () => void navigate({ to: '/runs' }) },
    { label: 'Machines', hint: 'g m', act: () => void navigate({ to: '/machines' }) },
    { label: 'Start a task', hint: 'drover start', act: () => onOpen('task') },
    { label: 'Start a run', hint: 'drover run', act: () => onOpen('run') },
    { label: 'Add a worker', hint: 'drover add', act: () => onOpen('worker') },
    { label: 'Invite a machine', hint: 'drover machine invite', act: () => onOpen('invitation') },
    { label: 'Keys and settings', hint: '?', act: () => onOpen('help') },
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
    <Dialog title="Jump or do anything" onClose={onClose}>
      <ComboboxProvider setValue={setTyped}>
        <Combobox
          autoFocus
          autoSelect="always"
          placeholder="A page, a worker, or what to do"
          aria-label="A page, a worker, or what to do"
        />
        <ComboboxList alwaysVisible className={css.choices} aria-label="What you can jump to or do">
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
              <span className={parts.dim}>
                <Text of={hint} />
              </span>
            </ComboboxItem>
          ))}
          {found.length === 0 ? <p className={parts.dim}>No page, worker or form is called so.</p> : null}
        </ComboboxList>
      </ComboboxProvider>
    </Dialog>
  );
}
