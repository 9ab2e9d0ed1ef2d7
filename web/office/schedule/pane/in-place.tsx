import { useEffect, useRef, useState } from 'react'

interface Props {
  label: string
  value: string
  onSave: (value: string) => void
  placeholder?: string
  type?: 'text' | 'datetime-local'
  inputMode?: 'decimal'
  /** Several lines. */
  long?: boolean
}

/** A value that is changed where it stands: kept when it is left or at Enter, put back at Escape. */
export function InPlace({ label, value, onSave, long, ...given }: Props) {
  const [text, setText] = useState(value)
  const isPutBack = useRef(false)
  useEffect(() => setText(value), [value])
  const all = {
    ...given,
    className: 'in-place',
    'aria-label': label,
    dir: 'auto',
    value: text,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
    onBlur: () => {
      if (!isPutBack.current && text !== value) onSave(text)
      isPutBack.current = false
    },
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Escape') {
        isPutBack.current = true
        setText(value)
        event.stopPropagation()
      }
      if (event.key === 'Escape' || (event.key === 'Enter' && !long)) event.currentTarget.blur()
    },
  }
  return long ? <textarea rows={Math.min(6, text.split('\n').length + 1)} {...all} /> : <input {...all} />
}
