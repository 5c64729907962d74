/** Starts the dashboard. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { failureOf } from './client/api.ts';
import './look/fonts.css';
import './look/tokens.css';
import './look/base.css';
import { router } from './router.tsx';
import { applyTheme } from './shell/theme.ts';

applyTheme();
const queries = new QueryClient({
  defaultOptions: {
    // A refusal stays one; only a coordinator that does not answer is asked again.
    queries: { retry: (count, error) => failureOf(error).code === null && count < 2, staleTime: 2_000 },
  },
});
const place = document.querySelector('#app');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
