/** Draws the states that every page has: loading, failed, empty. */
import { failureOf } from '../client/api.ts';
import { Button } from './button.tsx';
import css from './parts.module.css';
import { Text } from './text.tsx';

/** Appears after a moment, so that a quick answer does not flash. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className={css.loading} role="status">
      Loading {what}…
    </p>
  );
}

export function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { message } = failureOf(error);
  return (
    <div className={css.failed} role="alert">
      <p>
        <Text of={message} />
      </p>
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** True if the page shows nothing else: the title is its heading. */
  readonly isPage?: boolean;
  readonly children?: React.ReactNode;
}

export function Empty({ title, isPage = false, children }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={css.empty}>
      <Heading>
        <Text of={title} />
      </Heading>
      {children}
    </div>
  );
}

/** A command to type, as people copy it. */
export function CommandLine({ text }: { readonly text: string }) {
  return (
    <code className={css.command}>
      <Text of={text} />
    </code>
  );
}
