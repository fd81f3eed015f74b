import type { Route } from './route.ts'
import { RESOURCE_ROUTES } from './routes/account-resources.ts'
import { ACCOUNT_ROUTES } from './routes/account.ts'
import { GET_ATTRIBUTE_VALUES } from './routes/attribute-values.ts'
import { BULK_ROUTES } from './routes/bulk.ts'
import { CATALOG_ROUTES } from './routes/catalog.ts'
import { FINDING_ROUTES } from './routes/findings.ts'
import { ADOPT_IMAGES, IMAGE_ROUTES, UPLOAD_IMAGE } from './routes/images.ts'
import { IMPORT_ROUTES } from './routes/imports.ts'
import { TELL_MIRROR_CHECK } from './routes/mirror-checks.ts'
import { OFFER_ROUTES } from './routes/offers.ts'
import { OPERATION_ROUTES } from './routes/operations.ts'
import { OPERATOR_ROUTES } from './routes/operator.ts'
import { PROVISIONING_ROUTES } from './routes/provisioning.ts'
import { PRICE_LIST_ROUTES } from './routes/price-lists.ts'
import { PRODUCT_ROUTES } from './routes/products.ts'
import { STOCK_ROUTES } from './routes/stock.ts'

/** Every route of the service, in the order of the document. A route that is not listed here cannot be registered. */
export const ROUTES: readonly Route[] = [
  ...CATALOG_ROUTES,
  TELL_MIRROR_CHECK,
  ...ACCOUNT_ROUTES,
  ...RESOURCE_ROUTES,
  GET_ATTRIBUTE_VALUES,
  ...PRICE_LIST_ROUTES,
  ...PRODUCT_ROUTES,
  ...STOCK_ROUTES,
  ...OFFER_ROUTES,
  ...IMPORT_ROUTES,
  UPLOAD_IMAGE,
  ADOPT_IMAGES,
  ...Object.values(BULK_ROUTES),
  ...OPERATION_ROUTES,
  ...FINDING_ROUTES,
  ...PROVISIONING_ROUTES,
  ...OPERATOR_ROUTES,
  ...IMAGE_ROUTES,
]
