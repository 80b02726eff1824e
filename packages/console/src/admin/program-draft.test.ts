import { expect, it } from '@jest/globals';
import {
  draftOf,
  EMPTY_PROGRAM,
  isComplete,
  isOtherProgram,
  lostScopes,
  type Program,
  programContent,
} from './program-draft.ts';

const program: Program = {
  id: 'p',
  client_id: 'portal',
  name: 'Portal',
  type: 'confidential',
  redirect_uris: ['https://a.example/', 'https://b.example/'],
  scopes: ['query:run', 'openid'],
  home_page: null,
  session_count: 0,
  created_ts: 1,
  updated_ts: 1,
  updated_by: null,
};

it('takes one address from each line, and drops blanks', () => {
  const draft = { ...EMPTY_PROGRAM, name: ' Portal ', redirectUris: ' https://a.example/ \n\nhttps://b.example/\n' };
  expect(programContent(draft)).toEqual({
    name: 'Portal',
    redirect_uris: ['https://a.example/', 'https://b.example/'],
    scopes: null,
    home_page: null,
  });
});

it('is complete with a name, an address, and a scope if it is limited', () => {
  const draft = { ...EMPTY_PROGRAM, name: 'Portal', redirectUris: 'https://a.example/' };
  expect(isComplete(draft)).toBe(true);
  expect(isComplete(EMPTY_PROGRAM)).toBe(false);
  expect(isComplete({ ...draft, isLimited: true })).toBe(false);
});

it('knows what differs, whatever the order', () => {
  const draft = draftOf(program);
  expect(isOtherProgram(program, draft)).toBe(false);
  expect(isOtherProgram(program, { ...draft, redirectUris: 'https://b.example/ https://a.example/' })).toBe(false);
  expect(isOtherProgram(program, { ...draft, homePage: 'https://a.example' })).toBe(true);
  expect(isOtherProgram(program, { ...draft, scopes: ['openid'] })).toBe(true);
});

it('knows which scopes sessions lose', () => {
  expect(lostScopes(program, { ...draftOf(program), scopes: ['openid', 'admin'] })).toEqual(['query:run']);
  expect(lostScopes(program, { ...draftOf(program), isLimited: false })).toBeUndefined();
  expect(lostScopes({ ...program, scopes: null }, draftOf(program))).toBe('all but');
});
