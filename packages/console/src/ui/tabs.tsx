import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import './tabs.css';

interface TabItem<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly content: ReactNode;
}

interface TabsProps<Id extends string> {
  /** Accessible name of the tabs. */
  readonly label: string;
  readonly items: readonly TabItem<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** Tabs with their panels, of which one is shown. */
export function Tabs<Id extends string>({ label, items, selected, onSelect }: TabsProps<Id>) {
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
        {items.map(({ id, title }) => (
          <Tab key={id} id={id} className="tabs__tab">
            {title}
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
