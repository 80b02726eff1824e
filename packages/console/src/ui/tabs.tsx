import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import { useTranslation } from '../i18n/translate.tsx';
import './tabs.css';

interface TabItem<Id extends string> {
  readonly id: Id;
  readonly title: string;
  /** Number of entries, shown beside the title. */
  readonly count?: number | undefined;
  readonly content: ReactNode;
}

interface TabsProps<Id extends string> {
  /** Accessible name of the tabs. */
  readonly label: string;
  readonly items: readonly TabItem<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** Tabs with their panels, of which one is shown. Tabs that do not fit in one line continue in the next. */
export function Tabs<Id extends string>({ label, items, selected, onSelect }: TabsProps<Id>) {
  const { formatNumber } = useTranslation();
  return (
    <AriaTabs
      className="tabs"
      selectedKey={selected}
      onSelectionChange={(key) => {
        const item = items.find(({ id }) => id === key);
        if (item !== undefined) onSelect(item.id);
      }}
    >
      <TabList aria-label={label} className="tabs__list">
        {items.map(({ id, title, count }) => (
          <Tab key={id} id={id} className="tabs__tab">
            {title} {count !== undefined && <span className="tabs__count">{formatNumber(count)}</span>}
          </Tab>
        ))}
      </TabList>
      {items.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tabs__panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
