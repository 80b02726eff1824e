import type { Nodes, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';

type MarkdownElement = 'p' | 'em' | 'strong' | 'code' | 'pre' | 'ul' | 'ol' | 'li';

/** Part of a description. Anything else that Markdown knows is text. */
export type MarkdownNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'line-break' }
  | { readonly kind: 'link'; readonly url: string; readonly children: readonly MarkdownNode[] }
  | {
      readonly kind: MarkdownElement;
      /** Number of the first item of an `ol`. */
      readonly start?: number;
      readonly children: readonly MarkdownNode[];
    };

/**
 * Constructs of CommonMark 0.31 that a description has as text: HTML and images for safety; headings, quotes, rules, references and
 * indented code, because plain descriptions such as `# of rows`, `> 5 means late` and ` - - -` look like them.
 */
const DISABLED = [
  ...['htmlFlow', 'htmlText', 'labelStartImage', 'definition', 'characterReference'],
  ...['headingAtx', 'setextUnderline', 'thematicBreak', 'blockQuote', 'codeIndented'],
];

/** Deepest list of lists. A deeper one is text. */
const DEPTH_MAX = 12;

/** Characters that are read as Markdown. A longer description is shown as it is typed. */
const MARKDOWN_CHARACTERS_MAX = 20_000;

/** Openings of a link, emphasis or list, which are what costs time. A description with more of them is shown as it is typed. */
const MARKS_MAX = 2_000;

const SAFE_URL = /^(?:https?:\/\/|mailto:)/i;

/** A line that opens a list in a list in a list: reading it takes the square of their number. */
const MANY_LISTS = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){20}/m;

const isTooComplex = (text: string): boolean =>
  MANY_LISTS.test(text) ||
  text.length > MARKDOWN_CHARACTERS_MAX ||
  (text.match(/[*_`[\]<]|^\s*[-+]/gm)?.length ?? 0) > MARKS_MAX;

/**
 * Reads a description as Markdown: paragraphs, lists, emphasis, code and links (CommonMark, with the URLs of GitHub Flavored Markdown
 * 6.9). Links lead to http, https and mailto only; the text of any other is text. Returns the whole text as one paragraph when it is
 * longer or more complex than a description is.
 */
export function readMarkdown(text: string): readonly MarkdownNode[] {
  const plain: readonly MarkdownNode[] = [{ kind: 'p', children: [{ kind: 'text', text }] }];
  if (isTooComplex(text)) return plain;
  const { children } = fromMarkdown(text, {
    extensions: [gfmAutolinkLiteral(), { disable: { null: DISABLED } }],
    mdastExtensions: [gfmAutolinkLiteralFromMarkdown()],
  });
  const nodes = children.flatMap((child) => toNodes(child, text, 0));
  return nodes.length === 0 ? plain : nodes;
}

/** Returns the text of a description without its marks, in one line, for lists. */
export function markdownText(text: string): string {
  const pieces: string[] = [];
  const add = (node: MarkdownNode): void => {
    if (node.kind === 'text') pieces.push(node.text);
    else if (node.kind === 'line-break') pieces.push(' ');
    else {
      node.children.forEach(add);
      if (node.kind === 'p' || node.kind === 'li' || node.kind === 'pre') pieces.push(' ');
    }
  };
  readMarkdown(text).forEach(add);
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

function toNodes(node: RootContent | PhrasingContent, source: string, depth: number): readonly MarkdownNode[] {
  const inner = (of: { readonly children: readonly RootContent[] }, nextDepth = depth) =>
    of.children.flatMap((child) => toNodes(child, source, nextDepth));
  switch (node.type) {
    case 'text':
      return [{ kind: 'text', text: node.value }];
    case 'break':
      return [{ kind: 'line-break' }];
    case 'inlineCode':
      return [{ kind: 'code', children: [{ kind: 'text', text: node.value }] }];
    case 'code':
      return [{ kind: 'pre', children: [{ kind: 'text', text: node.value }] }];
    case 'emphasis':
      return [{ kind: 'em', children: inner(node) }];
    case 'strong':
      return [{ kind: 'strong', children: inner(node) }];
    case 'link':
      return toLink(node.url, inner(node));
    case 'list':
      if (depth >= DEPTH_MAX) return [sourceOf(node, source)];
      if (node.ordered) return [{ kind: 'ol', start: node.start ?? 1, children: inner(node, depth + 1) }];
      return [{ kind: 'ul', children: inner(node, depth + 1) }];
    case 'listItem':
      return [{ kind: 'li', children: inner(node) }];
    case 'paragraph':
      return [{ kind: 'p', children: inner(node) }];
    default:
      return [sourceOf(node, source)];
  }
}

/** Returns a link, which has its address as text if it has no other, or only the text if the address may be harmful. */
function toLink(url: string, children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  if (!SAFE_URL.test(url)) return children;
  return [{ kind: 'link', url, children: children.length === 0 ? [{ kind: 'text', text: url }] : children }];
}

/** Returns the characters of a node. */
const sourceOf = ({ position }: Nodes, source: string): MarkdownNode => ({
  kind: 'text',
  text: source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0),
});
