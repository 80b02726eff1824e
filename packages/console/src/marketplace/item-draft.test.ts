import { describe, expect, it } from '@jest/globals';
import { idOfTitle, NEW_ITEM, problemsOfDraft } from './item-draft.ts';

describe('the draft of an item', () => {
  it('names what is missing', () => {
    expect(problemsOfDraft(NEW_ITEM)).toEqual(['id', 'title', 'queries']);
    const query = { name: 'Orders', datamapId: 'a', parameters: [], isPublished: true };
    const draft = { ...NEW_ITEM, id: 'orders', title: 'Orders', queries: [query] };
    expect(problemsOfDraft(draft)).toEqual([]);
    expect(problemsOfDraft({ ...draft, queries: [query, { ...query, name: 'orders ' }] })).toEqual(['same-name']);
    expect(problemsOfDraft({ ...draft, queries: [{ ...query, name: ' ' }] })).toEqual(['name']);
    expect(problemsOfDraft({ ...draft, queries: [{ ...query, isPublished: false }] })).toEqual(['not-published']);
  });

  it.each([
    ['Flights of 2026', 'flights-of-2026'],
    ['Größe & Preis', 'gro-e-preis'],
    ['--', ''],
    ['x'.repeat(100), 'x'.repeat(60)],
  ])('has for the title %s the id %s', (title, id) => expect(idOfTitle(title)).toBe(id));
});
