import { forms, sentences } from '../../../contract/faults/de.ts'
import { faultReader } from '../../../contract/faults/translate.ts'
import { valueFormats } from '../../../contract/faults/value-formats.ts'
import type { NoticeFacts, NoticeWords } from './words.ts'

const KEPT =
  'Es geht nichts verloren: Änderungen warten und werden der Reihe nach zugestellt, sobald der Endpunkt wieder mit einem Status 2xx antwortet.'
const FAILED = ({ failures }: NoticeFacts) => `Nacheinander sind ${failures} Zustellungen fehlgeschlagen.`
const REMEDY = 'Ist der Fehler behoben, versuchen Sie es sofort erneut mit'
const SOURCE_KEPT = 'Es geht nichts verloren: Die Angebote bleiben, wie sie nach dem letzten Import waren.'
const NOTHING = 'Sie müssen nichts tun.'
const nameOf = ({ source, supplier }: NoticeFacts) => `${source} des Lieferanten ${supplier}`

const FORMATS = { ...valueFormats('de'), quote: (text: string) => `„${text}“` }

export const de: NoticeWords = {
  labels: {
    endpoint: 'Endpunkt',
    time: 'Zeit',
    lastError: 'Letzter Fehler',
    waiting: 'Es warten',
    account: 'Konto',
    stored: 'Gespeichert',
    server: 'Server',
    pictures: 'Bilder',
    since: 'Seit',
    source: 'Quelle',
    run: 'Importlauf',
    reason: 'Grund',
    ratesOf: 'Kurse vom',
  },
  endpoint: (address, endpointId, accountId) => `${address} (Endpunkt ${endpointId} des Kontos ${accountId})`,
  noAddress: '(keine gültige Adresse)',
  status: (status) => `Status ${status}`,
  reason: faultReader(forms, sentences, FORMATS),
  changesSince: (time) => `Änderungen seit ${time}`,
  gigabytes: (amount) => `${amount} GB Bilder aller Konten`,
  sourceOf: (source, supplier, accountId) => `${source} des Lieferanten ${supplier} (Konto ${accountId})`,
  rate: (own, rate, held) => `1 ${own} ist ${rate}; laut Bank ${held}`,
  kinds: {
    failing: (facts) => ({
      subject: `Zustellungen an ${facts.short} schlagen fehl`,
      opening: FAILED(facts),
      rest: [
        `Es wird automatisch erneut versucht; nach ${facts.pausedAfter} Fehlschlägen nacheinander wird pausiert. ${KEPT}`,
        REMEDY,
        { command: 'resume' },
      ],
    }),
    paused: (facts) => ({
      subject: `Zustellungen an ${facts.short} sind pausiert`,
      opening: FAILED(facts),
      rest: [
        `Zustellungen sind pausiert${facts.pausedUntil === null ? '' : ` bis ${facts.pausedUntil}`}. Danach wird eine versucht; solange sie fehlschlägt, dauert die Pause an, jeweils ${facts.cooldownMinutes} Minuten. ${KEPT}`,
        REMEDY,
        { command: 'resume' },
      ],
    }),
    recovered: ({ short }) => ({
      subject: `Zustellungen an ${short} gelingen wieder`,
      opening: 'Der Endpunkt, der pausiert war, nimmt wieder Zustellungen an.',
      rest: [
        `Es ist nichts verloren gegangen: Die Änderungen, die gewartet haben, werden der Reihe nach zugestellt. ${NOTHING}`,
      ],
    }),
    images_full: () => ({
      subject: 'Für weitere Bilder ist kein Platz',
      opening:
        'Der Platz für Bilder ist aufgebraucht, deshalb werden neue Bilder Ihrer Lieferanten nicht mehr kopiert.',
      rest: [
        'In Ihren Shops fehlt nichts: Diese Bilder werden unter ihren ursprünglichen Adressen angezeigt. Was schon kopiert ist, bleibt. Sie werden später kopiert, wenn Platz ist.',
        'Der Betreiber dieser Installation kann die Einstellung IMAGE_STORE_GB oder die Limits Ihres Kontos für Bilder erhöhen.',
      ],
    }),
    images_resumed: () => ({
      subject: 'Für Bilder ist wieder Platz',
      opening: 'Für Bilder ist wieder Platz, und die wartenden werden kopiert.',
      rest: [NOTHING],
    }),
    images_failing: ({ short, host, pictures, adopts }) => ({
      subject: `Bilder von ${short} lassen sich nicht abrufen`,
      opening:
        pictures === 1
          ? `1 Bild des Servers ${host} lässt sich nicht mehr abrufen. Ihre Shops zeigen unsere Kopie davon.`
          : `${pictures} Bilder des Servers ${host} lassen sich nicht mehr abrufen. Ihre Shops zeigen unsere Kopien davon.`,
      rest: adopts
        ? [
            `Es wird nichts fehlen: Bleibt der Server 30 Tage aus, werden die Kopien Ihre eigenen Bilder, wie es in den Einstellungen des Kontos steht. ${NOTHING}`,
          ]
        : [
            'Noch fehlt in Ihren Shops nichts. Bleibt der Server 30 Tage aus, werden die Bilder aus Ihren Produkten weggelassen.',
            'Um die Kopien auf jeden Fall als eigene Bilder zu behalten, übernehmen Sie sie im Panel (Datenprüfung) oder mit',
            { command: 'adopt' },
          ],
    }),
    source_failing: (facts) => ({
      subject: `Die Quelle ${nameOf(facts)} fällt aus`,
      opening: 'Seit einem Tag oder länger wurde keine Datei dieser Quelle importiert.',
      rest: [
        `${SOURCE_KEPT} Sie wird nach ihrem Zeitplan wieder abgerufen.`,
        'Um zu sehen, was der Server antwortet, und um sofort zu importieren, verwenden Sie',
        { command: 'test' },
      ],
    }),
    source_held: (facts) => ({
      subject: `Eine Datei der Quelle ${nameOf(facts)} wurde zurückgehalten`,
      opening:
        'Eine Datei wurde abgerufen, aber nicht importiert, weil sie mehr ändern würde, als die Grenzwerte des Lieferanten erlauben.',
      rest: [`${SOURCE_KEPT} Ist die Datei richtig, importieren Sie sie mit`, { command: 'confirm' }],
    }),
    source_recovered: (facts) => ({
      subject: `Die Quelle ${nameOf(facts)} liefert wieder`,
      opening: 'Ihre Datei wurde wieder importiert.',
      rest: [NOTHING],
    }),
    rates_held: ({ currencies }) => ({
      subject: `Wechselkurse der Europäischen Zentralbank sind zurückgehalten: ${currencies}`,
      opening:
        'Kurse der Europäischen Zentralbank weichen stärker von Ihren ab, als die größte Änderung Ihres Kontos erlaubt, deshalb sind sie zurückgehalten.',
      rest: [
        'Ihre Preise bleiben, wie sie sind. Sind die Kurse der Bank richtig, übernehmen Sie sie im Panel (Wechselkurse) oder mit',
        { command: 'rates' },
      ],
    }),
  },
  test: {
    subject: 'Eine Testmeldung',
    text: (channel, accountId) =>
      `Der Kanal ${channel} funktioniert: Meldungen des Kontos ${accountId} kommen hier an.`,
  },
  openInPanel: 'Im Panel öffnen',
}
