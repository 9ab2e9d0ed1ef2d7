export { flag } from './flag.ts'
export { accountId, author, id, ids, isUuid, links, lookup, ref, uuid, uuidRef } from './id.ts'
export { instant, stamp } from './instant.ts'
export * from './kind.ts'
export { decimal, integer } from './number.ts'
export { once } from './once.ts'
export { faultAt, readFields } from './read.ts'
export {
  type Alias,
  type Allowed,
  type Draft,
  type Feature,
  features,
  type Own,
  type RecordType,
  type Row,
  record,
} from './record.ts'
export { array, children, part, texts } from './structure.ts'
export { choice, email, link, price, secret, text } from './text.ts'
