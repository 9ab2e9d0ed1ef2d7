import type { Account } from '#records/account'
import { type Coordinates, distanceKm } from './coordinates.ts'

/** What a routing server has said of ways by road. */
export interface Roads {
  /** What is known already, in seconds; null where nothing is. */
  secondsBetween(from: Coordinates, to: Coordinates): number | null
  /** Asks for the ways from each to each that aren't known yet. Never fails: what can't be asked stays unknown. */
  learn(from: Coordinates[], to: Coordinates[]): Promise<void>
}

/** Where the operator named no routing server. */
export const noRoads: Roads = { secondsBetween: () => null, learn: async () => {} }

type Settings = Pick<Account['settings'], 'travel_factor' | 'travel_speed_kmh'>

/** How much longer than the great circle a way is, and how fast it goes, where the account does not say. */
export const travelOf = ({ travel_factor, travel_speed_kmh }: Settings) => ({
  factor: Number(travel_factor ?? 1.3),
  speed_kmh: travel_speed_kmh ?? 40,
})

/** Tells how long a way takes, in seconds: by road where that is known, else by the great circle. */
export function travelTimes(settings: Settings, roads: Pick<Roads, 'secondsBetween'>) {
  const { factor, speed_kmh } = travelOf(settings)
  return (from: Coordinates, to: Coordinates): number =>
    roads.secondsBetween(from, to) ?? Math.round(((distanceKm(from, to) * factor) / speed_kmh) * 3600)
}
