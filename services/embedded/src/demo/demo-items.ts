/** An item of the demo's marketplace: its queries become datamaps of their own. */
export interface DemoItem {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** SQL by name. */
  readonly queries: Readonly<Record<string, string>>;
}

const BY_ORIGIN = `SELECT f.origin, a.city, a.state, count(*) AS flights, round(avg(f.delay), 2) AS average_delay
FROM flights f LEFT JOIN airports a ON a.iata = f.origin
GROUP BY ALL ORDER BY flights DESC, f.origin`;

const BY_ROUTE_AND_DAY = `SELECT origin, destination, date_trunc('day', date) AS day, count(*) AS flights,
  round(avg(delay), 2) AS average_delay, max(distance) AS distance
FROM flights GROUP BY ALL ORDER BY ALL`;

const BY_MONTH = `SELECT date_trunc('month', date)::DATE AS month, count(*) AS flights, round(avg(delay), 2) AS average_delay
FROM flights GROUP BY ALL ORDER BY month`;

const QUAKES_BY_MONTH = `SELECT date_trunc('month', epoch_ms(time))::DATE AS month, count(*) AS quakes, max(mag) AS strongest
FROM earthquakes GROUP BY ALL ORDER BY month`;

const SEATTLE_BY_MONTH = `SELECT date_trunc('month', date)::DATE AS month, round(sum(precipitation), 1) AS precipitation,
  max(temp_max) AS warmest, min(temp_min) AS coldest
FROM seattle_weather GROUP BY ALL ORDER BY month`;

const DAYS_BY_WEATHER = `SELECT location, weather, count(*) AS days FROM weather GROUP BY ALL ORDER BY ALL`;

/** By tenant. */
export const DEMO_ITEMS: Readonly<Record<string, readonly DemoItem[]>> = {
  acme: [
    {
      id: 'flights-by-origin',
      title: 'Flights by origin',
      description: 'How many flights left each airport, and how late they were on average.',
      tags: ['flights', 'airports'],
      queries: { 'flights by origin': BY_ORIGIN },
    },
    {
      id: 'flight-pack',
      title: 'Flight pack',
      description: 'Flights by origin, by route and day, and by month.',
      tags: ['flights'],
      queries: { 'by origin': BY_ORIGIN, 'by route and day': BY_ROUTE_AND_DAY, 'by month': BY_MONTH },
    },
  ],
  globex: [
    {
      id: 'quakes-by-month',
      title: 'Earthquakes by month',
      description: 'How many earthquakes there were, and the strongest of each month.',
      tags: ['earthquakes'],
      queries: { 'quakes by month': QUAKES_BY_MONTH },
    },
    {
      id: 'weather-pack',
      title: 'Weather pack',
      description: 'Seattle by month, and the days of each kind of weather.',
      tags: ['weather'],
      queries: { 'Seattle by month': SEATTLE_BY_MONTH, 'days by weather': DAYS_BY_WEATHER },
    },
  ],
};

/** Every role of the demo but the auditor's. */
export const GRANTED_ROLES: readonly string[] = ['analyst', 'service', 'steward', 'admin'];
