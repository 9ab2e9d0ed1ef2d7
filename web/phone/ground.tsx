import { t } from '../ui/words.ts'
import { chosenUnits } from './distance.ts'
import { groundOf, type Place, roundLength } from './way.ts'

export interface Pin {
  id: number
  state: string
  /** On its head: when. */
  words: string
  place: Place
}

interface GroundProps {
  pins: Pin[]
  /** The one that is next. */
  chosen?: number
  here?: Place | null
  /** Where one was. */
  way?: readonly Place[]
  isMiles: boolean
  label: string
}

const box = { width: 390, height: 430, free: 74 }

/**
 * Places to scale on a plain ground, north up: it takes no tiles and so no signal, and no map of the region on the server.
 * The list below says the same.
 */
export function GroundPicture({ pins, chosen, here = null, way = [], isMiles, label }: GroundProps) {
  const ground = groundOf([...pins.map(({ place }) => place), ...(here ? [here] : []), ...way], box)
  const unit = chosenUnits(isMiles)
  const scale = roundLength((box.width * 0.4) / ground.perKm / unit.km)
  const lineOf = (places: readonly Place[]) =>
    places
      .map((place) =>
        Object.values(ground.at(place))
          .map((one) => one.toFixed(1))
          .join(','),
      )
      .join(' ')
  const first = pins.find(({ id }) => id === chosen)
  return (
    <svg className="ground" viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label={label}>
      {way.length > 1 && (
        <g className="been">
          <polyline points={lineOf(way)} />
          <polyline points={lineOf(way)} />
        </g>
      )}
      {here && first && <polyline className="ahead" points={lineOf([here, first.place])} />}
      {here && <Here at={ground.at(here)} />}
      {pins.toReversed().map((pin) => (
        <TPin key={pin.id} pin={pin} at={ground.at(pin.place)} isChosen={pin.id === chosen} />
      ))}
      <g className="scale" transform={`translate(16 ${box.height - 18})`}>
        <path d={`M0 -8V0H${scale * unit.km * ground.perKm}V-8`} />
        <text x="0" y="-14">
          {scale < 1 ? `${Math.round(scale * unit.small)} ${unit.smallName}` : `${scale} ${unit.name}`}
        </text>
      </g>
      <g className="north" transform={`translate(${box.width - 28} 34)`}>
        <path d="M0 -20L7 4L0 0L-7 4Z" />
        <text y="22">{t('N')}</text>
      </g>
    </svg>
  )
}

const Here = ({ at: { x, y } }: { at: { x: number; y: number } }) => (
  <g className="here" transform={`translate(${x} ${y})`}>
    <circle r="26" />
    <circle r="10" />
  </g>
)

const shape = 'M-31 -68h62v25h-11v29h-15l-5 14l-5-14h-15v-29h-11z'

/** The T of a job, standing on its place. */
const TPin = ({ pin, at: { x, y }, isChosen }: { pin: Pin; at: { x: number; y: number }; isChosen: boolean }) => (
  <g className={isChosen ? 'tpin on' : 'tpin'} data-state={pin.state} transform={`translate(${x} ${y})`}>
    {isChosen && <path className="ring" d={shape} />}
    <path d={shape} />
    <text y="-49">{pin.words}</text>
    <circle cy="-28" r="6" />
  </g>
)
