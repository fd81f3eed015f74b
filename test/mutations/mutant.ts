/** One textual replacement; `from` must stand exactly once in the file. */
export interface Edit {
  file: string
  from: string
  to: string
}

/** A protection taken away, and the test that must notice. */
export interface Mutant {
  name: string
  /** One fault; where code and schema say the same thing in two places it takes an edit in each. */
  edits: readonly Edit[]
  file: string
  /** Name of the guarding test, or how it begins; it must fail by an assertion. */
  test: string
}
