import type { DemoDomain } from './demo-domains.ts';

/** A datamap of the demo: SQL over its data, with what a steward writes of it. */
export interface DemoDatamap {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly domain: DemoDomain;
  readonly priority: 'LOW' | 'MEDIUM' | 'HIGH';
  readonly sql: string;
}

export const DEMO_DATAMAPS: readonly DemoDatamap[] = [
  {
    name: 'flight_delays_by_airport',
    display_name: 'Flight delays by airport',
    description: 'How late flights leave each airport on average, and how many there are. One row an airport.',
    tags: ['aviation', 'delays', 'airports'],
    domain: 'Transport',
    priority: 'HIGH',
    sql: `SELECT a.iata, a.name AS airport, a.city, a.state, count(*) AS flights, avg(f.delay) AS average_delay_minutes
FROM flights f JOIN airports a ON a.iata = f.origin
GROUP BY ALL ORDER BY flights DESC`,
  },
  {
    name: 'busiest_routes',
    display_name: 'Busiest routes',
    description: 'Pairs of airports by the number of flights between them, with the distance in miles.',
    tags: ['aviation', 'routes'],
    domain: 'Transport',
    priority: 'MEDIUM',
    sql: `SELECT origin, destination, count(*) AS flights, any_value(distance) AS distance_miles
FROM flights GROUP BY origin, destination ORDER BY flights DESC`,
  },
  {
    name: 'seattle_weather_by_month',
    display_name: 'Seattle weather by month',
    description: 'Rain, warmth and wind in Seattle. One row a month.',
    tags: ['weather', 'climate', 'monthly'],
    domain: 'Nature and climate',
    priority: 'MEDIUM',
    sql: `SELECT date_trunc('month', date) AS month, sum(precipitation) AS precipitation_mm, avg(temp_max) AS average_high_celsius,
  avg(wind) AS average_wind
FROM seattle_weather GROUP BY ALL ORDER BY month`,
  },
  {
    name: 'strong_earthquakes',
    display_name: 'Strong earthquakes',
    description: 'Earthquakes of magnitude 4.5 and more, strongest first, with place and time.',
    tags: ['earthquakes', 'hazards'],
    domain: 'Nature and climate',
    priority: 'HIGH',
    sql: `SELECT id, mag::DECIMAL(3, 1) AS magnitude, place, epoch_ms(time) AS occurred, tsunami = 1 AS is_tsunami
FROM earthquakes WHERE mag >= 4.5 ORDER BY mag DESC`,
  },
  {
    name: 'penguin_measurements',
    display_name: 'Penguin measurements',
    description: 'Average beak, flipper and weight of the penguins of Palmer Archipelago, by species, island and sex.',
    tags: ['biology', 'penguins'],
    domain: 'Nature and climate',
    priority: 'LOW',
    sql: `SELECT "Species" AS species, "Island" AS island, "Sex" AS sex, avg("Beak Length (mm)") AS beak_mm,
  avg("Flipper Length (mm)") AS flipper_mm, avg("Body Mass (g)") AS weight_grams
FROM penguins GROUP BY ALL ORDER BY ALL`,
  },
  {
    name: 'movies_by_genre',
    display_name: 'Movies by genre',
    description: 'What films of each genre cost, earned, and were thought of.',
    tags: ['films', 'revenue', 'ratings'],
    domain: 'Culture and software',
    priority: 'MEDIUM',
    sql: `SELECT "Major Genre" AS genre, count(*) AS movies, sum("Worldwide Gross") AS worldwide_gross,
  sum("Production Budget") AS budget, avg("IMDB Rating") AS average_rating
FROM movies GROUP BY ALL ORDER BY worldwide_gross DESC`,
  },
  {
    name: 'life_expectancy_by_country',
    display_name: 'Life expectancy by country',
    description: 'Population, fertility and life expectancy over half a century. One row a country and year.',
    tags: ['population', 'health'],
    domain: 'People and health',
    priority: 'MEDIUM',
    sql: `SELECT country, year, pop AS population, life_expect AS life_expectancy, fertility
FROM gapminder ORDER BY country, year`,
  },
  {
    name: 'unemployment_by_industry',
    display_name: 'Unemployment by industry',
    description:
      'People without work, in thousands, and as a share, in each industry of the United States. A draft to play with.',
    tags: ['labour', 'monthly'],
    domain: 'Economy',
    priority: 'LOW',
    sql: `SELECT series AS industry, date, count AS unemployed_thousands, rate
FROM unemployment_across_industries ORDER BY industry, date`,
  },
];

/** Stays a draft, so that there is one of every kind to look at. */
export const DEMO_DRAFT = 'unemployment_by_industry';
