/** Says that a path leads nowhere. */
import { Empty } from '../parts/notices.tsx';

export function NotFoundPage() {
  return (
    <Empty isPage title="There is no such page">
      <a href="/">To the inbox</a>
    </Empty>
  );
}
