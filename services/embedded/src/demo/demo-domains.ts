/** The demo's domains, and which of its tables belong to each. */
export const DEMO_DOMAINS = {
  Transport: {
    description: 'How people and things move: flights, airports, cars.',
    tables:
      'airports birdstrikes cars driving flights flights_10k flights_200k_arrow flights_200k_json flights_20k flights_2k flights_5k flights_airport',
  },
  Economy: {
    description: 'Money, work and trade.',
    tables:
      'budget budgets income jobs ohlc political_contributions sp500 sp500_2000 stocks unemployment unemployment_across_industries us_employment wheat',
  },
  'Nature and climate': {
    description: 'Weather, climate, the earth, and what lives on it.',
    tables:
      'annual_precip barley co2_concentration disasters earthquakes global_temp iowa_electricity penguins seattle_weather seattle_weather_hourly_normals species weather windvectors',
  },
  'People and health': {
    description: 'Populations, health, and how people live together.',
    tables:
      'burtin countries crimea gapminder gapminder_health_income la_riots lookup_groups lookup_people monarchs obesity population population_engineers_hurricanes udistrict',
  },
  'Culture and software': {
    description: 'Films, games, sport, and the making of software.',
    tables: 'flare flare_dependencies football github movies platformer_terrain',
  },
  Places: {
    description: 'Where things are: points, borders and postal codes.',
    tables: 'london_boroughs london_centroids london_tube_lines us_state_capitals zipcodes',
  },
  'Statistical examples': {
    description: 'Small sets of numbers that textbooks are made of.',
    tables: 'anscombe normal_2d uniform_2d',
  },
} as const;

export type DemoDomain = keyof typeof DEMO_DOMAINS;

const BY_TABLE: ReadonlyMap<string, DemoDomain> = new Map(
  Object.entries(DEMO_DOMAINS).flatMap(([domain, { tables }]) =>
    tables.split(' ').map((table) => [table, domain as DemoDomain] as const),
  ),
);

/** Undefined for a table that a later release of the package brings. */
export const domainOfTable = (table: string): DemoDomain | undefined => BY_TABLE.get(table);
