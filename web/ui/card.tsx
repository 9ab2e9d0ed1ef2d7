import type { CSSProperties, HTMLAttributes, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { JobState } from './job-state.ts'
import { Tab, Urgent } from './marks.tsx'
import { t } from './words.ts'

/** What is the matter with a job, whatever its state. Late outranks at risk, which outranks not told. */
export interface CardMarks {
  late?: boolean
  atRisk?: boolean
  /** The worker has not been told of this yet. */
  untold?: boolean
  locked?: boolean
  selected?: boolean
  /** "Aroha has this": somebody else has it in the hand. */
  heldBy?: string | null
  /** Initials of who moved it a moment ago. */
  movedBy?: string | null
  /** It waits here to be sent to the server. */
  waiting?: boolean
  /** Somebody wrote about it, and who looks has not read that. */
  unread?: boolean
  /** What two people wrote or did of it waits for a decision. */
  conflict?: boolean
}

interface Props extends CardMarks, Omit<HTMLAttributes<HTMLDivElement>, 'title'> {
  state: JobState
  /** The customer. */
  title: string
  /** The kind of work; or, where it has a mark, the words of the mark. */
  line: string
  /** Shown under way and paused only. */
  steps?: { done: number; of: number } | null
  /** In pixels, where it is known: a card that is too narrow for words says less. */
  width?: number
  /** How far beyond its plan it is likely to go, in pixels. */
  tail?: number | null
  /** Said where the pointer rests. */
  tip?: string
}

/** A job on the board: the T lies on its side. Its place comes by `style`. */
export function JobCard(props: Props) {
  const {
    state,
    title,
    line,
    steps,
    width,
    late,
    atRisk,
    untold,
    locked,
    selected,
    heldBy,
    movedBy,
    waiting,
    unread,
    conflict,
    tail,
    tip,
    ...rest
  } = props
  const marks = [late ? 'late' : atRisk ? 'risk' : '', untold && 'untold', selected && 'on', heldBy && 'held']
  const room = width === undefined || width >= 70 ? '' : width >= 34 ? 'narrow' : 'tiny'
  return (
    <div
      {...rest}
      className={['job', room, ...marks, rest.className].filter(Boolean).join(' ')}
      data-state={state}
      title={tip}
    >
      <Tab state={state} />
      <span className="body">
        <span className="c" dir="auto">
          {title}
        </span>
        <span className="k" dir="auto">
          {line}
        </span>
        {(waiting || locked || movedBy || unread || conflict) && (
          <span className="end">
            {conflict && <Icon name="swap" className="bad" />}
            {unread && <Icon name="messages" />}
            {waiting && <Icon name="upload" />}
            {movedBy && <span className="moved">{movedBy}</span>}
            {locked && <Icon name="lock" />}
          </span>
        )}
        {steps && (state === 'started' || state === 'paused') && <Steps {...steps} />}
      </span>
      {tail ? <span className="tail" style={{ width: tail }} /> : null}
      {heldBy && <span className="who2">{t('{name} has this', { name: heldBy })}</span>}
    </div>
  )
}

/** Steps done as a segmented foot: one element, whatever their number. */
const Steps = ({ done, of }: { done: number; of: number }) => (
  <span className="bits" style={{ '--done': done, '--of': of } as CSSProperties} />
)

interface TrayProps extends Omit<HTMLAttributes<HTMLDivElement>, 'title'> {
  state: JobState
  title: string
  line: string
  /** Street and place. */
  address?: string | null
  /** Words of the head: "Due today". */
  due?: string | null
  duration: string
  urgent?: boolean
  late?: boolean
  atRisk?: boolean
  selected?: boolean
  /** It is in the hand: its place stays. */
  hole?: boolean
  /** What two people wrote or did of it waits for a decision. */
  conflict?: boolean
  tags?: ReactNode
  /** The customer's time window: "11:00–14:00". */
  window?: string | null
  /** What is wrong with it, in a sentence. */
  why?: string | null
}

/** A job in the tray, in a pane or in a list: the T stands upright. */
export function TrayCard(props: TrayProps) {
  const {
    state,
    title,
    line,
    address,
    due,
    duration,
    urgent,
    late,
    atRisk,
    selected,
    hole,
    conflict,
    tags,
    window,
    why,
    ...rest
  } = props
  const marks = [late ? 'late' : atRisk ? 'risk' : '', selected && 'on', hole && 'hole']
  return (
    <div {...rest} className={['tcard', ...marks, rest.className].filter(Boolean).join(' ')} data-state={state}>
      <span className="head">
        <Tab state={state} />
        <span className="clip">{due}</span>
        {conflict && <Icon name="swap" className="bad" />}
        {urgent && <Urgent />}
        <span className="dur">{duration}</span>
      </span>
      <span className="in">
        <span className="c clip" dir="auto">
          {title}
        </span>
        <span className="k clip" dir="auto">
          {line}
        </span>
        {address && (
          <span className="a clip" dir="auto">
            {address}
          </span>
        )}
        {why && (
          <span className="xs bad clip" dir="auto">
            {why}
          </span>
        )}
        {(tags || window) && (
          <span className="foot">
            {tags}
            {window && <span className="win">{window}</span>}
          </span>
        )}
      </span>
    </div>
  )
}
