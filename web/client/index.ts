export { ApiError, type ApiFault, type Current } from './api-error.ts'
export { newCallId } from './call-id.ts'
export { Collection } from './collection.ts'
export {
  followEvents,
  type JournalEvent,
  type StreamListener,
  type StreamOptions,
  type StreamState,
  type Told,
} from './event-stream.ts'
export { type Asked, type Client, connect, type Page, type Query, type Written } from './http.ts'
export { type Expected, Live, type RowOf, type Waiting, type Write } from './live.ts'
export { type Looked, Presences, type Seen } from './presence.ts'
export { followPort } from './shared-stream.ts'
