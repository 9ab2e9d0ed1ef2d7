import { type Scene, takePhoto } from './photo.ts'
import { drawSignature } from './signature.ts'

/** A picture that is asked for: a signature by its name, or a take of a scene. */
export type Picture = { signature: string } | { photo: Scene; take: number }

/**
 * Started by `drawing.ts` as a process of its own. It draws from SVG, which a process that may read what clients send
 * has no loader for, on purpose (`server/routes/sharp.ts`); so this file and what it imports never meet the app.
 */
process.once('message', async (pictures: Picture[]) => {
  const drawn = await Promise.all(
    pictures.map((picture) =>
      'signature' in picture ? drawSignature(picture.signature) : takePhoto(picture.photo, picture.take),
    ),
  )
  process.send?.(drawn, () => process.disconnect())
})
