/** Files by the SHA-256 of their bytes: durable before the row that names them commits; kept once, never changed. */
export interface Blobs {
  /** Where they are, for people. */
  readonly location: string
  /** Keeps bytes; durable when it answers their SHA-256. @throws Problem unavailable */
  put(bytes: Buffer): Promise<string>
  /**
   * The bytes, or a range of them with both ends included.
   * @throws Problem unavailable; an Error with the code ENOENT (a folder) or NoSuchKey (a bucket) where there is none
   */
  read(sha256: string, range?: { start: number; end: number }): Promise<Buffer>
  /** Everything that is kept, also what isn't a whole file; in no order. */
  list(): AsyncGenerator<StoredBlob>
  /** Takes one away for good, unless it was put after this time (milliseconds since 1970); answers whether it is gone. */
  remove(name: string, after: number): Promise<boolean>
  /** Whether files could be kept and read now. @throws Error that says why not */
  checkReachable(): Promise<void>
}

export interface StoredBlob {
  /** Its SHA-256; of what a write that broke off left behind, something longer. */
  name: string
  bytes: number
  /** In milliseconds since 1970. */
  writtenAt: number
}
