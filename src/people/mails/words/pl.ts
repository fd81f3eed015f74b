import type { MailWords } from './words.ts'

const PLURAL = new Intl.PluralRules('pl')
const MINUTES: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'minutę', few: 'minuty' }
const minutesOf = (minutes: number) => `${minutes} ${MINUTES[PLURAL.select(minutes)] ?? 'minut'}`
const IGNORE = 'Jeśli to nie Ty, zignoruj tę wiadomość:'

export const pl: MailWords = {
  operator: 'Operator usługi',
  invitation: ({ account, accountName, invitedBy, days, link }) => ({
    subject: account === null ? 'Zaproszenie do Shelfwire' : `Zaproszenie do konta ${account} w Shelfwire`,
    text: `${invitedBy} zaprasza Cię do konta „${accountName}” w Shelfwire.

Otwórz ten link, aby przyjąć zaproszenie; działa jeden raz, przez ${days} ${days === 1 ? 'dzień' : 'dni'}:

${link}

Jeśli nie wiesz, o co chodzi, zignoruj tę wiadomość.
`,
  }),
  reset: (to, minutes, link) => ({
    subject: 'Nowe hasło do Shelfwire',
    text: `Ktoś poprosił o nowe hasło dla ${to} w Shelfwire.

Otwórz ten link, aby je ustawić; działa jeden raz, przez ${minutesOf(minutes)}:

${link}

${IGNORE} hasło pozostanie bez zmian.
`,
  }),
  newEmail: (to, minutes, link) => ({
    subject: 'Nowy adres e-mail do Shelfwire',
    text: `Ktoś chce logować się do Shelfwire jako ${to}.

Otwórz ten link, aby potwierdzić, że to Ty; działa jeden raz, przez ${minutesOf(minutes)}:

${link}

${IGNORE} nic się nie zmieni.
`,
  }),
  emailAsked: (to, email) => ({
    subject: 'Zmiana adresu e-mail do Shelfwire',
    text: `Ktoś, kto jest zalogowany w Shelfwire jako ${to}, chce odtąd logować się jako ${email}.

Jeśli to Ty, otwórz link, który został tam wysłany. Jeśli to nie Ty, ustaw teraz nowe hasło, co zatrzyma zmianę, i wyloguj się wszędzie.
`,
  }),
  emailChanged: (to, email) => ({
    subject: 'Adres e-mail do Shelfwire został zmieniony',
    text: `${to} nie służy już do logowania w Shelfwire: adres to teraz ${email}.

Jeśli to nie Ty, powiadom od razu właściciela konta lub operatora usługi.
`,
  }),
}
