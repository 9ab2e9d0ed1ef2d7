/** How dates, times and amounts are written: in the reader's language, by the account's clock. */
export interface Formats {
  date(instant: string): string
  time(instant: string): string
  dateTime(instant: string): string
  /** As short as it is clear: the time where it is of today, else the day with it, and the year where it is another. */
  brief(instant: string): string
  number(value: number): string
  /** An amount of the account's money. */
  money(value: number): string
  /** `1 h 30`, `45 min`. */
  duration(seconds: number): string
}

/**
 * @param zone IANA name of the account's time zone
 * @param currency ISO 4217 code of its money
 */
export function formatsOf(locale: string, zone: string, currency = 'USD'): Formats {
  const of = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
    return (instant: string) => format.format(new Date(instant))
  }
  const date = of({ day: 'numeric', month: 'short', year: 'numeric' })
  const time = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const dateTime = of({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const dayTime = of({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const year = of({ year: 'numeric' })
  const number = new Intl.NumberFormat(locale)
  const money = moneyFormat(locale, currency)
  const unit = (unit: string) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
  const [hours, minutes] = [unit('hour'), unit('minute')]
  return {
    date,
    time,
    dateTime,
    brief: (instant) => {
      const now = new Date().toISOString()
      if (date(instant) === date(now)) return time(instant)
      return year(instant) === year(now) ? dayTime(instant) : dateTime(instant)
    },
    number: (value) => number.format(value),
    money: (value) => money.format(value),
    duration: (seconds) => {
      const all = Math.round(seconds / 60)
      const [h, m] = [Math.floor(all / 60), all % 60]
      if (h === 0) return minutes.format(m)
      return m === 0 ? hours.format(h) : `${hours.format(h)} ${m}`
    },
  }
}

/** The code of a currency may be any three letters; what is none is left out. */
function moneyFormat(locale: string, currency: string) {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency })
  } catch {
    return new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  }
}
