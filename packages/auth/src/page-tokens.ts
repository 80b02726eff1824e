import { ProblemError } from '@sluice/contract';
import type { ValueSeal } from './value-seal.ts';

/** Creates and opens page tokens. A token holds its position, so no state is stored and it never expires. */
export interface PageTokens {
  /** Returns a token for a position in a list. `owner` names the caller and the list. */
  issue(position: object, owner: readonly string[]): Promise<string>;
  /** Returns the position. Throws `invalid_page_token` for a token that was changed or has another owner. */
  open(token: string, owner: readonly string[]): Promise<unknown>;
}

/** Prevents that a token is accepted as another sealed value. */
const PURPOSE = 'page token';

export const invalidPageToken = (): ProblemError =>
  new ProblemError(
    'invalid_page_token',
    'The page token is not valid: it was changed, or belongs to another caller, list or filter. Start again without page_token.',
  );

/** `seal` is called for each token, so that its key may be read when it is first needed. */
export const createPageTokens = (seal: () => ValueSeal | Promise<ValueSeal>): PageTokens => ({
  async issue(position, owner) {
    return Buffer.from((await seal()).seal(JSON.stringify(position), [PURPOSE, ...owner])).toString('base64url');
  },
  async open(token, owner) {
    const text = (await seal()).open(Buffer.from(token, 'base64url').toString(), [PURPOSE, ...owner]);
    if (text === undefined) throw invalidPageToken();
    return JSON.parse(text);
  },
});
