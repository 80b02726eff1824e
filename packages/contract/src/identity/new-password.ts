import { hasAtMost, storableText } from '../fields/text-field.ts';

const PASSWORD_CHARACTERS_MIN = 12;
const PASSWORD_CHARACTERS_MAX = 1024;

/** Not allowed in HTTP Basic (RFC 7617 section 2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const CONTROL = /[\u0000-\u001f\u007f]/;

/** New password. Only its length is checked, not its composition (NIST SP 800-63B section 3.1.1.2). */
export const newPassword = (name: string) =>
  storableText(name)
    .refine((text) => !CONTROL.test(text), `${name} must not contain control characters`)
    .refine(
      (text) => [...text].length >= PASSWORD_CHARACTERS_MIN,
      `${name} must have at least ${PASSWORD_CHARACTERS_MIN} characters`,
    )
    .refine(
      (text) => hasAtMost(text, PASSWORD_CHARACTERS_MAX),
      `${name} must have at most ${PASSWORD_CHARACTERS_MAX} characters`,
    )
    .meta({
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      minLength: PASSWORD_CHARACTERS_MIN,
      maxLength: PASSWORD_CHARACTERS_MAX,
    });
