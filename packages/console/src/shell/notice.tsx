import type { ReactNode } from 'react';
import './notice.css';

interface NoticeProps {
  readonly title: string;
  /** Something is under way: the notice appears only if that takes a while. */
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
}

/** A page with one message, for times when there is nothing else to show. */
export function Notice({ title, isBusy = false, children }: NoticeProps) {
  return (
    <main className="notice" data-busy={isBusy || undefined}>
      <h1 className="notice__title">{title}</h1>
      {children}
    </main>
  );
}
