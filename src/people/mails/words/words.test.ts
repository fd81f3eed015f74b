import { expect, test } from 'vitest'
import { de } from './de.ts'
import { en } from './en.ts'
import { pl } from './pl.ts'

const invitation = { account: null, accountName: 'Acme', invitedBy: 'Ann', link: 'https://a.example/1' }

test.for([
  ['en', en, 'within one minute:', 'within 30 minutes:', 'within one day:', 'within 7 days:'],
  ['de', de, 'eine Minute lang:', '30 Minuten lang:', 'einen Tag lang:', '7 Tage lang:'],
  ['pl', pl, 'przez 1 minutę:', 'przez 30 minut:', 'przez 1 dzień:', 'przez 7 dni:'],
] as const)('one minute and one day are singular: %s', ([, words, minute, minutes, day, days]) => {
  for (const mail of [words.reset, words.newEmail]) {
    expect(mail('ann@example.com', 1, 'https://a.example/1').text).toContain(minute)
    expect(mail('ann@example.com', 30, 'https://a.example/1').text).toContain(minutes)
  }
  expect(words.invitation({ ...invitation, days: 1 }).text).toContain(day)
  expect(words.invitation({ ...invitation, days: 7 }).text).toContain(days)
})
