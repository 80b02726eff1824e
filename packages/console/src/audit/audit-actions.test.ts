import { expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '@sluice/contract';
import { AUDIT_ACTION_NAMES, sentenceKey } from './audit-actions.ts';

it('has a sentence for every action that hosts record', () => {
  expect(AUDIT_ACTION_NAMES).toEqual(Object.keys(AUDIT_ACTIONS));
});

it('has a sentence for an action of a later release', () => {
  expect(sentenceKey('TELEPORT')).toBe('audit.did.other');
});
