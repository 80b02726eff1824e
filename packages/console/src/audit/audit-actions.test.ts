import { expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '@sluice/contract';
import { sentenceKey } from './audit-actions.ts';

it('has a sentence for every action that hosts record', () => {
  const names = Object.keys(AUDIT_ACTIONS);
  const metadata = { table: 'flights' };
  expect(names.map((action) => sentenceKey({ action, metadata }))).toEqual(names.map((name) => `audit.did.${name}`));
});

it('tells a table whose description was read from a list of tables, and the end of a statement from its start', () => {
  expect(sentenceKey({ action: 'READ_CATALOG', metadata: { catalog: 'demo' } })).toBe('audit.did.listed');
  expect(sentenceKey({ action: 'RUN_QUERY', metadata: {}, record_id: 'x' })).toBe('audit.did.ended');
});

it('has a sentence for an action of a later release', () => {
  expect(sentenceKey({ action: 'TELEPORT', metadata: {} })).toBe('audit.did.other');
});
