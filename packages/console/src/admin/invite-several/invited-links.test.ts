import { describe, expect, it } from '@jest/globals';
import type { InviteLine } from './invite-lines.ts';
import { csvOfLinks, linksOf } from './invited-links.ts';
import type { LineResult } from './use-invite-several.ts';

const line = (email: string, fault?: InviteLine['fault']): InviteLine => ({ line: 1, email, roles: [], fault });
const invited = (url: string): LineResult => ({ state: 'invited', url, expiresTs: Date.UTC(2030, 0, 2) });
const results = new Map<string, LineResult>([
  ['a@b.example', invited('https://x/1')],
  ['c@d.example', { state: 'failed', message: 'no' }],
  ['="e@f.example', invited('https://x/2')],
]);
const lines = [line('a@b.example'), line('a@b.example', { kind: 'repeated', line: 1 }), line('c@d.example')];

describe('the links of a list', () => {
  it('are those of the users who were invited, each once', () => {
    expect(linksOf([...lines, line('="e@f.example')], results)).toBe(
      'a@b.example\thttps://x/1\n="e@f.example\thttps://x/2\n',
    );
  });

  it('are CSV in which no cell is a formula', () => {
    expect(csvOfLinks([...lines, line('="e@f.example')], results)).toBe(
      [
        'email,link,valid_until',
        '"a@b.example","https://x/1","2030-01-02T00:00:00.000Z"',
        `"'=""e@f.example","https://x/2","2030-01-02T00:00:00.000Z"`,
        '',
      ].join('\r\n'),
    );
  });
});
