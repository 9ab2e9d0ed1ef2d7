/** Something that goes wrong, and what Muster promises of it. */
export interface Fault {
  name: string
  promised: string
  run(trial: Trial): Promise<Seen[]>
}

export interface Trial {
  /** Few and short, to see that it works. */
  quick: boolean
  /** As often as the caller wants it; else what the fault thinks right. */
  times: number | null
  /** The one database that the caller wants; null for both. */
  only: string | null
  say(text: string): void
}

/** One trial, and what came of it. */
export interface Seen {
  /** On what: a database, or whichever. */
  on: string
  tried: string
  seen: string
  /** Whether the promise was kept; null where it could not be tried. */
  kept: boolean | null
  figures: { [name: string]: number }
}

/** What is wrong, as a sentence for `seen`; the promise is kept while there is none. */
export class Wrongs {
  readonly all: string[] = []

  unless(good: boolean, sentence: string): void {
    if (!good) this.all.push(sentence)
  }

  seen(on: string, tried: string, good: string, figures: Seen['figures'] = {}): Seen {
    const kept = this.all.length === 0
    const more = this.all.length > 5 ? [`and ${this.all.length - 5} more`] : []
    return { on, tried, seen: kept ? good : [...this.all.slice(0, 5), ...more].join('; '), kept, figures }
  }
}

/** A trial that this machine does not allow. */
export const skipped = (on: string, tried: string, why: string): Seen => ({
  on,
  tried,
  seen: `not tried: ${why}`,
  kept: null,
  figures: {},
})

/** Of many, the one below which a share of them lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
