import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

const files = globSync(['{src,test,bench}/**/*.ts', 'web/{build,client,office,phone,test,ui}/**/*.{ts,tsx}'], {
  exclude: ['**/node_modules/**', 'bench/.*/**'],
})

test('every page that a comment names is in the repository, and so is the section', () => {
  const lost = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<!\])\(([\w./-]+\.md)(?:#([\w-]+))?[,;)]/g)].flatMap(
      ([, page = '', section]) => (hasSection(page, section) ? [] : [`${file}: ${page}#${section ?? ''}`]),
    ),
  )
  assert.deepEqual(lost, [])
})

function hasSection(page: string, section: string | undefined): boolean {
  if (!existsSync(page)) return false
  const titles = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title))
  return section === undefined || titles.includes(section)
}

/** The address of a heading, as Git hosts make it. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

test('every file that a page names is there', () => {
  const there = new Set(
    globSync('{src,test,bench,web}/**/*.{ts,tsx,css}', { exclude: ['**/node_modules/**'] }).map((path) =>
      basename(path),
    ),
  )
  // The map of the tree names files plainly; other pages, as code.
  const named = (page: string) =>
    page === 'ARCHITECTURE.md' ? /([\w./-]+\.(?:ts|tsx|css))\b/g : /`([\w./-]+\.(?:ts|tsx|css))`/g
  const lost = [...globSync('*.md'), ...globSync('docs/**/*.md'), 'bench/README.md'].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(named(page))].flatMap(([, name = '']) =>
      there.has(basename(name)) ? [] : [`${page}: ${name}`],
    ),
  )
  assert.deepEqual(lost, [])
})
