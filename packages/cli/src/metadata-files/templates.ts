/** Files to begin with. Each can be imported as it is after the names are replaced by your own. */
export const TEMPLATES = {
  csv: `type,id,field,display_name,description,tags,domains
TABLE,demo.vega.flights,,,"Flights, one row each",aviation;us,
TABLE,demo.vega.flights,delay,,Minutes late on arrival,,
`,
  yaml: `# A key that is left out stays as it is; null removes a description, [] all tags.
metadata_objects:
- type: TABLE
  id: demo.vega.flights
  description: Flights, one row each
  tags: [aviation, us]
  # Instead of tags, which replaces all: add_tags and remove_tags.
  fields:
    - name: delay
      description: Minutes late on arrival
`,
  json: `{
  "metadata_objects": [
    {
      "type": "TABLE",
      "id": "demo.vega.flights",
      "description": "Flights, one row each",
      "tags": ["aviation", "us"],
      "fields": [{ "name": "delay", "description": "Minutes late on arrival" }]
    }
  ]
}
`,
} as const;
