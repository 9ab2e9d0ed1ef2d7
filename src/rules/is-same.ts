import { isDeepStrictEqual } from 'node:util'

/** Whether two values of a field are the same. By their content: a database may keep the names of an object in another order. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a ?? null, b ?? null)
