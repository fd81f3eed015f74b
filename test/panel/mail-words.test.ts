import { describe, expect, test } from 'vitest'
import { de } from '../../src/people/mails/words/de.ts'
import { en } from '../../src/people/mails/words/en.ts'
import { pl } from '../../src/people/mails/words/pl.ts'
import type { MailWords, SaidMail } from '../../src/people/mails/words/words.ts'
import { englishIn } from './english.ts'

// The texts of mails about people's sign-in in each language.

const LINK = 'https://panel.example.com/panel/link#swl_x'
const TO = 'anna@example.com'
const NEW = 'new@example.com'

const mailsOf = (words: MailWords): Record<string, SaidMail> => ({
  invitation: words.invitation({ account: 'Acme', accountName: 'Acme', invitedBy: 'Olga', days: 7, link: LINK }),
  byOperator: words.invitation({
    account: null,
    accountName: 'evil. example',
    invitedBy: words.operator,
    days: 1,
    link: LINK,
  }),
  reset: words.reset(TO, 60, LINK),
  newEmail: words.newEmail(NEW, 1, LINK),
  emailAsked: words.emailAsked(TO, NEW),
  emailChanged: words.emailChanged(TO, NEW),
})
const ENGLISH = mailsOf(en)
const factsOf = (text: string) => text.match(/\S+@\S+[a-z]|https:\S+|Acme|Olga|evil\. example|\b60\b/g)

describe.each([
  ['German', de],
  ['Polish', pl],
])('in %s', (_language, words) => {
  test.each(Object.entries(mailsOf(words)))('%s has no English left over, and the same facts', (name, said) => {
    const english = ENGLISH[name]
    expect(englishIn(`${said.subject}\n${said.text}`)).toEqual([])
    expect(englishIn(english?.text ?? '').length).toBeGreaterThan(0)
    expect(factsOf(said.text)?.toSorted()).toEqual(factsOf(english?.text ?? '')?.toSorted())
    // a link is a paragraph of its own, which becomes the button
    expect(said.text.split('\n\n').filter((paragraph) => paragraph === LINK)).toHaveLength(
      english?.text.includes(LINK) === true ? 1 : 0,
    )
    expect(said.text.endsWith('\n')).toBe(true)
    expect(`${said.subject}${said.text}`).not.toMatch(/undefined|null|NaN/)
  })
})
