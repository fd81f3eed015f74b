import { setImageBase } from '../../src/images/base/image-base.ts'
import { writeOffers } from '../../src/catalog/products/offers/offers.ts'
import { setOverrides } from '../../src/catalog/products/products.ts'
import type { Tx } from '../../src/db/sql.ts'
import type { Outcome } from '../../src/images/mirror/state.ts'
import { editAccount } from '../../src/shelf/account.ts'
import { IMAGE_BASE, pictureOf, recordAs } from '../harness/images.ts'
import type { Case, Ground, Kind } from './input-case.ts'

/** The picture of p2 (input-case.ts). */
const URL = 'https://images.example.com/a2.jpg'

const mirrored = async (tx: Tx, { account: { accountId } }: Ground) => setImageBase(tx, accountId, IMAGE_BASE)

/** A case with mirroring: fetching p2's picture has `outcome`, after the outcomes in `before`. */
const asked = (outcome: Outcome, kinds: readonly Kind[], before: readonly Outcome[] = []): Case => ({
  before: mirrored,
  change: (tx, { account }) => recordAs(tx, account.accountId, URL, outcome),
  kinds,
  ...(before.length === 0
    ? {}
    : {
        between: before.map(
          (one) =>
            (tx: Tx, { account }: Ground) =>
              recordAs(tx, account.accountId, URL, one),
        ),
      }),
})

const FIRST = pictureOf('one')
/** A case of a picture's size, which is only in picture details, an additional member of the account. */
const sized = (size: { width?: number; height?: number }): Case => ({
  ...asked(pictureOf('one', size), ['content'], [FIRST]),
  before: async (tx, ground) => {
    await mirrored(tx, ground)
    return editAccount(tx, ground.account.accountId, { additionalMembers: ['image_details'] })
  },
})
const FAILED: Outcome = { kind: 'failed', reason: 'http_500', retryAfterMs: null }
const GONE: Outcome = { kind: 'gone', reason: 'not_found' }

/** The inputs about pictures; a part of EVERY_INPUT. */
export const IMAGE_INPUTS: Readonly<Record<string, Case | string>> = {
  'account_inputs.image_base': {
    before: mirrored,
    between: [(tx, { account }) => recordAs(tx, account.accountId, URL, FIRST)],
    change: (tx, { account }) => setImageBase(tx, account.accountId, 'https://cdn.example'),
    kinds: ['content'],
  },
  'image.account_id': 'key',
  'image.url_hash': 'key',
  'image.url': 'never changes; the offers and overrides that name it are inputs',
  'image.host': 'bookkeeping of the mirror',
  'image.state': asked(GONE, ['content']),
  'image.hash': asked(pictureOf('two'), ['content'], [FIRST]),
  'image.type': asked(pictureOf('one', { type: 'image/jpeg' }), ['content'], [FIRST]),
  'image.width': sized({ width: 2 }),
  'image.height': sized({ height: 2 }),
  'image.bytes': 'no payload depends on it',
  'image.reason': asked(FAILED, []),
  'image.etag': asked(pictureOf('one', { etag: '"2"' }), [], [FIRST]),
  'image.last_modified': 'bookkeeping of the mirror',
  'image.failures': 'bookkeeping of the mirror',
  'image.failed_since': 'bookkeeping of the mirror: for how long looks have failed is image.failing_ms',
  'image.fetched_at': 'bookkeeping of the mirror',
  'image.next_fetch_at': 'bookkeeping of the mirror',
  'image.lease_id': 'bookkeeping of the mirror',
  'image.looked_at': 'bookkeeping of the mirror',
  'image.failing_ms': {
    // a copy whose checks fail for long enough is dropped
    before: mirrored,
    between: [
      (tx, { account }) => recordAs(tx, account.accountId, URL, FIRST),
      (tx, { account }) => recordAs(tx, account.accountId, URL, GONE),
      async (tx, { account }) =>
        void (await tx`
          update image set failing_ms = ${30 * 86_400_000}, failures = 10 where account_id = ${account.accountId}`),
    ],
    change: (tx, { account }) => recordAs(tx, account.accountId, URL, GONE),
    kinds: ['content'],
  },
  'image.failing_reasons': 'bookkeeping of the mirror',
  'image.told_at': 'bookkeeping of the mirror',
  'image.adopted_at': 'no payload depends on it: an adopted copy is shown as before',
  'product_image.account_id': 'key',
  'product_image.product_id': {
    // a product that starts to name a picture whose state is already known
    before: mirrored,
    between: [(tx, { account }) => recordAs(tx, account.accountId, URL, GONE)],
    change: async (tx, { account }) =>
      (await writeOffers(tx, account.accountId, account.suppliers[0]!, [{ sku: 'A3', images: [URL] }])).productIds,
    kinds: ['content'],
  },
  'product_image.url_hash': {
    before: mirrored,
    between: [(tx, { account }) => recordAs(tx, account.accountId, URL, FIRST)],
    change: (tx, { account, p1 }) =>
      setOverrides(tx, account.accountId, [
        { productId: p1, field: 'images', locale: '', value: JSON.stringify([URL]) },
      ]),
    kinds: ['content'],
  },
}
