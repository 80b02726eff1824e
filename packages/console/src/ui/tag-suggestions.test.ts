import { describe, expect, it } from '@jest/globals';
import { labelTags, suggestTags, typedTag } from './tag-suggestions.ts';

const KNOWN = ['money', 'time series', 'lifetime', 'Time'];

describe('suggestions of tags', () => {
  it('are the tags in use that contain what is typed, those that begin with it first', () => {
    expect(suggestTags(KNOWN, typedTag('tim'))).toEqual(['time series', 'Time', 'lifetime']);
    expect(suggestTags(KNOWN, typedTag('time'))).toEqual(['time series', 'lifetime']);
  });

  it.each([
    ['timeseries', ['time series', 'Time_Series']],
    ['time-series', ['time series', 'Time_Series', 'time']],
    ['time series', ['Time_Series', 'time']],
    ['daily time series', ['time series', 'time', 'Time_Series']],
    ['time ', ['time series', 'Time_Series', 'lifetime']],
    ['sometime', []],
    ['-', []],
  ])('for %j are %j', (text, offered) => {
    const known = ['time series', 'time', 'lifetime', 'Time_Series', '-'];
    expect(suggestTags(known, typedTag(text))).toEqual(offered);
  });

  it('are for the last tag of the cell, without those before it', () => {
    expect(typedTag('money; ti')).toEqual({ head: 'money; ', tag: 'ti' });
    expect(suggestTags(KNOWN, typedTag('TIME;ti'))).toEqual(['time series', 'lifetime']);
    expect(suggestTags(KNOWN, typedTag('money; '))).toEqual([]);
  });
});

it('tags that are alike and do not contain what is typed have a label that contains it', () => {
  expect([...labelTags(['time series', 'time', 'money'], [], 'timeseries')]).toEqual([
    ['time series', 'timeseries → time series'],
  ]);
  expect([...labelTags(['time series', 'time'], ['time'], 'Time s')]).toEqual([]);
});
