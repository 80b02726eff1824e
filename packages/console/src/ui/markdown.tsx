import { lazy, Suspense } from 'react';
import { mayBeMarkdown } from './may-be-markdown.ts';
import { VisibleText } from './visible-text.tsx';
import './markdown.css';

const load = () => import('./markdown/markdown-blocks.tsx');
const MarkdownBlocks = lazy(async () => ({ default: (await load()).MarkdownBlocks }));
const MarkdownLine = lazy(async () => ({ default: (await load()).MarkdownLine }));

/** A description: lists, emphasis, code and links of Markdown, each line a line. Anything else in it is text. */
export function Markdown({ text }: { readonly text: string }) {
  const plain = (
    <div className="markdown">
      <p>
        <VisibleText text={text} lines="preserve" />
      </p>
    </div>
  );
  if (!mayBeMarkdown(text)) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownBlocks text={text} />
    </Suspense>
  );
}

interface MarkdownExcerptProps {
  readonly text: string;
  /** Characters to read, from the first. */
  readonly characters: number;
}

/** The beginning of a description in one line, without the marks of Markdown, for lists. */
export function MarkdownExcerpt({ text, characters }: MarkdownExcerptProps) {
  const start = text.slice(0, characters).toWellFormed();
  const plain = <VisibleText text={start.replace(/\s+/g, ' ').trim()} />;
  if (!mayBeMarkdown(start)) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownLine text={start} />
    </Suspense>
  );
}
