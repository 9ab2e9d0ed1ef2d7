import { rowsOf, useFormats, useShown } from './store.ts'

const units = {
  kilometers: { name: 'km', km: 1, small: 1000, smallName: 'm' },
  miles: { name: 'mi', km: 1.609344, small: 5280, smallName: 'ft' },
} as const

export const chosenUnits = (isMiles: boolean) => units[isMiles ? 'miles' : 'kilometers']

/** Distances as the account has them. */
export function useDistance() {
  const [account] = rowsOf(useShown(), 'account')
  const { number } = useFormats()
  const isMiles = account?.units === 'miles'
  const { name, km } = chosenUnits(isMiles)
  return {
    isMiles,
    /** @param kilometres `8.4 km` */
    distance: (kilometres: number) => `${number(Math.round((kilometres / km) * 10) / 10)} ${name}`,
  }
}
