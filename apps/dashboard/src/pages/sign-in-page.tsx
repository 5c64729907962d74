/** Signs the browser in: by the ticket in the address that `drover open` has made, or by a token that a person pastes. */
import { useEffect, useRef, useState } from 'react';
import { askSession } from '../client/browser-adapter.ts';
import { Button } from '../parts/button.tsx';
import { CommandLine } from '../parts/notices.tsx';
import parts from '../parts/parts.module.css';
import css from './sign-in-page.module.css';

export function SignInPage() {
  const [problem, setProblem] = useState<string | null>(null);
  const [token, setToken] = useState('');
  const isUsed = useRef(false);
  const signIn = async (proof: { readonly ticket: string } | { readonly token: string }): Promise<void> => {
    const { ok, body } = await askSession('POST', proof);
    // A new document: nothing of before is in its memory.
    if (ok) location.replace(location.pathname === '/sign-in' ? '/' : location.href);
    else setProblem(refusalMessage(body));
  };
  useEffect(() => {
    const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
    if (ticket === null || isUsed.current) return;
    isUsed.current = true;
    // Out of the address and its history at once.
    history.replaceState(null, '', location.pathname);
    void signIn({ ticket });
  });
  return (
    <main className={css.page}>
      <h1>Sign in to Drover</h1>
      {problem === null ? null : (
        <p className={parts.alert} role="alert">
          {problem}
        </p>
      )}
      <p>On a computer that has a token, this opens the dashboard, signed in:</p>
      <p>
        <CommandLine text="drover open" />
      </p>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void signIn({ token });
        }}
      >
        <label htmlFor="token">Or paste a token that your admin gave you</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          required
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
        <Button type="submit" tone="primary">
          Sign in
        </Button>
      </form>
    </main>
  );
}

function refusalMessage(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof message === 'string' ? message : 'The coordinator gave no reason; try again';
}
