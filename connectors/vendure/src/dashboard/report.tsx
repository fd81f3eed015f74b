import type { Report } from '@shelfwire/client/shop'
import { Badge } from '@vendure/dashboard'
import type { ReactNode } from 'react'

/** Shows the result of a comparison. */
export function ReportOf({ report }: { report: Report }): ReactNode {
  const { isEqual, stores, deviating, deviations, repaired, refused, refusedCount } = report
  const refusals = Object.entries(refused)
  return (
    <div className="flex flex-col items-start gap-2">
      <Badge variant={isEqual ? 'success' : 'warning'}>
        {isEqual ? 'The shop is equal.' : `The shop differs in ${deviating} products; ${repaired} were written again.`}
      </Badge>
      {stores.map((of) => (
        <p key={of.store}>
          {of.store}: {of.products} products, {of.isEqual ? `equal as of ${of.asOf}` : 'not equal'}
        </p>
      ))}
      {deviations.map(({ article, differences }) => (
        <p key={article}>
          {article}: {differences.map(lineOf).join('; ')}
        </p>
      ))}
      {deviating > deviations.length && <p>and {deviating - deviations.length} more</p>}
      {refusals.map(([article, reason]) => (
        <p key={article}>
          {article}: the shop refuses it: {reason}
        </p>
      ))}
      {refusedCount > refusals.length && <p>the shop refuses {refusedCount - refusals.length} more</p>}
    </div>
  )
}

const lineOf = ({ member, shop, shelfwire }: Report['deviations'][number]['differences'][number]) =>
  `${member} is ${JSON.stringify(shop)}, should be ${JSON.stringify(shelfwire)}`
