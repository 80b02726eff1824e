import type { ApiOperationTypes } from '@sluice/client';
import { isSameSet } from './permissions.ts';

export type Program = ApiOperationTypes['listOAuthClients']['result']['data'][number];
type ProgramBody = ApiOperationTypes['createOAuthClient']['body'];
type ProgramScope = NonNullable<ProgramBody['scopes']>[number];

/** Fields of a registered program as the form has them. */
export interface ProgramDraft {
  readonly name: string;
  /** One address in each line. */
  readonly redirectUris: string;
  readonly isLimited: boolean;
  /** Scopes of a program that is limited. */
  readonly scopes: readonly string[];
  readonly homePage: string;
}

export const EMPTY_PROGRAM: ProgramDraft = { name: '', redirectUris: '', isLimited: false, scopes: [], homePage: '' };

/** Returns the fields of a program for its form. */
export const draftOf = ({ name, redirect_uris: uris, scopes, home_page: homePage }: Program): ProgramDraft => ({
  name,
  redirectUris: uris.join('\n'),
  isLimited: scopes !== null,
  scopes: scopes ?? [],
  homePage: homePage ?? '',
});

const linesOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the fields of a draft for the host. */
export const programContent = ({ name, redirectUris, isLimited, scopes, homePage }: ProgramDraft) => ({
  name: name.trim(),
  redirect_uris: linesOf(redirectUris),
  scopes: isLimited ? (scopes as ProgramScope[]) : null,
  home_page: homePage.trim() === '' ? null : homePage.trim(),
});

/** Checks whether the host can store a draft. */
export const isComplete = (draft: ProgramDraft): boolean => {
  const { name, redirect_uris: uris } = programContent(draft);
  return name !== '' && uris.length > 0 && (!draft.isLimited || draft.scopes.length > 0);
};

/** Returns what sessions of a program lose with a draft: undefined for nothing. */
export function lostScopes(before: Program, after: ProgramDraft): readonly string[] | 'all but' | undefined {
  if (!after.isLimited || after.scopes.length === 0) return undefined;
  if (before.scopes === null) return 'all but';
  const lost = before.scopes.filter((scope) => !after.scopes.includes(scope));
  return lost.length === 0 ? undefined : lost;
}

/** Checks whether a draft differs from a program. */
export const isOtherProgram = (before: Program, after: ProgramDraft): boolean => {
  const stored = draftOf(before);
  const [was, is] = [programContent(stored), programContent(after)];
  return (
    was.name !== is.name ||
    was.home_page !== is.home_page ||
    !isSameSet(was.redirect_uris, is.redirect_uris) ||
    stored.isLimited !== after.isLimited ||
    !isSameSet(was.scopes ?? [], is.scopes ?? [])
  );
};
