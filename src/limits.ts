/** Bounds that several layers keep, and that the reference tells. */

/** Entries of a page of a list, of events or of positions: where nobody says, and at most. */
export const PAGE_SIZE = { default: 50, max: 1000 }

/** A page or an answer to a batch is at most so large, unless its first entry alone is larger; no more is read for one, either. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** Connections that are open at a time; each is a file that is open. More are hung up on. */
export const MAX_CONNECTIONS = 20_000
