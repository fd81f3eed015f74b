import Type from 'typebox'
import { AfterSku, PathKey, PerPage } from '../parameters.ts'
import { OfferPatch, OfferPut, OfferResource } from '../product-resources.ts'
import { listMeta, readRoute, writeRoute } from '../route.ts'
import { WRITES } from './write-note.ts'

// Suppliers' offers, one by one.

const offers = '/v1/account/suppliers/{code}/offers'
const code = PathKey('The supplier’s code.')
const one = {
  path: `${offers}/{sku}`,
  params: { code, sku: PathKey('Supplier’s key (SKU) of the article.') },
  tag: 'offers',
} as const
const answer = { data: OfferResource }
const unknown = ['unknown-supplier', 'unknown-reference'] as const

export const LIST_OFFERS = readRoute({
  id: 'listOffers',
  path: offers,
  tag: 'offers',
  summary: 'List a supplier’s offers',
  description: 'Offers ordered by the supplier’s key, ascending.',
  params: { code },
  query: {
    per_page: PerPage,
    after: AfterSku,
  },
  answer: { list: OfferResource, meta: listMeta({ after: Type.String() }) },
  returns: 'A page of the supplier’s offers.',
  problems: ['unknown-supplier'],
})

export const GET_OFFER = readRoute({
  ...one,
  id: 'getOffer',
  summary: 'Read an offer',
  description: 'The offer as the supplier sent it.',
  answer,
  returns: 'The offer.',
  problems: [...unknown],
})

export const PUT_OFFER = writeRoute({
  ...one,
  id: 'putOffer',
  method: 'put',
  summary: 'Create or replace an offer',
  description: `A new offer joins the product that has its EAN, or creates a product. ${WRITES}`,
  body: { noun: 'offer', schema: OfferPut },
  answer,
  returns: 'The offer as it is now.',
  problems: [...unknown],
  statuses: [200, 201],
})

export const PATCH_OFFER = writeRoute({
  ...one,
  id: 'patchOffer',
  method: 'patch',
  summary: 'Change an offer',
  description: `Members that are left out stay unchanged, null clears a member, and lists are replaced as a whole. ${WRITES}`,
  body: { noun: 'offer', schema: OfferPatch },
  answer,
  returns: 'The offer as it is now.',
  problems: [...unknown],
  statuses: [200],
})

export const DELETE_OFFER = writeRoute({
  ...one,
  id: 'deleteOffer',
  method: 'delete',
  summary: 'Delete an offer',
  description: 'Deletes the offer; its product stays. If the article is offered again, it returns to that product.',
  problems: [...unknown],
  statuses: [204],
})

export const OFFER_ROUTES = [LIST_OFFERS, GET_OFFER, PUT_OFFER, PATCH_OFFER, DELETE_OFFER] as const
