import { forms, sentences } from '../../../contract/faults/pl.ts'
import { faultReader } from '../../../contract/faults/translate.ts'
import { valueFormats } from '../../../contract/faults/value-formats.ts'
import type { NoticeFacts, NoticeWords } from './words.ts'

const KEPT =
  'Nic nie przepada: zmiany czekają i zostaną dostarczone po kolei, gdy punkt końcowy znów odpowie statusem 2xx.'
const FAILED = ({ failures }: NoticeFacts) => `Liczba nieudanych dostarczeń z rzędu: ${failures}.`
const REMEDY = 'Po usunięciu usterki można od razu ponowić próbę poleceniem'
const SOURCE_KEPT = 'Nic nie przepada: oferty pozostają takie, jakie zostawił ostatni import.'
const NOTHING = 'Nie trzeba nic robić.'
const nameOf = ({ source, supplier }: NoticeFacts) => `${source} dostawcy ${supplier}`

const PLURAL = new Intl.PluralRules('pl')
const picturesOf = (count: number) => {
  const form = PLURAL.select(count)
  if (form === 'one') return `Nie można już pobrać ${count} zdjęcia`
  return `Nie można już pobrać ${count} zdjęć`
}

const FORMATS = { ...valueFormats('pl'), quote: (text: string) => `„${text}”` }

export const pl: NoticeWords = {
  labels: {
    endpoint: 'Punkt końcowy',
    time: 'Czas',
    lastError: 'Ostatni błąd',
    waiting: 'Oczekują',
    account: 'Konto',
    stored: 'Zapisano',
    server: 'Serwer',
    pictures: 'Zdjęcia',
    since: 'Od',
    source: 'Źródło',
    run: 'Import',
    reason: 'Powód',
    ratesOf: 'Kursy z dnia',
  },
  endpoint: (address, endpointId, accountId) => `${address} (punkt końcowy ${endpointId} konta ${accountId})`,
  noAddress: '(brak poprawnego adresu)',
  status: (status) => `status ${status}`,
  reason: faultReader(forms, sentences, FORMATS),
  changesSince: (time) => `zmiany od ${time}`,
  gigabytes: (amount) => `${amount} GB zdjęć wszystkich kont`,
  sourceOf: (source, supplier, accountId) => `${source} dostawcy ${supplier} (konto ${accountId})`,
  rate: (own, rate, held) => `1 ${own} to ${rate}; według banku ${held}`,
  kinds: {
    failing: (facts) => ({
      subject: `Dostarczenia do ${facts.short} nie udają się`,
      opening: FAILED(facts),
      rest: [
        `Próby są ponawiane automatycznie; po ${facts.pausedAfter} nieudanych z rzędu następuje przerwa. ${KEPT}`,
        REMEDY,
        { command: 'resume' },
      ],
    }),
    paused: (facts) => ({
      subject: `Dostarczenia do ${facts.short} są wstrzymane`,
      opening: FAILED(facts),
      rest: [
        `Dostarczenia są wstrzymane${facts.pausedUntil === null ? '' : ` do ${facts.pausedUntil}`}. Potem podejmowana jest jedna próba; dopóki się nie udaje, przerwa jest przedłużana, za każdym razem o ${facts.cooldownMinutes} min. ${KEPT}`,
        REMEDY,
        { command: 'resume' },
      ],
    }),
    recovered: ({ short }) => ({
      subject: `Dostarczenia do ${short} znów działają`,
      opening: 'Punkt końcowy, który był wstrzymany, znów przyjmuje dostarczenia.',
      rest: [`Nic nie przepadło: oczekujące zmiany są dostarczane po kolei. ${NOTHING}`],
    }),
    images_full: () => ({
      subject: 'Nie ma miejsca na kolejne zdjęcia',
      opening: 'Miejsce na zdjęcia się skończyło, dlatego nowe zdjęcia dostawców nie są już kopiowane.',
      rest: [
        'W Twoich sklepach niczego nie brakuje: te zdjęcia są pokazywane pod oryginalnymi adresami i zostaną skopiowane później, gdy będzie miejsce. Zdjęcia już skopiowane pozostają.',
        'Operator tej instalacji może zwiększyć ustawienie IMAGE_STORE_GB albo limity zdjęć tego konta.',
      ],
    }),
    images_resumed: () => ({
      subject: 'Znów jest miejsce na zdjęcia',
      opening: 'Znów jest miejsce na zdjęcia, a oczekujące są kopiowane.',
      rest: [NOTHING],
    }),
    images_failing: ({ short, host, pictures, adopts }) => ({
      subject: `Nie można pobrać zdjęć z ${short}`,
      opening: `${picturesOf(pictures)} z serwera ${host}. Sklepy pokazują nasze kopie.`,
      rest: adopts
        ? [
            `Niczego nie zabraknie: jeśli serwer nie będzie działać przez 30 dni, kopie staną się Twoimi własnymi zdjęciami, zgodnie z ustawieniami konta. ${NOTHING}`,
          ]
        : [
            'Na razie w Twoich sklepach niczego nie brakuje. Jeśli serwer nie będzie działać przez 30 dni, zdjęcia zostaną pominięte w produktach.',
            'Aby zachować kopie jako własne zdjęcia niezależnie od serwera, przejmij je w panelu (Uwagi) albo poleceniem',
            { command: 'adopt' },
          ],
    }),
    source_failing: (facts) => ({
      subject: `Źródło ${nameOf(facts)} nie działa`,
      opening: 'Od co najmniej doby nie zaimportowano żadnego pliku z tego źródła.',
      rest: [
        `${SOURCE_KEPT} Plik jest nadal pobierany według harmonogramu.`,
        'Odpowiedź serwera pokazuje pierwsze polecenie, a drugie importuje od razu:',
        { command: 'test' },
      ],
    }),
    source_held: (facts) => ({
      subject: `Plik ze źródła ${nameOf(facts)} został wstrzymany`,
      opening: 'Plik pobrano, ale nie zaimportowano, bo zmieniłby więcej, niż pozwalają limity dostawcy.',
      rest: [`${SOURCE_KEPT} Jeśli plik jest właściwy, zaimportuj go poleceniem`, { command: 'confirm' }],
    }),
    source_recovered: (facts) => ({
      subject: `Źródło ${nameOf(facts)} znów działa`,
      opening: 'Jego plik został ponownie zaimportowany.',
      rest: [NOTHING],
    }),
    rates_held: ({ currencies }) => ({
      subject: `Kursy Europejskiego Banku Centralnego są wstrzymane: ${currencies}`,
      opening:
        'Kursy Europejskiego Banku Centralnego różnią się od Twoich bardziej, niż pozwala największa zmiana ustawiona dla konta, dlatego są wstrzymane.',
      rest: [
        'Ceny pozostają bez zmian. Jeśli kursy banku są właściwe, przejmij je w panelu (Kursy walut) albo poleceniem',
        { command: 'rates' },
      ],
    }),
  },
  test: {
    subject: 'Powiadomienie testowe',
    text: (channel, accountId) => `Kanał ${channel} działa: powiadomienia konta ${accountId} docierają tutaj.`,
  },
  openInPanel: 'Otwórz w panelu',
}
