/** The middle button takes hold of the rack itself and leads it about. @returns what ends it */
export function panByPointer(scroller: HTMLElement): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let last: PointerEvent | null = null
  const end = () => {
    last = null
    scroller.classList.remove('panning')
  }
  scroller.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 1) return
      // Else the browser scrolls by itself for as long as the button is down.
      event.preventDefault()
      last = event
      scroller.setPointerCapture(event.pointerId)
      scroller.classList.add('panning')
    },
    { signal },
  )
  scroller.addEventListener(
    'pointermove',
    (event) => {
      if (!last) return
      scroller.scrollBy(last.clientX - event.clientX, last.clientY - event.clientY)
      last = event
    },
    { signal },
  )
  for (const name of ['pointerup', 'pointercancel'] as const) scroller.addEventListener(name, end, { signal })
  return () => ending.abort()
}
