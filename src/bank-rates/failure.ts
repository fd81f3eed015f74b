import type { BANK_FAILURES } from '../../contract/panel/settings.ts'

export type BankFailureKind = (typeof BANK_FAILURES)[number]

/** A request to the bank that brought no rates. */
export class BankFailure extends Error {
  readonly kind: BankFailureKind
  constructor(kind: BankFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}
