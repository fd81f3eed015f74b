import { NOTICES, type NoticeSubject, type NoticeSubjectAbout, type NoticeThing } from '../../contract/notice-kinds.ts'
import { LIMITS } from '../platform/limits.ts'

// The text of notices to owners. Pure.

const MINUTE_MS = 60_000
const SUBJECT_ADDRESS_LENGTH_MAX = 150

export interface NoticeText {
  subject: string
  /** Lines ended by \n. */
  text: string
}

/** A notice as text: subject and body of its mail. Times are in UTC; the endpoint's URL is shown without its query. */
export function noticeText(accountId: number, notice: NoticeSubject & { createdAt: Date }): NoticeText {
  const { createdAt } = notice
  if (isAbout('source', notice)) return sourceText(accountId, notice, createdAt)
  if (isAbout('rates', notice)) return ratesText(accountId, notice.facts, createdAt)
  if (notice.kind === 'images_failing') return failingPicturesText(accountId, notice.facts, createdAt)
  if (notice.endpointId === null) return spaceText(accountId, notice, createdAt)
  return endpointText(accountId, notice, createdAt)
}

/** Whether a notice is about such a thing. */
export function isAbout<A extends NoticeThing, N extends NoticeSubject>(
  thing: A,
  notice: N,
): notice is N & NoticeSubjectAbout<A> {
  // a process of a newer release beside this one may write kinds that this one does not know
  return Object.hasOwn(NOTICES, notice.kind) && NOTICES[notice.kind].about === thing
}

