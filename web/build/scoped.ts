import type { Plugin } from 'postcss'

/** Screens whose styles hold only while they are open, by their folders; each calls `useScreen` with this name. */
const screens = ['schedule', 'jobs/page'] as const

/**
 * Styles of a screen stay loaded when it is left. This puts `[data-screen="schedule"]` of the page before each of its
 * selectors, at no weight, so that they hold for the screen and its dialogs and for nothing else.
 */
export const scoped: Plugin = {
  postcssPlugin: 'scoped',
  Once(root) {
    const file = root.source?.input.file?.replaceAll('\\', '/') ?? ''
    const screen = screens.find((name) => file.includes(`/web/office/${name}/`))
    if (!screen) return
    root.walkRules((rule) => {
      const { parent } = rule
      if (parent?.type === 'atrule' && 'name' in parent && String(parent.name).endsWith('keyframes')) return
      rule.selectors = rule.selectors.map((selector) => scopedSelector(selector, screen))
    })
  },
}

/** The page itself says language, theme and density: what asks for those asks for the screen at the same place. */
function scopedSelector(selector: string, screen: string): string {
  const open = `:where([data-screen="${screen}"])`
  const ofPage = /^(:root|\[(dir|data-[a-z]+)[^\]]*\])+/.exec(selector)?.[0]
  return ofPage ? `${ofPage}${open}${selector.slice(ofPage.length)}` : `${open} ${selector}`
}
