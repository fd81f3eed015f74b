import type { ServeContext } from '../context.ts'
import type { PanelApp } from './handle-panel.ts'
import { auditHandlers } from './audit.ts'
import { panelCatalogHandlers } from './catalog.ts'
import { deliveryHandlers } from './deliveries.ts'
import { endpointHandlers } from './endpoints.ts'
import { endpointLinkHandlers } from './endpoint-links.ts'
import { panelImportHandlers } from './imports.ts'
import { overviewHandlers } from './overview.ts'
import { peopleHandlers } from './people.ts'
import { passkeyHandlers } from './passkeys.ts'
import { panelProductHandlers } from './product.ts'
import { productChangeHandlers } from './product-changes.ts'
import { productValueHandlers } from './product-values.ts'
import { previewHandlers } from './previews.ts'
import { personHandlers } from './person.ts'
import { panelSettingsHandlers } from './settings.ts'
import { signInHandlers } from './sign-in.ts'
import { signUpHandlers } from './sign-up.ts'
import { tokenHandlers } from './tokens.ts'

/** Registers the handlers of related routes of the panel. */
type PanelHandlers = (app: PanelApp, context: ServeContext) => void

export const panelHandlers: readonly PanelHandlers[] = [
  signInHandlers,
  signUpHandlers,
  personHandlers,
  passkeyHandlers,
  peopleHandlers,
  tokenHandlers,
  endpointHandlers,
  endpointLinkHandlers,
  deliveryHandlers,
  overviewHandlers,
  panelCatalogHandlers,
  productChangeHandlers,
  panelProductHandlers,
  productValueHandlers,
  previewHandlers,
  panelSettingsHandlers,
  panelImportHandlers,
  auditHandlers,
]
