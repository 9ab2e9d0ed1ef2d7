import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { degrees, type MapDescription, shortText } from './description.ts'

const MAX_ROWS = 100

/** An MBTiles file: tiles in a SQLite database, which is only read. (MBTiles specification 1.3) */
export class Mbtiles {
  readonly description: MapDescription
  private readonly database: DatabaseSync
  private readonly tile: StatementSync

  /** @throws Error where it is none */
  constructor(path: string) {
    this.database = new DatabaseSync(path, { readOnly: true, timeout: 1000 })
    try {
      this.tile = this.database.prepare(
        'select tile_data from tiles where zoom_level = ? and tile_column = ? and tile_row = ?',
      )
      const rows = this.database.prepare('select name, value from metadata limit ?').all(MAX_ROWS)
      this.description = descriptionOf(new Map(rows.map(({ name, value }) => [String(name), String(value)])))
    } catch (error) {
      this.database.close()
      throw error
    }
  }

  /** The bytes of a tile, by the rows that maps on the web count from the north; null where there is none. */
  read(z: number, x: number, y: number): Buffer | null {
    const bytes = this.tile.get(z, x, 2 ** z - 1 - y)?.tile_data
    return bytes instanceof Uint8Array ? Buffer.from(bytes) : null
  }

  close(): void {
    this.database.close()
  }
}

function descriptionOf(said: Map<string, string>): MapDescription {
  const zoom = (name: string) => (/^\d{1,2}$/.test(said.get(name) ?? '') ? Number(said.get(name)) : null)
  const bounds = (said.get('bounds') ?? '').split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)))
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = bounds
  const isBounds = [west, south, east, north].every((one) => Math.abs(one) <= 180)
  return {
    format: shortText(said.get('format')),
    min_zoom: zoom('minzoom'),
    max_zoom: zoom('maxzoom'),
    bounds: isBounds ? [degrees(west), degrees(south), degrees(east), degrees(north)] : null,
    attribution: shortText(said.get('attribution')),
  }
}
