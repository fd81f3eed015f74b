import type { NoticeFacts, NoticeWords } from './words.ts'

const KEPT =
  'Nothing is lost: changes wait, and are delivered in order once the endpoint answers with a status of 2xx again.'
const FAILED = ({ failures }: NoticeFacts) => `${failures} deliveries in a row have failed.`
const REMEDY = 'Once it is fixed, retry it immediately with'
const SOURCE_KEPT = 'Nothing is lost: its offers stay as the last import left them.'
const NOTHING = 'There is nothing to do.'
const nameOf = ({ source, supplier }: NoticeFacts) => `${source} of the supplier ${supplier}`

export const en: NoticeWords = {
  labels: {
    endpoint: 'Endpoint',
    time: 'Time',
    lastError: 'Last error',
    waiting: 'Waiting',
    account: 'Account',
    stored: 'Stored',
    server: 'Server',
    pictures: 'Pictures',
    since: 'Since',
    source: 'Source',
    run: 'Run',
    reason: 'Reason',
    ratesOf: 'Rates of',
  },
  endpoint: (address, endpointId, accountId) => `${address} (endpoint ${endpointId} of account ${accountId})`,
  noAddress: '(no valid address)',
  status: (status) => `status ${status}`,
  reason: (sentence) => sentence,
  changesSince: (time) => `changes since ${time}`,
  gigabytes: (amount) => `${amount} GB of pictures, of all accounts`,
  sourceOf: (source, supplier, accountId) => `${source} of the supplier ${supplier} (account ${accountId})`,
  rate: (own, rate, held) => `one ${own} is ${rate}; of the bank ${held}`,
  kinds: {
    failing: (facts) => ({
      subject: `Deliveries to ${facts.short} fail`,
      opening: FAILED(facts),
      rest: [
        `It is tried again automatically, and paused after ${facts.pausedAfter} failures in a row. ${KEPT}`,
        REMEDY,
        { command: 'resume' },
      ],
    }),
    paused: (facts) => ({
      subject: `Deliveries to ${facts.short} are paused`,
      opening: FAILED(facts),
      rest: [
        `Deliveries are paused${facts.pausedUntil === null ? '' : ` until ${facts.pausedUntil}`}. One is tried after that; while it fails, the pause goes on, ${facts.cooldownMinutes} minutes at a time. ${KEPT}`,
        REMEDY,
        { command: 'resume' },
      ],
    }),
    recovered: ({ short }) => ({
      subject: `Deliveries to ${short} work again`,
      opening: 'The endpoint, which was paused, accepts deliveries again.',
      rest: [`Nothing was lost: the changes that waited are delivered in order. ${NOTHING}`],
    }),
    images_full: () => ({
      subject: 'There is no room for more pictures',
      opening: 'The space for pictures is used up, so new pictures of your suppliers are not copied any more.',
      rest: [
        'Nothing is missing in your stores: those pictures are shown by their original URLs. What was copied before stays. They are copied later, when there is room.',
        'The operator of this installation can raise the setting IMAGE_STORE_GB, or your account’s own limits of pictures.',
      ],
    }),
    images_resumed: () => ({
      subject: 'There is room for pictures again',
      opening: 'There is room for pictures again, and those that waited are being copied.',
      rest: [NOTHING],
    }),
    images_failing: ({ short, host, pictures, adopts }) => ({
      subject: `Pictures of ${short} cannot be fetched`,
      opening: `${pictures === 1 ? '1 picture' : `${pictures} pictures`} of the server ${host} cannot be fetched any more. Your stores show our copies of them.`,
      rest: adopts
        ? [
            `Nothing will be missing: if the server stays away for 30 days, the copies become your own, as the account’s settings say. ${NOTHING}`,
          ]
        : [
            'Nothing is missing in your stores now. If the server stays away for 30 days, the pictures are left out of your products.',
            'To keep the copies as your own pictures whatever becomes of the server, adopt them in the panel (Findings), or with',
            { command: 'adopt' },
          ],
    }),
    source_failing: (facts) => ({
      subject: `The source ${nameOf(facts)} fails`,
      opening: 'No file of this source has been imported for a day or longer.',
      rest: [
        `${SOURCE_KEPT} It is fetched again by its schedule.`,
        'To see what the server answers, and to import it at once, use',
        { command: 'test' },
      ],
    }),
    source_held: (facts) => ({
      subject: `A file of the source ${nameOf(facts)} was held back`,
      opening:
        'A file was fetched and not imported, because it would change more than the limits of the supplier allow.',
      rest: [`${SOURCE_KEPT} If the file is right, import it with`, { command: 'confirm' }],
    }),
    source_recovered: (facts) => ({
      subject: `The source ${nameOf(facts)} works again`,
      opening: 'Its file has been imported again.',
      rest: [NOTHING],
    }),
    rates_held: ({ currencies }) => ({
      subject: `Exchange rates of the European Central Bank are held: ${currencies}`,
      opening:
        'Rates of the European Central Bank differ more from yours than your account’s greatest change allows, so they are held.',
      rest: [
        'Your prices stay as they are. If the bank’s rates are right, take them over in the panel (Exchange rates), or with',
        { command: 'rates' },
      ],
    }),
  },
  test: {
    subject: 'A test notice',
    text: (channel, accountId) => `The channel ${channel} works: notices of account ${accountId} arrive here.`,
  },
  openInPanel: 'Open in the panel',
}
