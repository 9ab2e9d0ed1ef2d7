/** What of a line item its sum follows from; numbers as texts, as the API has them. */
interface Priced {
  quantity: string | null
  actual_quantity: string | null
  price: string | null
}

const cents = (amount: number) => Math.round((amount + Number.EPSILON * Math.sign(amount)) * 100) / 100

/** Of what was used, else of what is planned; null where it has no price or no number. */
export function sumOf({ quantity, actual_quantity, price }: Priced): number | null {
  const count = actual_quantity ?? quantity
  return count === null || price === null ? null : cents(Number(count) * Number(price))
}

/** What is charged without tax: each line as it is shown, so that the lines add up. */
export const totalOf = (items: Priced[]): number => cents(items.reduce((total, item) => total + (sumOf(item) ?? 0), 0))
