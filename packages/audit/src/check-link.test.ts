import { describe, expect, it } from '@jest/globals';
import { sampleRecord, sealLog, TENANT } from '../testing/sealed-log.ts';
import { type ChainEntry, checkLink } from './check-link.ts';
import { genesisHash } from './sealed-record.ts';

const { entries } = sealLog([0, 1, 2].map(sampleRecord), 3);
const [first, second, third] = entries as [ChainEntry, ChainEntry, ChainEntry];

const kindOf = (entry: ChainEntry, following: readonly ChainEntry[] = []) =>
  checkLink(entry, first.hash, () => following)?.kind;

describe('checkLink', () => {
  it('accepts an entry that continues the hash before it', () => {
    expect(checkLink(first, genesisHash(TENANT), () => [second, third])).toBeUndefined();
    expect(kindOf(second, [third])).toBeUndefined();
  });

  it('finds an entry after another hash, or with a changed record', () => {
    expect(checkLink(second, third.hash, () => [])?.kind).toBe('altered');
    expect(kindOf({ ...second, record: sampleRecord(7) })).toBe('altered');
  });

  it('finds metadata that is not JSON', () => {
    expect(kindOf({ ...second, record: { ...sampleRecord(1), metadata: '{' } })).toBe('altered');
  });

  it('finds an entry whose record is missing or hidden', () => {
    expect(kindOf({ ...second, record: undefined })).toBe('missing');
    expect(kindOf({ ...second, isHidden: true })).toBe('altered');
  });

  it('finds an entry beside the one that was sealed under its number', () => {
    expect(kindOf({ ...second, record: sampleRecord(7) }, [second, third])).toBe('inserted');
  });

  it('finds a record that changed places with a later one', () => {
    expect(kindOf({ ...second, record: third.record }, [{ ...third, record: second.record }])).toBe('reordered');
  });
});
