import { describe, expect, it } from '@jest/globals';
import { readInviteLines } from './invite-lines.ts';

const read = (text: string, defaultRoles: readonly string[] = []) =>
  readInviteLines(text, { roles: ['analyst', 'auditor'], defaultRoles });

describe('a list of users to invite', () => {
  it.each([
    ['ann@acme.example analyst auditor'],
    ['ann@acme.example, analyst; auditor'],
    ['ann@acme.example\tanalyst,auditor'],
    ['"ann@acme.example","analyst, auditor"'],
    ['Ann Smith <Ann@ACME.example> analyst auditor analyst'],
    ['email,roles\r\n\r\nann@acme.example;analyst auditor\r\n'],
  ])('is read as mail programs and spreadsheets write it: %p', (text) => {
    expect(read(text)).toMatchObject([{ email: 'ann@acme.example', roles: ['analyst', 'auditor'], fault: undefined }]);
  });

  it('gives a line without roles the chosen ones', () => {
    expect(read('a@b.example\nc@d.example auditor', ['analyst'])).toMatchObject([
      { roles: ['analyst'] },
      { roles: ['auditor'] },
    ]);
  });

  it('marks each fault with its line, and keeps the others', () => {
    const text = 'a@b.example\n\nno address\nc@d.example owner\nA@b.example analyst\nx:y@z.example\nlast@b.example';
    expect(read(text).map(({ line, fault }) => [line, fault])).toEqual([
      [1, undefined],
      [3, { kind: 'no-email' }],
      [4, { kind: 'unknown-role', role: 'owner' }],
      [5, { kind: 'repeated', line: 1 }],
      [6, { kind: 'no-email' }],
      [7, undefined],
    ]);
    expect(read(`${'x'.repeat(320)}@b.example`)).toMatchObject([{ fault: { kind: 'too-long' } }]);
    expect(read('\n \n')).toEqual([]);
  });
});
