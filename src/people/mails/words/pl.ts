import type { MailWords } from './words.ts'

const PLURAL = new Intl.PluralRules('pl')
const MINUTES: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'minutę', few: 'minuty' }
const minutesOf = (minutes: number) => `${minutes} ${MINUTES[PLURAL.select(minutes)] ?? 'minut'}`
const TIME = new Intl.DateTimeFormat('pl', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
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
    text: `Ktoś, kto jest zalogowany w Shelfwire jako ${to}, chce od teraz logować się jako ${email}.

Jeśli to Ty, otwórz link, który został tam wysłany. Jeśli to nie Ty, ustaw teraz nowe hasło, co zatrzyma zmianę, i wyloguj się wszędzie.
`,
  }),
  emailChanged: (to, email) => ({
    subject: 'Adres e-mail do Shelfwire został zmieniony',
    text: `${to} nie służy już do logowania w Shelfwire: adres to teraz ${email}.

Jeśli to nie Ty, powiadom od razu właściciela konta lub operatora usługi.
`,
  }),
  alerts: {
    acts: {
      changePassword: (email) => `${email}: ustawiono nowe hasło`,
      resetPassword: (email) => `${email}: ustawiono nowe hasło za pomocą linku z wiadomości e-mail`,
      addPasskey: (email) => `${email}: dodano klucz dostępu`,
      removePasskey: (email) => `${email}: usunięto klucz dostępu`,
      confirmTotp: (email) => `${email}: skonfigurowano aplikację uwierzytelniającą`,
      removeTotp: (email) => `${email}: logowanie nie wymaga już kodów z aplikacji uwierzytelniającej`,
      linkProvider: (email) => `${email}: logowanie odbywa się odtąd u dostawcy tożsamości`,
      unlinkProvider: (email) => `${email}: logowanie nie odbywa się już u dostawcy tożsamości`,
      takeOverByProvider: (email) =>
        `${email}: logowanie odbywa się odtąd u dostawcy tożsamości, a wszystkie dotychczasowe sposoby logowania straciły ważność`,
    },
    tokenCreated: (by) => `${by}: utworzono token z pełnym dostępem do Twojego konta`,
    tokenRotated: (by) => `${by}: wymieniono token z pełnym dostępem do Twojego konta`,
    ownerInvited: (by, email) => `${by}: zaproszono ${email} do Twojego konta w roli właściciela`,
    ownerJoined: (email) => `${email} należy odtąd do Twojego konta jako właściciel`,
    ownerRemoved: (by, email) => `${by}: usunięto ${email}, dotychczasowego właściciela Twojego konta`,
    madeOwner: (by, email) => `${by}: nadano ${email} rolę właściciela Twojego konta`,
    madeMember: (by, email) => `${by}: zmieniono rolę ${email} na Twoim koncie z właściciela na członka`,
    passkeyName: (name) => `Nazwa klucza dostępu: ${name}`,
    sessionsEnded: 'Wszystkie sesje zostały zakończone.',
    passkeysRemoved: (names) => `Usunięte klucze dostępu: ${names.join(', ')}.`,
    providerUnlinked:
      'Dostawca tożsamości, z którym połączono profil, został odłączony; jeśli to Twoje połączenie, połącz go ponownie w profilu.',
    codesEnd: (hours) =>
      `Kody z aplikacji uwierzytelniającej przestaną działać za ${hours} godz. Jeśli są Twoje, zaloguj się wcześniej jednym z nich; wtedy pozostaną ważne.`,
    addressUnproven:
      'Do tej pory nic nie potwierdzało, że adres należy do tej osoby, dlatego dotychczasowe hasło, klucze dostępu, kody i sesje straciły ważność: mógł je ustawić ktoś inny.',
    made: { tokens: 'tokeny', invitations: 'zaproszenia', endpointLinks: 'linki do punktów końcowych' },
    goesOn: (list) =>
      `Nadal działa to, co utworzono w imieniu tej osoby: ${list}. W profilu tej osoby można to sprawdzić i unieważnić.`,
    passwordAgain: '„Nie pamiętasz hasła?” na stronie logowania wysyła link, którym ustawia się nowe.',
    mail: ({ sentence, more, happenedAt, address }) => ({
      subject: 'Bezpieczeństwo Twojego konta w Shelfwire',
      text: `${sentence}.

Czas:   ${TIME.format(happenedAt)} UTC
Skąd:   ${address}
${more === '' ? '' : `\n${more}\n`}
Jeśli to oczekiwana zmiana, nie trzeba nic robić. W przeciwnym razie być może zalogował się ktoś inny: ustaw nowe hasło, wyloguj się wszędzie i sprawdź osoby, tokeny oraz dziennik zmian swojego konta.
`,
    }),
  },
}
