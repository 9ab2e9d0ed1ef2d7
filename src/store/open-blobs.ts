import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { BucketBlobs } from './blobs-bucket.ts'
import { FolderBlobs } from './blobs-folder.ts'

/** The settings that say where. */
interface Where {
  MUSTER_DATA_DIR: string
  MUSTER_FILES_URL: string | null
  MUSTER_FILES_KEY: string
  MUSTER_FILES_SECRET: string
}

/** The files that the settings name; `onFailure` is told why a bucket could not be used, beside the caller who gets a 503. */
export function openBlobs(
  { MUSTER_FILES_URL: url, MUSTER_FILES_KEY: key, MUSTER_FILES_SECRET: secret, MUSTER_DATA_DIR: folder }: Where,
  onFailure: (error: unknown) => void = () => {},
): Blobs {
  return url === null ? new FolderBlobs(join(folder, 'files')) : new BucketBlobs(url, { key, secret }, onFailure)
}
