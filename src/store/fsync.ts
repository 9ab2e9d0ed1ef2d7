import { open } from 'node:fs/promises'

/** Waits until a file or folder is on the disk. */
export async function fsync(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
