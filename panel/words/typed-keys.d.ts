import 'i18next'
import type { enSuppliers } from './en-suppliers.ts'
import type { en } from './en.ts'

// t() takes only keys that exist.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared'
    resources: typeof en & typeof enSuppliers
  }
}
