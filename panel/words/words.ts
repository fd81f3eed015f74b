import type { enSuppliers } from './en-suppliers.ts'
import type { en } from './en.ts'

/** Texts of a language: those that English has. Plurals differ from language to language; test/panel/words.test.ts compares all keys. */
export type Words = { readonly [Namespace in keyof (typeof en & typeof enSuppliers)]: object }
