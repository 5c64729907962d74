/** Draws buttons. A button that the person may not press says why, and is still found by the keyboard. */
import type { ButtonHTMLAttributes } from 'react';
import { showHidden } from '@drover/core/hidden-characters';
import css from './parts.module.css';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Reason why it cannot be pressed now; null: it can. */
  readonly lack?: string | null;
}

export function Button({ tone = 'plain', lack = null, className = '', onClick, type = 'button', ...rest }: Props) {
  const isOff = lack !== null;
  const title = lack ?? rest.title;
  return (
    <button
      {...rest}
      type={type}
      className={`${css.button} ${css[tone]} ${className}`}
      aria-disabled={isOff}
      title={title === undefined ? undefined : showHidden(title)}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    />
  );
}
