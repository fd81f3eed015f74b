import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mailHtml } from './mail-html.ts'

const LINK = 'https://shelfwire.example.com/panel/sign-in?a=1&b=2#swl_x'

/** The visible text of a page below its title. */
const shown = (html: string) =>
  html
    .slice(html.indexOf('</h1>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

test('facts become a table, commands stay as they are typed, and the link is a button with its address below', () => {
  const text = `5 deliveries in a row have failed.

Endpoint:    https://shop.example.com/hook (endpoint 1 of account 2)
Last error:  status 500

Retry it
immediately with
  shelfwire endpoint resume --account 2 \\
    --endpoint 1
or wait.

${LINK}
`
  const html = mailHtml({ subject: 'Deliveries fail', text, link: LINK, language: 'en' })
  expect(html).toMatch(
    /<tr><th [^>]*>Endpoint<\/th><td [^>]*>https:\/\/shop\.example\.com\/hook \(endpoint 1 of account 2\)<\/td>/,
  )
  expect(html).toMatch(
    /<p [^>]*>Retry it immediately with<\/p>\n<pre [^>]*>shelfwire endpoint resume --account 2 \\\n--endpoint 1<\/pre>\n<p [^>]*>or wait\.<\/p>/,
  )
  const address = LINK.replace('&', '&amp;')
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual([address, address])
})

test('nothing but the link that is named is one, and no text becomes markup', () => {
  const evil = '<a href="https://evil.example">Open</a><script>alert(1)</script>'
  const text = `${evil}\n\nFrom:   ${evil}\nTo:  x\n\n  ${evil}\n\nhttps://evil.example\n`
  const html = mailHtml({ subject: `"${evil}`, text, link: null, language: 'en' })
  expect(html).not.toMatch(/<a |<script/)
  expect(html).toContain('<title>&quot;&lt;a href=&quot;https://evil.example&quot;&gt;Open&lt;/a&gt;')
})

test('nothing of a text is left out, and no text keeps it for long', () => {
  const line = fc.oneof(
    fc.string(),
    fc.string().map((words) => `  ${words}`),
    fc.tuple(fc.string(), fc.string()).map(([name, value]) => `${name}:  ${value}`),
    fc.constant(''),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const html = mailHtml({ subject: 'A', text: `${lines.join('\n')}\n`, link: null, language: 'en' })
      const letters = (text: string) => text.replaceAll(/[\s:]/g, '')
      expect(letters(shown(html))).toBe(letters(lines.join('\n')))
    }),
  )
  const long = `${'  command\nwords\n'.repeat(50_000)}\n`
  expect(mailHtml({ subject: 'A', text: long, link: null, language: 'en' })).toContain('command')
})

test.each([
  ['de', 'Öffnen'],
  ['pl', 'Otwórz'],
] as const)('the page says that it is in %s, and is', (language, open) => {
  const html = mailHtml({ subject: 'A', text: `a\n\n${LINK}\n`, link: LINK, language })
  expect(html).toContain(`<html lang="${language}">`)
  expect(html).toContain(`>${open}</a>`)
  expect(html).not.toMatch(/>Open<|the button/)
})
