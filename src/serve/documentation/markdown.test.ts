import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../platform/process/package.ts'
import { GUIDES } from './guides.ts'
import { renderDocument } from './markdown.ts'

const html = (text: string, file = 'docs/feed.md') => renderDocument(text, file, '../').html

test('raw HTML is shown as text, and links to scripts are no links', () => {
  expect(
    html('<script>alert(1)</script>\n\n<b onclick="x()">b</b> [a](javascript:alert(1)) ![i](javascript:x)'),
  ).not.toMatch(/<(script|b|a|img)\b/)
})

test('links between guides lead to their pages, from wherever the file is', () => {
  expect(html('[w](webhooks.md#verifying)')).toContain('<a href="../guides/webhooks#verifying">w</a>')
  expect(html('[w](docs/input-rules.md)', 'CHANGELOG.md')).toContain('<a href="../guides/input-rules">w</a>')
  expect(html('[w](../CHANGELOG.md)')).toContain('<a href="../guides/changelog">w</a>')
  expect(html('[w](#promises) [x](https://example.com/a)')).toContain(
    '<a href="#promises">w</a> <a href="https://example.com/a">x</a>',
  )
})

test('pictures of the panel are shown, and no others', () => {
  expect(html('![The grid](panel/grid.png)', 'docs/panel.md')).toBe(
    '<p><img src="../guides/grid.png" alt="The grid"></p>\n',
  )
  for (const src of ['https://example.com/a.png', '../../data/panel/a.png', 'panel/../x.png', 'x.png', 'panel/a.svg'])
    expect(html(`![a](${src})`, 'docs/panel.md')).toBe('<p></p>\n')
})

test('of a link to a file that is not served only the text stays', () => {
  expect(html('see [the `order`](lock-order.md), [src](../src/main.ts) and [f](feed.md)')).toBe(
    '<p>see the <code>order</code>, src and <a href="../guides/feed">f</a></p>\n',
  )
})

test('headings have the fragments that links of the files use', () => {
  const { html: page, headings } = renderDocument(
    '# A `b` – c!\n\n## What it does\n\n## What it does\n',
    'docs/feed.md',
    '',
  )
  expect(page).toContain('<h1 id="a-b--c">')
  expect(headings).toEqual([
    { id: 'what-it-does', text: 'What it does' },
    { id: 'what-it-does-1', text: 'What it does' },
  ])
})

test('code keeps its characters, so that it can be selected and copied', () => {
  expect(html('```sh\ncurl "a&b" <x>\n```')).toBe(
    '<pre><code class="language-sh">curl &quot;a&amp;b&quot; &lt;x&gt;\n</code></pre>\n',
  )
})

test('every page of docs/ is a guide, or only for those who change the code', () => {
  const internal = ['invariants', 'lock-order']
  const pages = readdirSync(new URL('docs', PACKAGE_ROOT)).filter((name) => name.endsWith('.md'))
  const served = GUIDES.map(({ file }) => file)
  expect(served.filter((file) => !existsSync(new URL(file, PACKAGE_ROOT)))).toEqual([])
  expect(pages.map((name) => `docs/${name}`).filter((file) => !served.includes(file))).toEqual(
    internal.map((name) => `docs/${name}.md`),
  )
  for (const { file } of GUIDES) expect(readFileSync(new URL(file, PACKAGE_ROOT), 'utf8')).toMatch(/^# /)
})
