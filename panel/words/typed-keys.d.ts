import 'i18next'
import type { English } from './en.ts'

// t() takes only keys that exist.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared'
    resources: English
  }
}
