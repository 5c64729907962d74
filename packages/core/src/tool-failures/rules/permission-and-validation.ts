/** Holds the rules that recognize permission, resource, validation and external failures. */

import { HTTP_STATUS } from '../http-status.ts';
import type { Rule } from './network-limits-and-syntax.ts';

const PERMISSION: readonly Rule[] = [
  {
    name: 'permission-errno',
    class: 'permission',
    pattern: /\b(?:EACCES|EPERM|EROFS|ENEEDAUTH)\b|\bPermissionError\b|\bAccessDenied(?:Exception)?\b/,
  },
  {
    name: 'permission-words',
    class: 'permission',
    pattern:
      /\bpermission denied\b|\baccess (?:is |was )?denied\b|\boperation not permitted\b|\bread-only file system\b|\binsufficient (?:permissions?|privileges?|scopes?)\b|\bdubious ownership\b|\bmust be (?:run as )?(?:root|superuser)\b|\bare you root\?|\bprotected branch\b|\brefusing to allow\b/i,
  },
  {
    name: 'login',
    class: 'permission',
    pattern:
      /\b(?:is |are )?(?:not authorized|unauthorized)\b|\bauthentication (?:failed|required)\b|\bbad credentials\b|\binvalid (?:api key|credentials|username or password|access token)\b|\bcould not read (?:username|password)\b|\bhost key verification failed\b|\bpassword (?:authentication failed|is required)\b|\b(?:a password|a terminal) is required\b|\bis forbidden: User\b/i,
  },
  {
    name: 'agent-permission',
    class: 'permission',
    pattern:
      /\brequested permissions? to (?:use|write|read|edit)\b.*haven't granted|\bthis command requires approval\b/i,
  },
  { name: 'http-denied', class: 'permission', pattern: HTTP_STATUS.denied },
];

const RESOURCE: readonly Rule[] = [
  { name: 'resource-errno', class: 'resource', pattern: /\b(?:ENOMEM|ENOSPC|EMFILE|ENFILE|EDQUOT|EADDRINUSE)\b/ },
  {
    name: 'memory',
    class: 'resource',
    pattern:
      /\bout of memory\b|\bcannot allocate memory\b|\bMemoryError\b|\bstd::bad_alloc\b|\bOOM-?Killed\b|^\s*(?:\S+: line \d+: +\d+ )?Killed\b|\bsignal: 9, SIGKILL\b/,
  },
  {
    name: 'disk',
    class: 'resource',
    pattern:
      /\bno space left on device\b|\bdisk (?:is )?full\b|\bdisk quota exceeded\b|\bnot enough (?:disk )?space\b/i,
  },
  {
    name: 'exhausted',
    class: 'resource',
    pattern:
      /\bresource (?:temporarily unavailable|exhausted)\b|\bRESOURCE_EXHAUSTED\b|\btoo many (?:open files|clients already|connections)\b/i,
  },
  {
    name: 'taken',
    class: 'resource',
    pattern:
      /\baddress already in use\b|\bport (?:\d+ )?is (?:already )?(?:in use|allocated)\b|\bdatabase is locked\b|\.lock': File exists|\bcould not get lock\b|\bcould not obtain lock\b/i,
  },
];

const VALIDATION: readonly Rule[] = [
  {
    name: 'validation-name',
    class: 'validation',
    pattern:
      /\b(?:Schema)?ValidationError\b|\bZodError\b|\bERESOLVE\b|\b\d+ validation errors? for\b|\bvalidation failed\b|\bfailed validation\b/,
  },
  {
    name: 'validation-value',
    class: 'validation',
    pattern:
      /\binvalid (?:\w+ ){0,2}value\b|\binvalid input\b|\binvalid reference format\b|\bmust be (?:of type|an? (?:valid |positive |non-empty )?(?:string|number|integer|boolean|array|object|date|uuid|url|email))\b|\bmust be\b.{0,30}\btype\b|\bexpected (?:string|number|boolean|array|object|integer), received\b|\bdoes not match (?:the )?(?:schema|pattern)\b/i,
  },
  {
    name: 'validation-required',
    class: 'validation',
    pattern:
      /\brequired field\b|\bfield (?:is )?required\b|\bis a required (?:field|property)\b|\bmissing required (?:field|property|key|environment variable)\b|\bmust have required property\b/i,
  },
  {
    name: 'constraint',
    class: 'validation',
    pattern:
      /\bviolates (?:not-null|check|unique|foreign key|exclusion) constraint\b|\b(?:UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed\b/,
  },
  { name: 'http-rejected', class: 'validation', pattern: HTTP_STATUS.rejected },
];

const EXTERNAL: readonly Rule[] = [
  { name: 'http-server-error', class: 'external', pattern: HTTP_STATUS.serverError },
  {
    name: 'service-words',
    class: 'external',
    pattern:
      /\bbad gateway\b|\bservice (?:is )?(?:temporarily |currently )?unavailable\b|\bgateway time-?out\b|\binternal server error\b|\bupstream (?:connect error|request timeout|prematurely closed|server error|timed out)\b|\boverloaded_error\b|\bserver (?:is )?overloaded\b/i,
  },
  {
    name: 'service-stopped',
    class: 'external',
    pattern: /\bcannot connect to the docker daemon\b|\bdown for (?:scheduled )?maintenance\b/i,
  },
  {
    name: 'page-instead-of-data',
    class: 'external',
    pattern: /Unexpected token '?<|<!doctype html.{0,300}is not valid JSON/i,
  },
];

/** Rules by class, the last four classes. */
export const LAST_RULES: readonly Rule[] = [...PERMISSION, ...RESOURCE, ...VALIDATION, ...EXTERNAL];
