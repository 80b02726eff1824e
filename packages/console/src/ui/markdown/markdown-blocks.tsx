import type { ReactNode } from 'react';
import { VisibleText, visibleText } from '../visible-text.tsx';
import { type MarkdownNode, markdownText, readMarkdown } from './markdown-tree.ts';

const render = (nodes: readonly MarkdownNode[]): ReactNode =>
  nodes.map((node, index) => {
    // The parts of a text never move.
    const key = index;
    if (node.kind === 'text') return <VisibleText key={key} text={node.text} lines="preserve" />;
    if (node.kind === 'line-break') return <br key={key} />;
    const children = render(node.children);
    if (node.kind === 'link')
      return (
        <a key={key} href={node.url} target="_blank" rel="noopener noreferrer" title={visibleText(node.url)}>
          {children}
        </a>
      );
    const Element = node.kind;
    if (Element === 'ol')
      return (
        <ol key={key} start={node.start}>
          {children}
        </ol>
      );
    return <Element key={key}>{children}</Element>;
  });

/** A description that is written in Markdown. */
export const MarkdownBlocks = ({ text }: { readonly text: string }) => (
  <div className="markdown">{render(readMarkdown(text))}</div>
);

/** The beginning of a description in one line, without its marks. */
export const MarkdownLine = ({ text }: { readonly text: string }) => <VisibleText text={markdownText(text)} />;
