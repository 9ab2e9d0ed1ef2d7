import { notFound } from '#problem'
import { map } from '#records/map'
import type { MapFile } from '#store/maps/map-folder'
import { printAll } from '../http/print-all.ts'
import { sendRange } from '../http/range.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'

/** The operator's own maps, for whoever has signed in. (docs/api/maps.md) */
export const mapRoutes = (): Route[] => [
  {
    path: '/maps',
    record: map,
    wireNames: map,
    responseSchema: { about: map.about, fields: map.fields },
    isList: true,
    docs: { GET: { id: 'listMaps', about: 'The maps that the operator put into the data folder.' } },
    methods: { GET: list },
  },
  {
    path: '/maps/{name}',
    record: map,
    wireNames: map,
    extension: 'pmtiles',
    docs: {
      GET: {
        id: 'getMap',
        about: 'A PMTiles file, of which clients ask for ranges. Never compressed again.',
        produces: 'application/vnd.pmtiles',
      },
    },
    methods: { GET: sendFile },
  },
  {
    path: '/maps/{name}/{z}/{x}/{y}',
    record: map,
    wireNames: map,
    docs: {
      GET: {
        id: 'getTile',
        about: 'One tile of an MBTiles file, counted from the north-west; 404 where it has none.',
        produces: 'application/octet-stream',
      },
    },
    methods: { GET: sendTile },
  },
]

async function list(request: ApiRequest): Promise<ApiResponse> {
  const rows = (await request.app.maps.list()).map(({ bounds, ...one }) => {
    const [west, south, east, north] = bounds ?? [null, null, null, null]
    return { ...one, west, south, east, north }
  })
  return printAll(request, map, rows)
}

/** An hour without a question, and then one for the ETag: a map is replaced now and then. */
const headersOf = ({ version, modifiedAt }: MapFile, tile = '') => ({
  'Cache-Control': 'private, max-age=3600',
  ETag: `"${version}${tile}"`,
  'Last-Modified': new Date(modifiedAt).toUTCString(),
})

async function sendFile(request: ApiRequest): Promise<ApiResponse> {
  const { maps } = request.app
  const found = await maps.find(request.parameters.name ?? '', 'pmtiles')
  if (!found) throw notFound()
  return sendRange(
    request,
    found.bytes,
    { ...headersOf(found), 'Content-Type': 'application/vnd.pmtiles' },
    (range) => maps.read(found, range),
    (range, gone) => maps.stream(found, range, gone),
  )
}

const types: { [format: string]: string } = {
  pbf: 'application/vnd.mapbox-vector-tile',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
}

const MAX_ZOOM = 30

async function sendTile({ app, parameters }: ApiRequest): Promise<ApiResponse> {
  const { name = '', z = '', x = '', y = '' } = parameters
  const [zoom, column, row] = [z, x, y].map((text) => (/^\d{1,10}$/.test(text) ? Number(text) : Number.NaN))
  const isTile = [column, row].every((at = Number.NaN) => at < 2 ** (zoom ?? 0))
  const found = isTile && Number(zoom) <= MAX_ZOOM ? await app.maps.tile(name, zoom ?? 0, column ?? 0, row ?? 0) : null
  if (!found) throw notFound()
  const { map, bytes } = found
  // Tiles of vectors are kept compressed.
  const isGzipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  const headers = {
    ...headersOf(map, `-${z}-${x}-${y}`),
    'Content-Type': types[map.format ?? ''] ?? 'application/octet-stream',
    ...(isGzipped && { 'Content-Encoding': 'gzip' }),
  }
  return { status: 200, headers, body: bytes }
}
