/** The limits of tax classes: a part of LIMITS (limits.ts). */
export const TAX_LIMITS = {
  taxClassesPerAccountMax: 100,
  taxCodesPerClassMax: 50,
  taxRatesPerClassMax: 500,
} as const
