/** Draws a dialog over the page. */
import { Dialog as AriaDialog, DialogHeading } from '@ariakit/react';
import css from '../parts/parts.module.css';
import { Text } from '../parts/text.tsx';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

export function Dialog({ title, onClose, children }: Props) {
  return (
    <AriaDialog open onClose={onClose} className={css.dialog} backdrop={<div className={css.backdrop} />}>
      <DialogHeading render={<h2 />}>
        <Text of={title} />
      </DialogHeading>
      {children}
    </AriaDialog>
  );
}
