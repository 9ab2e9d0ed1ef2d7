import { useSyncExternalStore } from 'react'
import { currentPhone, onPhone, openPhone, rowOf } from './store.ts'
import { type Noted, worthKeeping } from './way.ts'

/** Whether where this phone is is being noted: while its person is on shift, the app is in front and the browser lets it. */
export type PlaceState = 'on' | 'off' | 'blocked'

let state: PlaceState = 'off'
let watch: number | null = null
let permission: PermissionState = 'prompt'
let last: Noted | null = null
const listeners = new Set<() => void>()

export const usePlaceState = (): PlaceState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** Notes it from now on, whoever signs in. */
export function followPlace(): void {
  void navigator.permissions?.query({ name: 'geolocation' }).then(
    (status) => {
      const hear = () => {
        permission = status.state
        turn()
      }
      status.addEventListener('change', hear)
      hear()
    },
    () => {},
  )
  document.addEventListener('visibilitychange', turn)
  onPhone(() => {
    const end = currentPhone().subscribe(turn)
    turn()
    return () => {
      end()
      stop()
    }
  })
}

/** Asks whoever goes on shift, who is at hand to answer; once they have, the browser doesn't ask again. */
export function askForPlace(): void {
  navigator.geolocation?.getCurrentPosition(
    (position) => {
      permission = 'granted'
      turn()
      note(position)
    },
    (error) => {
      if (error.code === error.PERMISSION_DENIED) permission = 'denied'
      turn()
    },
  )
}

function turn() {
  const phone = openPhone()
  if (!phone) return stop()
  const { person, shown } = phone
  const isOnShift = rowOf(shown(), 'user', person.user_id)?.shift_on ?? false
  const isWanted = isOnShift && !shown().isSealed && document.visibilityState === 'visible'
  if (isWanted && permission === 'granted') {
    // What the system finds by itself: satellites are asked for by who navigates, and an empty battery helps nobody.
    watch ??= navigator.geolocation.watchPosition(note, () => {}, { enableHighAccuracy: false, maximumAge: 30_000 })
    tell('on')
  } else {
    stop()
    tell(isWanted && permission === 'denied' ? 'blocked' : 'off')
  }
}

function stop() {
  if (watch !== null) navigator.geolocation.clearWatch(watch)
  watch = null
}

function tell(now: PlaceState) {
  if (now === state) return
  state = now
  for (const listener of listeners) listener()
}

function note({ coords, timestamp }: GeolocationPosition) {
  if (state !== 'on') return
  const { latitude: lat, longitude: lng } = coords
  const at = { lat, lng, ms: timestamp }
  if (!worthKeeping(at, last)) return
  last = at
  const { clock, track } = currentPhone()
  void track.add({
    recorded_at: new Date(timestamp + clock.offsetMs).toISOString(),
    lat: lat.toFixed(6),
    lng: lng.toFixed(6),
    heading: written(coords.heading, 1),
    // The browser says metres a second.
    speed: written(coords.speed === null ? null : coords.speed * 3.6, 1),
    accuracy: written(coords.accuracy, 0),
  })
}

/** What isn't known is null or no number. */
const written = (value: number | null, digits: number) =>
  value === null || Number.isNaN(value) ? null : value.toFixed(digits)
