import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { SqlDialect } from '@sluice/contract/sql';
import { markdownElement } from '../../ui/markdown-element.tsx';
import type { CompletionCatalog } from '../completion/completion-catalog.ts';
import { type CompletionOption, completeSql } from '../completion/completion-source.ts';

interface CompletionDependencies {
  readonly dialect: () => SqlDialect;
  readonly catalog: () => CompletionCatalog;
}

/** Best options have the highest boost, because the list is sorted by the source. */
const BOOST_MAX = 99;
/** Options that are shown at once. A longer list would need a scroll bar, which the keyboard cannot reach. */
const SHOWN_MAX = 10;

/** Offers names of the catalog and words of the dialect. A list that arrives after the next keystroke is dropped. */
export function sqlCompletion({ dialect, catalog }: CompletionDependencies): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const abort = new AbortController();
    context.addEventListener('abort', () => abort.abort());
    const request = {
      text: context.state.doc.toString(),
      cursor: context.pos,
      dialect: dialect(),
      isExplicit: context.explicit,
    };
    // A host that cannot be reached leaves the editor as it is: completion is a help, and a run reports the fault.
    const list = await completeSql(request, catalog(), abort.signal).catch(() => undefined);
    if (list === undefined) return null;
    return { from: list.from, to: list.to, options: list.options.map(present), filter: false };
  };
  return autocompletion({ override: [source], icons: false, maxRenderedOptions: SHOWN_MAX, activateOnTypingDelay: 80 });
}

function present(option: CompletionOption, index: number): Completion {
  const { label, insert, kind, detail, description } = option;
  return {
    label,
    apply: insert,
    type: kind,
    boost: Math.max(BOOST_MAX - index, -BOOST_MAX),
    ...(detail === null ? {} : { detail }),
    ...(description === null || description === '' ? {} : { info: () => markdownElement(description) }),
  };
}
