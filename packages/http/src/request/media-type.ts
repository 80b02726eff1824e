import { ProblemError } from '@sluice/contract';
import type { Request } from 'express';

const UTF8 = /^(utf-?8|us-ascii)$/i;

/**
 * Returns the media type of the body. It must be one of `accepted`, in UTF-8 and uncompressed.
 * @param isAny - accepts any type and none, as the first of `accepted`
 */
export function mediaTypeOf<M extends string>(req: Request, accepted: readonly M[], isAny = false): M {
  const encoding = req.get('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ProblemError('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.');
  }
  const [first] = accepted;
  if (isAny && first !== undefined) return first;
  const [essence = '', ...parameters] = (req.get('content-type') ?? '').split(';').map((part) => part.trim());
  const mediaType = accepted.find((candidate) => candidate === essence.toLowerCase());
  if (mediaType === undefined) {
    throw new ProblemError('unsupported_media_type', `Send the body as Content-Type: ${accepted.join(' or ')}.`);
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.replace(/^charset="?([^"]*)"?$/i, '$1');
  if (charset !== undefined && !UTF8.test(charset)) {
    throw new ProblemError('unsupported_media_type', 'Send the body in UTF-8.');
  }
  return mediaType;
}
