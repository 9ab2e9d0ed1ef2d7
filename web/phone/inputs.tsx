import { useState } from 'react'
import { joinQuoted, splitQuoted } from '../../src/fields/quoted.ts'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { useDraft } from './draft.ts'
import { Act, Sheet, Side } from './parts.tsx'

interface InputProps {
  /** Where the draft is kept. */
  place: string
  title: string
  value: string | null
  onSave: (value: string | null) => void
  onClose: () => void
}

const SaveActs = ({ onEmpty, onSave }: { onEmpty: () => void; onSave: () => void }) => (
  <>
    <Side icon="x" onAct={onEmpty}>
      {t('Empty')}
    </Side>
    <Act mid icon="check" onAct={onSave}>
      {t('Save')}
    </Act>
  </>
)

export function TextInput({ place, title, value, onSave, onClose }: InputProps) {
  const [text, setText] = useDraft(place, value ?? '')
  return (
    <Sheet
      title={title}
      onClose={onClose}
      acts={<SaveActs onEmpty={() => onSave(null)} onSave={() => onSave(text.trim() || null)} />}
    >
      <span className="input">
        <textarea rows={3} aria-label={title} value={text} onChange={(event) => setText(event.target.value)} />
      </span>
    </Sheet>
  )
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '±', '0', '.']

export function NumberInput({ place, title, value, onSave, onClose }: InputProps) {
  const [text, setText] = useDraft(place, isNumber(value ?? '') ? (value ?? '') : '')
  const press = (key: string) => {
    if (key === '±') return setText(text.startsWith('-') ? text.slice(1) : `-${text}`)
    if (key === '.' && text.includes('.')) return
    setText(text + key)
  }
  const number = isNumber(text) ? text : null
  return (
    <Sheet
      title={title}
      onClose={onClose}
      acts={<SaveActs onEmpty={() => onSave(null)} onSave={() => onSave(number)} />}
    >
      <div className="show">
        <b>
          <output aria-label={title}>{text || ' '}</output>
        </b>
        <span className="caret" />
        <button
          type="button"
          className="btn quiet only"
          aria-label={t('Delete one')}
          onClick={() => setText(text.slice(0, -1))}
        >
          <Icon name="back" />
        </button>
      </div>
      <div className="keys">
        {keys.map((key) => (
          <button
            type="button"
            key={key}
            className={/\d/.test(key) ? '' : 'fn'}
            {...(key === '±' && { 'aria-label': t('Plus or minus') })}
            {...(key === '.' && { 'aria-label': t('Decimal point') })}
            onClick={() => press(key)}
          >
            {key}
          </button>
        ))}
      </div>
    </Sheet>
  )
}

/** By the phone's own calendar and clock. */
export function InstantInput({ place, title, value, onSave, onClose }: InputProps) {
  const [text, setText] = useDraft(place, value ? localOf(value) : '')
  const instant = text ? new Date(text).toISOString() : null
  return (
    <Sheet
      title={title}
      onClose={onClose}
      acts={<SaveActs onEmpty={() => onSave(null)} onSave={() => onSave(instant)} />}
    >
      <div className="quick">
        <button type="button" className="btn" onClick={() => setText(localOf(new Date().toISOString()))}>
          {t('Now')}
        </button>
      </div>
      <span className="input">
        <input
          type="datetime-local"
          aria-label={title}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </span>
    </Sheet>
  )
}

/** As `datetime-local` has it. */
function localOf(instant: string): string {
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function ChoiceInput({
  title,
  value,
  onSave,
  onClose,
  options,
  several = false,
}: InputProps & { options: string[]; several?: boolean }) {
  const [chosen, setChosen] = useState(() => (several ? splitQuoted(value ?? '') : [value ?? '']).filter(Boolean))
  const choose = (option: string) => {
    if (!several) return onSave(option)
    setChosen(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
  }
  return (
    <Sheet
      title={title}
      sub={several ? t('As many as apply') : t('Tap one and it is saved.')}
      onClose={onClose}
      acts={
        several ? (
          <SaveActs
            onEmpty={() => onSave(null)}
            onSave={() => onSave(joinQuoted(options.filter((option) => chosen.includes(option))) || null)}
          />
        ) : (
          <Side wide icon="x" onAct={() => onSave(null)}>
            {t('Empty it')}
          </Side>
        )
      }
    >
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name */}
      <div className="rows picks" role={several ? 'group' : 'radiogroup'} aria-label={title}>
        {options.map((option) => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles are checked or not
          <button
            type="button"
            key={option}
            role={several ? 'checkbox' : 'radio'}
            aria-checked={chosen.includes(option)}
            className={chosen.includes(option) ? 'on' : ''}
            onClick={() => choose(option)}
          >
            <span className={several ? 'box' : 'box round'}>{several && <Icon name="check" />}</span>
            <span className="w md">{option}</span>
          </button>
        ))}
      </div>
    </Sheet>
  )
}
