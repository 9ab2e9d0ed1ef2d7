import { choice, decimal, integer, record, text } from '#fields'

/** A map that the operator put into the data folder, for all accounts. Nothing of it is kept in the database. */
export const map = record('map', {
  plural: 'maps',
  path: null,
  about: "A map of the operator's own, in the folder `maps` of the data folder.",
  fields: {
    name: text({ about: 'Name of its file, without its ending' }),
    kind: choice(['pmtiles', 'mbtiles'], { about: 'Read by ranges of one file, or tile by tile' }),
    format: text({ about: 'What its tiles are: `pbf` (vectors), `png`, `jpg`, `webp`, `avif`' }),
    bytes: integer({ about: 'Size of the file' }),
    min_zoom: integer({ about: 'Smallest zoom that it has' }),
    max_zoom: integer({ about: 'Largest zoom that it has' }),
    west: decimal({ about: 'Where it ends in the west, in degrees' }),
    south: decimal({ about: 'In the south' }),
    east: decimal({ about: 'In the east' }),
    north: decimal({ about: 'In the north' }),
    attribution: text({ about: 'Whom to name where it is shown; may have HTML in it, which is not to be trusted' }),
  },
  allow: { read: 'signed_in', write: 'nobody' },
  search: [],
  title: 'name',
  example: {},
})
