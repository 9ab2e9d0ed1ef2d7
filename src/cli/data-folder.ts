import type { Config } from '#config'
import { makeFolder } from '#store/folder'

/** Makes the folder that holds everything, where it isn't there yet. */
export const makeDataFolder = ({ MUSTER_DATA_DIR: folder }: Config) =>
  makeFolder(folder, 'data folder', 'MUSTER_DATA_DIR')
