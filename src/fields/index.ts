export { day } from './day.ts'
export { flag } from './flag.ts'
export { accountId, author, beforeAll, id, ids, isUuid, links, lookup, ref, uuid, uuidRef } from './id.ts'
export { instant, stamp } from './instant.ts'
export * from './kind.ts'
export { memoize } from './memoize.ts'
export { eachNamed, namesOf, present, rowIn, rowsIn } from './narrow.ts'
export { decimal, integer } from './number.ts'
export { fieldError, readFields } from './read.ts'
export { isReadable, isReadableOfAll, readableItems, splitReadable } from './readable.ts'
export {
  type Alias,
  type Allowed,
  type Draft,
  type Feature,
  features,
  type Ownership,
  type Personal,
  type RecordType,
  type Row,
  record,
  type Shown,
} from './record.ts'
export { array, children, part, texts } from './structure.ts'
export { choice, email, link, price, secret, text } from './text.ts'
export { timeOfDay } from './time-of-day.ts'
