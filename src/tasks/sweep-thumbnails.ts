import type { App } from '#app'
import { repeat } from './repeat.ts'

const EVERY_MS = 3600_000

/** Every hour, takes thumbnails away that nobody looked at for long. Each machine has its own. Answers how to stop. */
export const sweepThumbnails = ({ thumbnails, log }: Pick<App, 'thumbnails' | 'log'>): (() => void) =>
  repeat(
    EVERY_MS,
    () => thumbnails.sweep(),
    (err) => log.warn({ err }, 'could not sweep thumbnails'),
  )
