import type { Config } from '#config'
import { closeFolder, makeFolder } from '#store/folder'

/** Makes the folder that holds everything, where it isn't there yet; and nobody else reads it, whoever made it. */
export function makeDataFolder({ MUSTER_DATA_DIR: folder }: Config): void {
  makeFolder(folder, 'data folder', 'MUSTER_DATA_DIR')
  closeFolder(folder)
}
