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
        'Server that takes mail about questions, with the user and password in it. With `smtps` all is encrypted; with `smtp` a password is only sent after STARTTLS. Keep a password out of this file: set the environment variable. Unset: no mail.',
      ),
    from: z
      .string()
      .regex(/^[^\s@<>]+@[^\s@<>]+$/u, 'expected an address such as drover@example.com')
      .default('drover@localhost')
      .describe('Address in whose name mail is sent.'),
  })
  .prefault({})
  .describe('Mail about questions, to the addresses that steps of `[escalation]` name.');
