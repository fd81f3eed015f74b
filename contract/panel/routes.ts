import { AUDIT_ROUTES } from './audit.ts'
import { PANEL_CATALOG_ROUTES } from './catalog.ts'
import { DELIVERY_ROUTES } from './deliveries.ts'
import { ENDPOINT_ROUTES } from './endpoints.ts'
import { PANEL_IMPORT_ROUTES } from './imports.ts'
import { LINK_ROUTES } from './links.ts'
import { OVERVIEW_ROUTES } from './overview.ts'
import { PANEL_PRODUCT_ROUTES } from './product.ts'
import { PEOPLE_ROUTES } from './people.ts'
import { PREVIEW_ROUTES } from './previews.ts'
import { PRODUCT_VALUE_ROUTES } from './product-values.ts'
import type { PanelRoute } from './route.ts'
import { FACTOR_ROUTES } from './factors.ts'
import { PROVIDER_ROUTES } from './provider-sign-in.ts'
import { SESSION_ROUTES } from './session.ts'
import { SIGN_UP_ROUTES } from './sign-up.ts'
import { PANEL_SETTINGS_ROUTES } from './settings.ts'
import { TOKEN_ROUTES } from './tokens.ts'

/** Every route of the panel. A route that is not listed here cannot be registered. */
export const PANEL_ROUTES: readonly PanelRoute[] = [
  ...SESSION_ROUTES,
  ...LINK_ROUTES,
  ...PROVIDER_ROUTES,
  ...FACTOR_ROUTES,
  ...SIGN_UP_ROUTES,
  ...PEOPLE_ROUTES,
  ...TOKEN_ROUTES,
  ...ENDPOINT_ROUTES,
  ...DELIVERY_ROUTES,
  ...OVERVIEW_ROUTES,
  ...PANEL_CATALOG_ROUTES,
  ...PANEL_PRODUCT_ROUTES,
  ...PRODUCT_VALUE_ROUTES,
  ...PREVIEW_ROUTES,
  ...PANEL_SETTINGS_ROUTES,
  ...PANEL_IMPORT_ROUTES,
  ...AUDIT_ROUTES,
]
