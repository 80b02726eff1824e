import { describe, expect, it } from '@jest/globals';
import { mayBeMarkdown } from '../may-be-markdown.ts';
import { type MarkdownNode, markdownText, readMarkdown } from './markdown-tree.ts';

/** Writes a tree in the form of HTML. Text is escaped, so that a `<` is one of the tree. */
const written = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => {
      if (node.kind === 'text') return node.text.replaceAll('<', '&lt;');
      if (node.kind === 'line-break') return '<br>';
      if (node.kind === 'link') return `<a ${node.url}>${written(node.children)}</a>`;
      return `<${node.kind}${node.start === undefined ? '' : ` ${node.start}`}>${written(node.children)}</${node.kind}>`;
    })
    .join('');

const read = (text: string): string => written(readMarkdown(text));

const NAMES = Array.from({ length: 50_000 }, (_, index) => `c.s.t${index}`);

/** Returns the processor time of one round of fixed work, in milliseconds: how fast the machine is now. */
function fixedWorkMs(): number {
  const before = process.cpuUsage();
  for (let round = 0; round < 10; round += 1) expect(NAMES.map((name) => name.split('.'))).toHaveLength(50_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10_000;
}

describe('a description in Markdown', () => {
  it.each([
    ['one\ntwo', '<p>one\ntwo</p>'],
    ['one\n\ntwo', '<p>one</p><p>two</p>'],
    ['**late** and *early*', '<p><strong>late</strong> and <em>early</em></p>'],
    ['`a < b`', '<p><code>a &lt; b</code></p>'],
    ['```sql\nSELECT 1\n```', '<pre>SELECT 1</pre>'],
    ['- a\n- b\n  - c', '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul>'],
    ['3. a\n4. b', '<ol 3><li><p>a</p></li><li><p>b</p></li></ol>'],
    ['[docs](https://a.example/x "t")', '<p><a https://a.example/x>docs</a></p>'],
    ['see https://a.example/x_y_z.', '<p>see <a https://a.example/x_y_z>https://a.example/x_y_z</a>.</p>'],
    ['ask ann@a.example', '<p>ask <a mailto:ann@a.example>ann@a.example</a></p>'],
    [String.raw`2 \* 3`, '<p>2 * 3</p>'],
  ])('%j is read', (text, tree) => {
    expect(read(text)).toBe(tree);
    expect(text === 'one\ntwo' || text === 'one\n\ntwo' || mayBeMarkdown(text)).toBe(true);
  });

  it.each([
    '# of rows',
    'name\n---',
    '> 5 means late',
    '    four spaces',
    '---',
    '&lt;b&gt; is bold',
    'flight_no_2 is snake_case',
    '[a]: https://a.example',
  ])('%j is text as it is typed', (text) => {
    expect(readMarkdown(text).every(({ kind }) => kind === 'p')).toBe(true);
    expect(markdownText(text)).toBe(text.replace(/\s+/g, ' ').trim());
  });

  it.each([
    ['<script>alert(1)</script>', '<p>&lt;script>alert(1)&lt;/script></p>'],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)></p>'],
    ['![x](https://a.example/x.png)', '<p>!<a https://a.example/x.png>x</a></p>'],
    ['![](https://a.example/x.png)', '<p>!<a https://a.example/x.png>https://a.example/x.png</a></p>'],
    ['[x](javascript:alert(1))', '<p>x</p>'],
    ['[x](JaVaScRiPt:alert(1))', '<p>x</p>'],
    ['[x](data:text/html,<b>)', '<p>x</p>'],
    ['<javascript:alert(1)>', '<p>javascript:alert(1)</p>'],
    ['[x](//a.example)', '<p>x</p>'],
    ['[x](/console/audit)', '<p>x</p>'],
  ])('%j has no HTML, image or unsafe link', (text, tree) => {
    expect(read(text)).toBe(tree);
  });

  it('becomes one line of text for a list', () => {
    expect(markdownText('**Late** flights:\n\n- by `origin`\n- by [day](https://a.example)')).toBe(
      'Late flights: by origin by day',
    );
  });

  it.each([
    ['nested lists, 1,000 deep', Array.from({ length: 1_000 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['nested lists, 135 deep', Array.from({ length: 135 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['nested lists in one line', '- '.repeat(1_999)],
    ['19 nested lists in each line', `${'- '.repeat(19)}x\n`.repeat(100)],
    ['white space', `${' '.repeat(19_000)}x`],
    ['opening brackets', '['.repeat(100_000)],
    ['emphasis', '*a_'.repeat(30_000)],
    ['back quotes of rising length', Array.from({ length: 400 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['links in links', '[a]('.repeat(20_000)],
    ['angle brackets', '<a '.repeat(30_000)],
    ['at signs', 'a@'.repeat(9_999)],
    ['addresses', 'https://a.example/?'.repeat(1_000)],
    ['escapes', '\\'.repeat(19_999)],
    ['numbered lists', Array.from({ length: 1_900 }, (_, item) => `${'   '.repeat(item % 200)}1. x`).join('\n')],
  ])('of %s is read within the processor time of a few rounds of fixed work', (_what, text) => {
    const before = process.cpuUsage();
    const nodes = readMarkdown(text);
    const { user, system } = process.cpuUsage(before);
    expect(nodes.length).toBeGreaterThan(0);
    // As much as half a second on a machine that needs 7.7 ms for one round.
    expect((user + system) / 1000 / fixedWorkMs()).toBeLessThan(65);
  });

  it('nests no deeper than pages can show', () => {
    const depthOf = (nodes: readonly MarkdownNode[]): number =>
      Math.max(0, ...nodes.map((node) => ('children' in node ? 1 + depthOf(node.children) : 0)));
    const lists = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
    expect(depthOf(readMarkdown(lists))).toBeLessThan(60);
    expect(markdownText(lists).match(/x/g)).toHaveLength(60);
  });
});
