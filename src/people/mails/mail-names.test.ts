import { describe, expect, test } from 'vitest'
import { nameInSubject, nameInText } from './mail-names.ts'

describe('names in mails', () => {
  test.each(['Acme', 'Bolts & Sons, Ltd.', 'Żółw (Kraków)', 'No. 7', 'Müller – Werkzeug', 'שלום'])(
    'a name that is one stays: %s',
    (name) => expect([nameInSubject(name), nameInText(name)]).toEqual([name, name]),
  )

  test.each([
    'https://evil.example/pay',
    'evil.example',
    'Pay at evil。example',
    'pay@evil.example',
    'pay＠evil',
    'www.evil.example',
    'Your invoice: http://1.2.3.4',
    'tel:+49123',
    'x'.repeat(61),
    ' ',
  ])('one that holds an address, or is long, is in no subject: %s', (name) => expect(nameInSubject(name)).toBeNull())

  test.each([
    'https://evil.example/pay?x=1',
    'evil.example',
    'pay@evil.example',
    'evil。example',
    'a\u202Eb.c',
    '//evil',
  ])('nor is there a link in the text: %s', (name) => expect(nameInText(name)).not.toMatch(/\S[@.:/]\S|\p{C}/u))

  test.each(['\u202Eemca', 'a\u2066b', 'a\r\nBcc: x', 'a\u2028b', 'a\u0000b'])(
    'bidirectional and control characters become blanks: %j',
    (name) => {
      expect(nameInSubject(name) ?? '').not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      expect(nameInText(name)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
    },
  )
})
