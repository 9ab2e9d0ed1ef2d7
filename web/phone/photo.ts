const maxPixels = 2048
const quality = 0.82

/** A picture of at most 2048 pixels a side, upright, as a JPEG. @throws where the browser can't read it */
export async function scaled(file: Blob): Promise<ArrayBuffer> {
  const whole = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, maxPixels / Math.max(whole.width, whole.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(whole.width * scale)
  canvas.height = Math.round(whole.height * scale)
  canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height)
  whole.close()
  return bytesOf(canvas, 'image/jpeg')
}

/** @throws where the browser has no room for it */
export async function bytesOf(canvas: HTMLCanvasElement, type: 'image/jpeg' | 'image/png'): Promise<ArrayBuffer> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  if (!blob) throw new Error('The picture could not be made')
  return blob.arrayBuffer()
}
