import { expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '@sluice/contract';
import { sentenceKey } from './audit-actions.ts';

it('has a sentence for every action that hosts record', () => {
  const names = Object.keys(AUDIT_ACTIONS);
  expect(names.map(sentenceKey)).toEqual(names.map((name) => `audit.did.${name}`));
});

it('has a sentence for an action of a later release', () => {
  expect(sentenceKey('TELEPORT')).toBe('audit.did.other');
});
