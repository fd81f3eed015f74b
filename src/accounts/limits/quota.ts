import { budgetOf, type BudgetName } from '../../../contract/account-limits.ts'
import { ShelfwireError } from '../../platform/errors.ts'

/** The budget that is used up, as the error shows it. */
export interface Quota {
  budget: BudgetName
  /** The present use; null if only the limit is known. */
  used: number | null
  limit: number
  raised_by: 'operator'
}

const ASK = 'ask the operator of the service to raise it'

/** A budget of the account is used up. 422 for a number of things (products, stores); 429 with `retryAfterSeconds` for a rate. */
export class QuotaExceeded extends ShelfwireError {
  readonly quota: Quota

  private constructor(quota: Quota, detail: string, retryAfterSeconds?: number) {
    super('quota-exceeded', detail, {
      faults: [
        {
          name: quota.budget,
          reason: quota.used === null ? `is limited to ${quota.limit}` : `${quota.used} of ${quota.limit} are used`,
        },
      ],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) }),
    })
    this.quota = quota
  }

  /** The error for a number of things. @param wanted how many more were to be added */
  static ofStock(budget: BudgetName, used: number, limit: number, wanted: number): QuotaExceeded {
    const bytes = budgetOf(budget).unit === 'bytes' ? ' bytes' : ''
    return new QuotaExceeded(
      { budget, used, limit, raised_by: 'operator' },
      `the account’s budget ${budget} does not suffice: ${used} of ${limit}${bytes} are used, and ${wanted} more would be needed; delete some, or ${ASK}`,
    )
  }

  /** The error for a rate, or for a number of concurrent operations. */
  static ofRate(budget: BudgetName, used: number | null, limit: number, retryAfterSeconds: number): QuotaExceeded {
    const { per } = budgetOf(budget)
    return new QuotaExceeded(
      { budget, used, limit, raised_by: 'operator' },
      `the account’s budget ${budget} is used up: at most ${limit}${per === undefined ? ' at the same time' : ` in ${per === 'hour' ? 'an' : 'a'} ${per}`}; see Retry-After, or ${ASK}`,
      retryAfterSeconds,
    )
  }
}
