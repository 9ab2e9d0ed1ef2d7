import { useLayoutEffect } from 'react'

/** Says which screen is open, which its styles ask for. (web/build/scoped.ts) */
export function useScreen(name: string): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.screen = name
    return () => {
      if (dataset.screen === name) delete dataset.screen
    }
  }, [name])
}
