import { useEffect, useState } from 'react'
import { currentPhone } from './store.ts'

/** What is being written, kept with every letter: back, a reload or a killed app lose none of it. Empty text is no draft. */
export function useDraft(place: string, value: string): [string, (text: string) => void] {
  const [text, setText] = useState(value)
  useEffect(() => {
    void currentPhone()
      .draft(place)
      .then((draft) => typeof draft === 'string' && setText(draft))
  }, [place])
  return [
    text,
    (next) => {
      setText(next)
      void currentPhone().keepDraft(place, next === value ? undefined : next)
    },
  ]
}
