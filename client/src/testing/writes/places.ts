import { clamped, ean, flag, integer, type Parameter, type Parameters } from '../parameters.ts'
import { BULK_KINDS, writeBulk } from './bulk/bulk.ts'
import { deleteOffer, findOffer, listOffers, patchOffer, putOffer } from './offers.ts'
import { cancelOperation, findOperation, listErrors, listOperations } from './operations.ts'
import { createProduct, deleteProduct, listProducts, patchProduct, productOfPath } from './products.ts'
import { deleteStock, patchStock, putStock, stockOf } from './stock.ts'
import { afterOf, listAll, requireOne, type Collection } from './settings/collection.ts'
import { writesOf, type SettingWrites } from './settings/kept.ts'
import { RATES } from './settings/rates.ts'
import { GROUPS, STORES } from './settings/read-only.ts'
import { SUPPLIERS } from './settings/suppliers.ts'
import type { Call, Work } from './written.ts'

// The routes below /account.

/** Reads the body. @throws Problem invalid-input */
type Handler = (call: Call) => Work

export interface Place {
  path: RegExp
  /** Answers a GET; its result becomes `data`. */
  get?: (call: Call) => unknown
  /** Answers a GET with a page: its result is the whole body. */
  list?: (call: Call) => object
  /** Parameters of the query; all others are refused. */
  query?: Parameters
  methods: Readonly<Partial<Record<string, Handler>>>
  /** Whether rows may be sent as lines of JSON. */
  hasLines?: true
  /** Methods that the service has here but the fake lacks. */
  unwritten?: readonly string[]
}

const perPage = clamped(1, 200, 50)

const plain: Parameter<string | undefined> = { fallback: undefined, read: (text) => text }

export const PLACES: readonly Place[] = [
  { path: /^\/account$/, get: ({ account }) => account, methods: {}, unwritten: ['PATCH'] },
  {
    path: /^\/account\/products$/,
    list: listProducts,
    query: { per_page: perPage, after: integer(0, undefined, undefined), sku: plain, ean },
    methods: { POST: createProduct },
  },
  {
    path: /^\/account\/suppliers\/([^/]+)\/offers$/,
    list: listOffers,
    query: { per_page: perPage, after: plain },
    methods: {},
  },
  {
    path: /^\/account\/products\/([^/]+)\/stock$/,
    get: stockOf,
    methods: { PUT: putStock, PATCH: patchStock, DELETE: deleteStock },
  },
  {
    path: /^\/account\/products\/([^/]+)$/,
    get: productOfPath,
    methods: { PATCH: patchProduct, DELETE: deleteProduct },
  },
  {
    path: /^\/account\/suppliers\/([^/]+)\/offers\/([^/]+)$/,
    get: findOffer,
    methods: { PUT: putOffer, PATCH: patchOffer, DELETE: deleteOffer },
  },
  {
    path: new RegExp(`^/account/bulk/(${BULK_KINDS.join('|')})$`),
    query: { atomic: flag, dry_run: flag },
    methods: { POST: writeBulk },
    hasLines: true,
  },
  {
    path: /^\/account\/operations$/,
    list: listOperations,
    query: { per_page: perPage, before: integer(1, undefined, undefined) },
    methods: {},
  },
  { path: /^\/account\/operations\/([^/]+)$/, get: findOperation, methods: {} },
  {
    path: /^\/account\/operations\/([^/]+)\/errors$/,
    list: listErrors,
    query: { per_page: clamped(1, 1_000, 50), after: integer(0, undefined, undefined) },
    methods: {},
  },
  { path: /^\/account\/operations\/([^/]+)\/cancel$/, methods: { POST: cancelOperation } },
  ...settingPlaces(STORES, null, ['PUT', 'PATCH', 'DELETE']),
  ...settingPlaces(GROUPS, null, ['PATCH', 'DELETE']),
  ...settingPlaces(SUPPLIERS, writesOf(SUPPLIERS)),
  ...settingPlaces(RATES, writesOf(RATES)),
]

/** @param writes null: the collection can only be read @param unwritten methods of a single row that only the service has */
function settingPlaces<Row>(
  collection: Collection<Row>,
  writes: SettingWrites | null,
  unwritten: readonly string[] = [],
): Place[] {
  const { path } = collection
  return [
    {
      path: new RegExp(`^/account/${path}$`),
      list: (call) => listAll(collection, call),
      query: { per_page: perPage, after: afterOf(collection) },
      methods: writes === null ? {} : { POST: writes.create },
      unwritten: writes === null ? ['POST'] : [],
    },
    {
      path: new RegExp(`^/account/${path}/([^/]+)$`),
      get: (call) => requireOne(collection, call),
      methods: writes === null ? {} : { PUT: writes.put, PATCH: writes.patch, DELETE: writes.remove },
      unwritten,
    },
  ]
}

/** The answer where the fake has no such route. */
export const PLACES_SHOWN =
  'the fake of @shelfwire/client/testing has stock, offers, products, bulks, operations, suppliers and rates below /account, the account, stores and groups to be read, and nothing else'
