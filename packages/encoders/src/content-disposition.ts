import { withoutUnsafe } from '@sluice/contract/visible-text';

/** Bytes of a token (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$&+.^_`|~0-9A-Za-z-]+$/;
/** Characters that encodeURIComponent leaves as they are, but RFC 8187 section 3.2.1 does not allow in an extended value. */
const NOT_ATTR_CHAR = /['()*]/g;

/**
 * Returns the Content-Disposition of a download (RFC 6266). A plain name is sent without quotes, exactly as it was given; a name
 * of printable ASCII is quoted; any other name gets an ASCII fallback and `filename*` in UTF-8 (RFC 8187). The extension is added
 * unless the name already has it. Characters that reorder or hide text are replaced: `\u202efdp.exe` would be shown as `exe.pdf`.
 */
export function contentDisposition(filename: string, extension: string): string {
  const suffix = `.${extension}`;
  const safe = withoutUnsafe(filename);
  const name = safe.toLowerCase().endsWith(suffix) ? safe : safe + suffix;
  if (TOKEN.test(name)) return `attachment; filename=${name}`;
  const quoted = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_');
  if (quoted === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(
    NOT_ATTR_CHAR,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${quoted}"; filename*=UTF-8''${encoded}`;
}
