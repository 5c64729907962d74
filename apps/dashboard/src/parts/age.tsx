/** Shows how long something lasts, and its beginning to those who point at it. */
import { useAge } from '../client/hooks.ts';

export function Age({ since }: { readonly since: number }) {
  const age = useAge(since);
  return (
    <time dateTime={new Date(since).toISOString()} title={new Date(since).toLocaleString()}>
      {age}
    </time>
  );
}
