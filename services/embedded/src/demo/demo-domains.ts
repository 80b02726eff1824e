/** Tables and datamaps of the demo by domain. */
export const DEMO_DOMAINS = {
  Transport: {
    tables:
      'airports birdstrikes cars driving flights flights_10k flights_200k_arrow flights_200k_json flights_20k flights_2k flights_5k flights_airport',
    datamaps: 'flight_delays_by_airport busiest_routes flights_by_origin flights_by_route_and_day flights_by_month',
  },
  Economy: {
    tables:
      'budget budgets income jobs ohlc political_contributions sp500 sp500_2000 stocks unemployment unemployment_across_industries us_employment wheat',
    datamaps: 'unemployment_by_industry',
  },
  'Nature and climate': {
    tables:
      'annual_precip barley co2_concentration disasters earthquakes global_temp iowa_electricity penguins seattle_weather seattle_weather_hourly_normals species weather windvectors',
    datamaps: 'seattle_weather_by_month strong_earthquakes penguin_measurements',
  },
  'People and health': {
    tables:
      'burtin countries crimea gapminder gapminder_health_income la_riots lookup_groups lookup_people monarchs obesity population population_engineers_hurricanes udistrict',
    datamaps: 'life_expectancy_by_country',
  },
  'Culture and software': {
    tables: 'flare flare_dependencies football github movies platformer_terrain',
    datamaps: 'movies_by_genre',
  },
  Places: {
    tables: 'london_boroughs london_centroids london_tube_lines us_state_capitals zipcodes',
    datamaps: '',
  },
  'Statistical examples': {
    tables: 'anscombe normal_2d uniform_2d',
    datamaps: '',
  },
} as const;

export type DemoDomain = keyof typeof DEMO_DOMAINS;

const BY_TABLE: ReadonlyMap<string, DemoDomain> = new Map(
  Object.entries(DEMO_DOMAINS).flatMap(([domain, { tables }]) =>
    tables.split(' ').map((table) => [table, domain as DemoDomain] as const),
  ),
);

/** Returns undefined for a table that was added by a later release of the package. */
export const domainOfTable = (table: string): DemoDomain | undefined => BY_TABLE.get(table);
