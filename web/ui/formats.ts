/** How dates, times and amounts are written: in the reader's language, by the account's clock. */
export interface Formats {
  date(instant: string): string
  time(instant: string): string
  dateTime(instant: string): string
  number(value: number): string
  /** `1 h 30`, `45 min`. */
  duration(seconds: number): string
}

/** @param zone IANA name of the account's time zone */
export function formatsOf(locale: string, zone: string): Formats {
  const of = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
    return (instant: string) => format.format(new Date(instant))
  }
  const number = new Intl.NumberFormat(locale)
  const unit = (unit: string) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
  const [hours, minutes] = [unit('hour'), unit('minute')]
  return {
    date: of({ day: 'numeric', month: 'short', year: 'numeric' }),
    time: of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    dateTime: of({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    number: (value) => number.format(value),
    duration: (seconds) => {
      const all = Math.round(seconds / 60)
      const [h, m] = [Math.floor(all / 60), all % 60]
      if (h === 0) return minutes.format(m)
      return m === 0 ? hours.format(h) : `${hours.format(h)} ${m}`
    },
  }
}
