/** One textual replacement; `from` must occur exactly once in the file. */
export interface Edit {
  file: string
  from: string
  to: string
}

/** A protection that is removed, and the test that must fail then. */
export interface Mutant {
  name: string
  /** One fault; it needs several edits if code and schema protect the same thing. */
  edits: readonly Edit[]
  file: string
  /** The name of the guarding test, or its beginning; the test must fail by an assertion. */
  test: string
}
