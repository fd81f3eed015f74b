import 'i18next'
import type { English } from './en.ts'

// t() accepts only existing keys.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shared'
    resources: English
  }
}
