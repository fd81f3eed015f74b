import { StatusBadge, Text } from '@medusajs/ui'
import type { ReactNode } from 'react'
import type { Report } from '@shelfwire/client/shop'

/** Shows the result of a comparison. */
export function ReportOf({ report }: { report: Report }): ReactNode {
  const { isEqual, stores, deviating, deviations, repaired, refused, refusedCount } = report
  const text = isEqual
    ? 'The shop is equal.'
    : `The shop differs in ${deviating} products; ${repaired} were written again.`
  const refusals = Object.entries(refused)
  return (
    <div className="flex flex-col gap-y-2">
      <StatusBadge color={isEqual ? 'green' : 'orange'}>{text}</StatusBadge>
      {stores.map((of) => (
        <Text key={of.store} size="small">
          {of.store}: {of.products} products, {of.isEqual ? `equal as of ${of.asOf}` : 'not equal'}
        </Text>
      ))}
      {deviations.map(({ article, differences }) => (
        <Text key={article} size="small">
          {article}: {differences.map(lineOf).join('; ')}
        </Text>
      ))}
      {deviating > deviations.length && <Text size="small">and {deviating - deviations.length} more</Text>}
      {refusals.map(([article, reason]) => (
        <Text key={article} size="small">
          {article}: the shop refuses it: {reason}
        </Text>
      ))}
      {refusedCount > refusals.length && (
        <Text size="small">the shop refuses {refusedCount - refusals.length} more</Text>
      )}
    </div>
  )
}

const lineOf = ({ member, shop, shelfwire }: Report['deviations'][number]['differences'][number]) =>
  `${member} is ${JSON.stringify(shop)}, should be ${JSON.stringify(shelfwire)}`
