import { describe, expect, it } from '@jest/globals';
import { CsvExplanation } from './explain-csv.ts';

/** Returns the problem of a text that arrives in pieces of this size. */
function problemOf(text: string | Buffer, separator: string, piece: number): string | undefined {
  const bytes = Buffer.from(text);
  const explanation = new CsvExplanation(separator);
  for (let start = 0; start < bytes.length; start += piece) {
    const problem = explanation.problemAfter(bytes.subarray(start, start + piece));
    if (problem !== undefined) return problem;
  }
  return explanation.problemAtEnd();
}

const ragged = (line: number, values: number, header: number): string =>
  `line ${line} has ${values} value${values === 1 ? '' : 's'}, the header has ${header}.`;

describe.each([1, 3, 1_000])('the explanation of a CSV file in pieces of %i bytes', (piece) => {
  it.each([
    ['a,b\n1,2\n', ',', undefined],
    ['a,b\r\n1,2\r\n\r\n3,4', ',', undefined],
    ['"a,b",c\n"say ""hi""\n\nagain",2\n', ',', undefined],
    ['a,b\n1,2,\n', ',', undefined],
    ['a;b\n1,5;2\n', ';', undefined],
    ['ä,b\n\u{1F600},2\n', ',', undefined],
    ['', ',', undefined],
    ['a,b,c\n1,2\n', ',', ragged(2, 2, 3)],
    ['a,b,c\n1,2,3\n3,4,5,6', ',', ragged(3, 4, 3)],
    ['a,b\n"1\n\n",2\n3\n', ',', ragged(5, 1, 2)],
    ['a\tb\n1\t2\t3\n', '\t', ragged(2, 3, 2)],
    ['a,b\n1,"x\n2,3\n', ',', 'line 2 has a quote that is not closed.'],
    ['a,b\n1,"x" y\n', ',', 'line 2 has text after a closing quote: double the quotes inside a quoted value.'],
  ])('of %j is about its first bad line', (text, separator, problem) => {
    expect(problemOf(text, separator, piece)).toBe(problem);
  });

  it('is about an encoding, also at the end of the file', () => {
    const sentence = (line: number): string =>
      `is not UTF-8 in line ${line}: convert it with iconv -f latin1 -t utf-8.`;
    expect(problemOf(Buffer.from('a,b\n1,2\nx\xe9y,2\n', 'latin1'), ',', piece)).toBe(sentence(3));
    expect(problemOf(Buffer.from('a,b\n1,\xe9', 'latin1'), ',', piece)).toBe(sentence(2));
  });
});
