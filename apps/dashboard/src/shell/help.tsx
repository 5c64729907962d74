/** Lists the keys, and holds the few settings of this browser. */
import { useState } from 'react';
import { keep, readKept } from '../client/browser-adapter.ts';
import { useSession } from '../client/hooks.ts';
import parts from '../parts/parts.module.css';
import { Text } from '../parts/text.tsx';
import css from './shell.module.css';
import { Dialog } from './dialog.tsx';
import { chooseTheme, readTheme, THEMES } from './theme.ts';
import type { Theme } from './theme.ts';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'jump to a page or a worker, start a task or a run'],
  ['g i · r · p · u · m', 'inbox, review, panes, runs, machines'],
  ['n', 'the next that needs you'],
  ['j · k', 'down and up in a list; Enter opens'],
  ['1 … 9', 'choose that option of the card'],
  ['m', 'write a message to the agent'],
  ['a', 'tell the others that you look at a question'],
  ['] · [', 'in a review: next and previous file'],
  ['n · p', 'in a review: next and previous change'],
  ['c · v', 'in a review: comment on the line, file viewed'],
  ['Shift A · Shift R', 'in a review: accept, send back'],
  ['/', 'filter the workers, search a conversation or a long diff'],
  ['?', 'this list'],
];

export function Help({ onClose }: { readonly onClose: () => void }) {
  const { name, role, version } = useSession();
  const [theme, setTheme] = useState(readTheme);
  const [single, setSingle] = useState(() => readKept('single keys') !== 'off');
  return (
    <Dialog title="Keys and settings" onClose={onClose}>
      <label className={parts.check}>
        <input
          type="checkbox"
          checked={single}
          onChange={({ target }) => {
            keep('single keys', target.checked ? null : 'off');
            setSingle(target.checked);
          }}
        />
        Single keys act (Ctrl K always does)
      </label>
      <label>
        Theme{' '}
        <select
          value={theme}
          onChange={({ target }) => {
            chooseTheme(target.value as Theme);
            setTheme(target.value as Theme);
          }}
        >
          {THEMES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <dl className={css.keys}>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className={css.about}>
        Signed in with the token <Text of={name} />, role {role}. Drover {version}.
      </p>
    </Dialog>
  );
}
