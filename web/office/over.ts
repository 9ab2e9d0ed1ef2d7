import { Observable } from './observable.ts'

/** What of the frame lies over the screen; a screen may ask for it too. */
export const over = new Observable<'palette' | 'keys' | null>(null)