/** About deliveries to an endpoint. */
function endpointText(accountId: number, notice: NoticeSubjectAbout<'endpoint'>, createdAt: Date): NoticeText {
  const { kind, facts } = notice
  const address = addressShown(facts.url)
  const short =
    address.length > SUBJECT_ADDRESS_LENGTH_MAX ? `${address.slice(0, SUBJECT_ADDRESS_LENGTH_MAX)}…` : address
  const about = [
    `Endpoint:    ${address} (endpoint ${notice.endpointId} of account ${accountId})`,
    `Time:        ${timeShown(createdAt.toISOString())}`,
  ].join('\n')
  const trouble = [
    `${facts.failures} deliveries in a row have failed.`,
    [
      about,
      `Last error:  ${errorShown(facts.last)}`,
      ...(facts.pending_since === null ? [] : [`Waiting:     changes since ${timeShown(facts.pending_since)}`]),
    ].join('\n'),
  ]
  const kept =
    'Nothing is lost: changes wait, and are delivered in order once the endpoint answers with a status of 2xx again.'
  const remedy = `Once it is fixed, retry it immediately with\n\n  shelfwire endpoint resume --account ${accountId} --endpoint ${notice.endpointId}`
  const texts: Record<typeof kind, () => [string, string[]]> = {
    failing: () => [
      `Deliveries to ${short} fail`,
      [
        ...trouble,
        `It is tried again automatically, and paused after ${LIMITS.webhookFailuresPaused} failures in a row. ${kept}`,
        remedy,
      ],
    ],
    paused: () => [
      `Deliveries to ${short} are paused`,
      [
        ...trouble,
        `Deliveries are paused${facts.paused_until === null ? '' : ` until ${timeShown(facts.paused_until)}`}. One is tried after that; while it fails, the pause goes on, ${LIMITS.webhookCooldownMs / MINUTE_MS} minutes at a time. ${kept}`,
        remedy,
      ],
    ],
    recovered: () => [
      `Deliveries to ${short} work again`,
      [
        'The endpoint, which was paused, accepts deliveries again.',
        about,
        'Nothing was lost: the changes that waited are delivered in order. There is nothing to do.',
      ],
    ],
  }
  const [subject, paragraphs] = texts[kind]()
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** About the room for pictures. */
function spaceText(
  accountId: number,
  { kind, facts }: Extract<NoticeSubject, { kind: 'images_full' | 'images_resumed' }>,
  createdAt: Date,
): NoticeText {
  const about = [
    `Account:     ${accountId}`,
    `Time:        ${timeShown(createdAt.toISOString())}`,
    `Stored:      ${(facts.used_bytes / 1_000_000_000).toFixed(2)} GB of pictures, of all accounts`,
  ].join('\n')
  const paragraphs =
    kind === 'images_full'
      ? [
          'The space for pictures is used up, so new pictures of your suppliers are not copied any more.',
          about,
          'Nothing is missing in your stores: those pictures are shown by their original URLs. What was copied before stays. They are copied later, when there is room.',
          'The operator of this installation can raise the setting IMAGE_STORE_GB, or your account’s own limits of pictures.',
        ]
      : ['There is room for pictures again, and those that waited are being copied.', about, 'There is nothing to do.']
  const subject = kind === 'images_full' ? 'There is no room for more pictures' : 'There is room for pictures again'
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** About copies of pictures whose source fails. */
function failingPicturesText(
  accountId: number,
  { host, pictures, failed_since: since, adopts }: Extract<NoticeSubject, { kind: 'images_failing' }>['facts'],
  createdAt: Date,
): NoticeText {
  const many = pictures === 1 ? '1 picture' : `${pictures} pictures`
  const about = [
    `Account:     ${accountId}`,
    `Time:        ${timeShown(createdAt.toISOString())}`,
    `Server:      ${host}`,
    `Pictures:    ${pictures}`,
    `Since:       ${timeShown(since)}`,
  ].join('\n')
  const paragraphs = [
    `${many} of the server ${host} cannot be fetched any more. Your stores show our copies of them.`,
    about,
    ...(adopts
      ? [
          'Nothing will be missing: if the server stays away for 30 days, the copies become your own, as the account’s settings say. There is nothing to do.',
        ]
      : [
          'Nothing is missing in your stores now. If the server stays away for 30 days, the pictures are left out of your products.',
          `To keep the copies as your own pictures whatever becomes of the server, adopt them in the panel (Findings), or with\n\n  shelfwire images adopt --account ${accountId} --all`,
        ]),
  ]
  return { subject: `Pictures of ${host.slice(0, 150)} cannot be fetched`, text: `${paragraphs.join('\n\n')}\n` }
}

/** About a source of supplier files. */
function sourceText(accountId: number, { kind, facts }: NoticeSubjectAbout<'source'>, createdAt: Date): NoticeText {
  const { source, supplier, run_id: runId, failure, failed_since: since } = facts
  const name = `${source} of the supplier ${supplier}`
  const command = (rest: string) =>
    `  shelfwire source ${rest} --account ${accountId} --supplier ${supplier} --source ${source}`
  const about = [
    `Source:      ${name} (account ${accountId})`,
    `Time:        ${timeShown(createdAt.toISOString())}`,
    ...(runId === null ? [] : [`Run:         ${runId}`]),
    ...(since === null ? [] : [`Since:       ${timeShown(since)}`]),
    ...(failure === null ? [] : [`Reason:      ${failure}`]),
  ].join('\n')
  const kept = 'Nothing is lost: its offers stay as the last import left them.'
  const texts: Record<typeof kind, [string, string[]]> = {
    source_failing: [
      `The source ${name} fails`,
      [
        'No file of this source has been imported for a day or longer.',
        about,
        `${kept} It is fetched again by its schedule.`,
        `To see what the server answers, and to import it at once, use\n\n${command('test')}\n${command('run')}`,
      ],
    ],
    source_held: [
      `A file of the source ${name} was held back`,
      [
        'A file was fetched and not imported, because it would change more than the thresholds of the supplier allow.',
        about,
        `${kept} If the file is right, import it with`,
        `${command('run')} --confirm`,
      ],
    ],
    source_recovered: [
      `The source ${name} works again`,
      ['Its file has been imported again.', about, 'There is nothing to do.'],
    ],
  }
  const [subject, paragraphs] = texts[kind]
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** About exchange rates of the European Central Bank that are not taken over by themselves. */
function ratesText(
  accountId: number,
  { day, own, rates }: NoticeSubjectAbout<'rates'>['facts'],
  createdAt: Date,
): NoticeText {
  const about = [
    `Account:     ${accountId}`,
    `Time:        ${timeShown(createdAt.toISOString())}`,
    `Rates of:    ${day}`,
    ...rates.map(
      ({ currency, rate, held_rate: held }) => `${currency}:         one ${own} is ${rate}; of the bank ${held}`,
    ),
  ].join('\n')
  const set = rates.map(({ currency, held_rate: held }) => `${currency}=${held}`).join(' ')
  const paragraphs = [
    'Rates of the European Central Bank differ more from yours than your account’s greatest change allows, so they are held.',
    about,
    'Your prices stay as they are. If the bank’s rates are right, take them over in the panel (Exchange rates), or with',
    `  shelfwire rate set --account ${accountId} ${set}`,
  ]
  const names = rates.map(({ currency }) => currency).join(', ')
  return {
    subject: `Exchange rates of the European Central Bank are held: ${names}`.slice(0, SUBJECT_ADDRESS_LENGTH_MAX),
    text: `${paragraphs.join('\n\n')}\n`,
  }
}

/** An endpoint's address for people to read: its URL without the query, which may hold secrets. */
export function addressShown(url: string): string {
  if (!URL.canParse(url)) return '(no valid address)'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** A status, or the kind of fault if there was no answer. */
function errorShown(last: string): string {
  return /^\d{3}$/.test(last)
    ? `status ${last}`
    : last
        .replace(/[^a-z0-9]+/gi, ' ')
        .trim()
        .slice(0, 100)
}

/** To the minute. */
function timeShown(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
