import './icon.css';

/** Outlines on a grid of 24, stroked with the current colour. */
const PATHS = {
  query: 'M4 6h16M4 12h10M4 18h7',
  search: 'M11 4a7 7 0 1 1 0 14a7 7 0 1 1 0-14M16.2 16.2L20.5 20.5',
  market: 'M4 9l1.5-5h13L20 9M4 9h16v11H4zM9 20v-6h6v6',
  inbox: 'M4 13h4.5l1.5 3h4l1.5-3H20M4 13l2.5-8h11L20 13v6.5H4z',
  history: 'M4 12a8 8 0 1 0 2.4-5.7L4 8.6M4 4v4.6h4.6M12 8v4.4l3 1.8',
  log: 'M6 3.5h12v17H6zM9.5 8h5M9.5 12h5M9.5 16h3',
  download: 'M12 4v11M7 10.5l5 5l5-5M5 20h14',
  run: 'M8 5l11 7l-11 7z',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M4.5 12h1M11.5 12h1M18.5 12h1',
  down: 'M6 9.5l6 6l6-6',
  right: 'M9.5 6l6 6l-6 6',
  help: 'M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M9.5 9.5a2.6 2.6 0 1 1 3.6 2.4c-.7.3-1.1.8-1.1 1.6v.4M12 17h.01',
  user: 'M12 4a4 4 0 1 1 0 8a4 4 0 1 1 0-8M4.5 20.5c1-3.6 4-5.5 7.5-5.5s6.5 1.9 7.5 5.5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.3h.01',
  error: 'M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M12 7.5v5.5M12 16.4h.01',
  info: 'M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M12 11.5v5M12 7.8h.01',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  table: 'M4 5h16v14H4zM4 10h16M10 10v9',
  plus: 'M12 5v14M5 12h14',
  star: 'M12 4l2.5 5.2l5.7.7l-4.2 3.9l1.1 5.7L12 16.7l-5.1 2.8L8 13.8L3.8 9.9l5.7-.7z',
  filter: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  chart: 'M4 20h16M7 20v-7M12 20V6M17 20v-10',
  heart: 'M12 20l-7.4-7.2a4.6 4.6 0 0 1 6.5-6.5l.9.9l.9-.9a4.6 4.6 0 0 1 6.5 6.5z',
  catalog:
    'M12 3.5c4.4 0 8 1.3 8 3s-3.6 3-8 3s-8-1.3-8-3s3.6-3 8-3M4 6.5v11c0 1.7 3.6 3 8 3s8-1.3 8-3v-11M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  schema: 'M4 6h6l2 2.5h8V19H4z',
  datamap: 'M12 3l8.5 4.5L12 12L3.5 7.5zM3.5 12l8.5 4.5l8.5-4.5M3.5 16.5L12 21l8.5-4.5',
  view: 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12M12 9.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6',
  code: 'M8.5 7l-5 5l5 5M15.5 7l5 5l-5 5',
  edit: 'M4 20l1-4.5L15.5 5l3.5 3.5L8.5 19zM13 7.5l3.5 3.5',
  upload: 'M12 16V5M7 9.5l5-5l5 5M5 20h14',
  refresh: 'M20 12a8 8 0 1 1-2.4-5.7L20 8.6M20 4v4.6h-4.6',
  undo: 'M9 6L4.5 10.5L9 15M4.5 10.5H14a5 5 0 0 1 0 10h-3',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
} as const;

export type IconName = keyof typeof PATHS;

/** Picture beside text that says the same. It is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
