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

test('every file that ARCHITECTURE.md names is there', () => {
  const there = new Set(
    globSync('{src,test,bench,web}/**/*.{ts,tsx,css}', { exclude: ['**/node_modules/**'] }).map((path) =>
      basename(path),
    ),
  )
  const named = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/[\w./-]+\.(?:ts|tsx|css)\b/g)].map(
    ([name]) => name,
  )
  assert.deepEqual(
    named.filter((name) => !there.has(basename(name))),
    [],
  )
})
