// Defines where mail about questions goes out.
import { z } from 'zod';

/** `[email]`. */
export const email = z
  .strictObject({
    smtp_url: z
      .string()
      .regex(/^smtps?:\/\/\S+$/u, 'expected an address such as smtps://drover@mail.example.com or smtp://localhost:25')
      .refine((url) => URL.canParse(url), 'expected an address such as smtps://drover@mail.example.com')
      .optional()
      .meta({ env: ['DROVER_SMTP_URL'], secret: true })
      .describe(
        'Mail server, with user and password. `smtps` encrypts all; `smtp` sends a password only after STARTTLS. Keep a password out of this file: set the variable. Unset: no mail.',
      ),
    from: z
      .string()
      .regex(/^[^\s@<>]+@[^\s@<>]+$/u, 'expected an address such as drover@example.com')
      .default('drover@localhost')
      .describe('Sender of the mail.'),
  })
  .prefault({})
  .describe('Mail about questions, to the addresses that steps of `[escalation]` name.');
