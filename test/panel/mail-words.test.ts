import { describe, expect, test } from 'vitest'
import { de } from '../../src/people/mails/words/de.ts'
import { en } from '../../src/people/mails/words/en.ts'
import { pl } from '../../src/people/mails/words/pl.ts'
import type { MailWords, MailTexts } from '../../src/people/mails/words/words.ts'
import { englishIn } from './english.ts'

// The texts of mails about people's sign-in in each language.

const LINK = 'https://panel.example.com/panel/link#swl_x'
const TO = 'anna@example.com'
const NEW = 'new@example.com'

const ADDRESS = '2001:db8::7'
const MOMENT = new Date('2026-11-30T10:51:50Z')

function alertsOf({ alerts: words }: MailWords): Record<string, MailTexts> {
  const mail = (sentence: string, ...more: string[]) =>
    words.mail({ sentence, more: more.join('\n'), happenedAt: MOMENT, address: ADDRESS })
  return {
    ...Object.fromEntries(Object.entries(words.acts).map(([act, said]) => [act, mail(said(TO))])),
    tokenCreated: mail(words.tokenCreated(TO)),
    tokenRotated: mail(words.tokenRotated(TO)),
    ownerInvited: mail(words.ownerInvited(TO, NEW)),
    ownerJoined: mail(words.ownerJoined(NEW)),
    ownerRemoved: mail(words.ownerRemoved(TO, NEW)),
    madeOwner: mail(words.madeOwner(TO, NEW)),
    madeMember: mail(words.madeMember(TO, NEW)),
    passkeyNamed: mail(words.acts.addPasskey(TO), words.passkeyName('Acme')),
    resetWithAll: mail(
      words.acts.resetPassword(TO),
      words.sessionsEnded,
      words.passkeysRemoved(['Acme', 'Olga']),
      words.providerUnlinked,
      words.codesEnd(60),
    ),
    tookOverWithAll: mail(
      words.acts.takeOverByProvider(TO),
      words.addressUnproven,
      words.goesOn(
        Object.values(words.made)
          .map((of) => `${of}: 60`)
          .join(', '),
      ),
      words.passwordAgain,
    ),
  }
}

const mailsOf = (words: MailWords): Record<string, MailTexts> => ({
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
  ...alertsOf(words),
})
const ENGLISH = mailsOf(en)
const factsOf = (text: string) =>
  text.match(/\S+@\S+[a-z]|https:\S+|Acme|Olga|evil\. example|\b60\b|10:51:50|2001:db8::7/g)

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
