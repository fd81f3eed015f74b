// Proposed rates for tax classes: for each country of the EU the standard rate, and the reduced rate of most goods that have one (food or books; many
// countries have several). An account takes these over and edits them; they are not updated for it, because only the seller knows which rate an
// article has. The panel imports this file at run time, so it imports nothing.
//
// As of 2026-11-27, from public tables of the rates that the member states notify to the European Commission. Its own list ("VAT rates applied in the
// Member States", Taxes in Europe database) is authoritative, but was not read for this file. `from` is the first day of a rate that came into force
// after 2020.

interface ProposedRate {
  percent: string
  /** `YYYY-MM-DD`; left out: in force since before 2020. */
  from?: string
}

/** `valid_from` of a rate without `from`. */
const LONG_AGO = '2020-01-01'

/** By ISO 3166-1 code (Greece is GR, not EL). Denmark has no reduced rate. */
const EU_RATES: Readonly<Record<string, { standard: ProposedRate; reduced?: ProposedRate }>> = {
  AT: { standard: { percent: '20' }, reduced: { percent: '10' } },
  BE: { standard: { percent: '21' }, reduced: { percent: '6' } },
  BG: { standard: { percent: '20' }, reduced: { percent: '9' } },
  CY: { standard: { percent: '19' }, reduced: { percent: '5' } },
  CZ: { standard: { percent: '21' }, reduced: { percent: '12', from: '2024-01-01' } },
  DE: { standard: { percent: '19', from: '2021-01-01' }, reduced: { percent: '7', from: '2021-01-01' } },
  DK: { standard: { percent: '25' } },
  EE: { standard: { percent: '24', from: '2025-07-01' }, reduced: { percent: '9' } },
  ES: { standard: { percent: '21' }, reduced: { percent: '10' } },
  FI: { standard: { percent: '25.5', from: '2024-09-01' }, reduced: { percent: '13.5', from: '2026-01-01' } },
  FR: { standard: { percent: '20' }, reduced: { percent: '5.5' } },
  GR: { standard: { percent: '24' }, reduced: { percent: '13' } },
  HR: { standard: { percent: '25' }, reduced: { percent: '5' } },
  HU: { standard: { percent: '27' }, reduced: { percent: '5' } },
  IE: { standard: { percent: '23', from: '2021-03-01' }, reduced: { percent: '13.5' } },
  IT: { standard: { percent: '22' }, reduced: { percent: '10' } },
  LT: { standard: { percent: '21' }, reduced: { percent: '5' } },
  LU: { standard: { percent: '17', from: '2024-01-01' }, reduced: { percent: '8', from: '2024-01-01' } },
  LV: { standard: { percent: '21' }, reduced: { percent: '12' } },
  MT: { standard: { percent: '18' }, reduced: { percent: '5' } },
  NL: { standard: { percent: '21' }, reduced: { percent: '9' } },
  PL: { standard: { percent: '23' }, reduced: { percent: '8' } },
  PT: { standard: { percent: '23' }, reduced: { percent: '6' } },
  RO: { standard: { percent: '21', from: '2025-08-01' }, reduced: { percent: '11', from: '2025-08-01' } },
  SE: { standard: { percent: '25' }, reduced: { percent: '12' } },
  SI: { standard: { percent: '22' }, reduced: { percent: '9.5' } },
  SK: { standard: { percent: '23', from: '2025-01-01' }, reduced: { percent: '5', from: '2025-01-01' } },
}

/** The proposed rates of a kind, as members of a tax class's `rates`. */
export const proposedTaxRates = (
  kind: 'standard' | 'reduced',
): { country: string; valid_from: string; percent: string }[] =>
  Object.entries(EU_RATES).flatMap(([country, { [kind]: rate }]) =>
    rate === undefined ? [] : [{ country, valid_from: rate.from ?? LONG_AGO, percent: rate.percent }],
  )
